//! The result of the safety check of a function.

use std::{fmt, ops::Deref};

use mpi_api::finding::are_clean;
use scenarios::{
    safety::{self, Budget},
    scenario::Request,
};
use serde::{Serialize, Serializer};

use super::rendered;
use crate::json;

/// The result of a safety check.
///
/// It dereferences to the data ([`verdict`](safety::Report::verdict),
/// [`findings`](safety::Report::findings), [`minimum`](safety::Report::minimum) and so on),
/// displays as the text that the command `check` prints, and serializes to the object of
/// `windtunnel check --json`.
pub struct Report {
    request: Request,
    facts: safety::Report,
}

impl Report {
    pub(super) fn new(request: Request, facts: safety::Report) -> Self {
        Self { request, facts }
    }

    /// Returns whether there is no error and no warning.
    pub fn is_clean(&self) -> bool {
        are_clean(&self.facts.findings)
    }

    /// Asserts that the check found no error and no warning.
    ///
    /// ```should_panic
    /// use windtunnel::{Run, mpi::traits::*};
    ///
    /// let report = Run::new(2).check(|world| {
    ///     let other = world.process_at_rank(1 - world.rank());
    ///     other.send(&world.rank());
    ///     other.receive::<i32>();
    /// });
    /// report.assert_clean(); // two sends that wait for each other: WT0003
    /// ```
    ///
    /// # Panics
    /// Panics with the rendered findings if it found one.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert!(self.is_clean(), "the check has findings\n\n{self}");
    }
}

impl Deref for Report {
    type Target = safety::Report;

    fn deref(&self) -> &safety::Report {
        &self.facts
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", rendered(&self.facts.findings))?;
        write!(f, "VERDICT: {}", self.facts.verdict.word())
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report")
            .field("ranks", &self.request.ranks)
            .field("verdict", &self.facts.verdict)
            .field("findings", &self.facts.findings)
            .field("minimum", &self.facts.minimum)
            .field("executions", &self.facts.runs.len())
            .field("exhaustive", &self.facts.exhaustive)
            .finish()
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let object = |found| json::finding::Finding::new(found, None);
        let findings = self.facts.findings.iter().map(object).collect();
        json::check::Check::new(&self.request, (&self.facts, 0), Budget::Usual, findings)
            .serialize(serializer)
    }
}
