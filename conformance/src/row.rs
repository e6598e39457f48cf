//! Examples and their expected results, as rows of a table.

use std::{cell::RefCell, sync::Arc};

use mpi_api::{
    finding::{Code, Verdict},
    outcome::RunResult,
    run::{Body, Program, Struck},
};

use scenarios::scenario::Request;

/// One example of the documents: its source, what it shows, and its programs.
pub struct Row {
    /// Name of the example in the suite, such as `B2.12`.
    pub id: &'static str,
    /// Document and section, page or figure.
    pub source: &'static str,
    /// What the example shows, in one line.
    pub shows: &'static str,
    /// Programs of the example, or why there are none.
    pub form: Form,
}

/// The programs of an example, or the reason why it cannot be run.
pub enum Form {
    /// Programs; the first one is the example itself, the others are its variants.
    Programs(Vec<Case>),
    /// The example is not a program, or is tested elsewhere: says why, and where.
    Remark(&'static str),
}

/// One program of an example.
#[derive(Clone, Copy)]
pub struct Case {
    /// Name of a variant, which runs as `ID:NAME`; empty for the example itself.
    pub name: &'static str,
    /// Numbers of ranks on which the suite runs the program; the first is the default.
    pub ranks: &'static [u32],
    /// Function that returns the expected result on a number of ranks.
    pub expect: fn(u32) -> Expect,
    /// Reason for the expected result.
    pub reason: &'static str,
    /// Function that every rank runs.
    pub body: fn(),
    /// Function that sets the machine and options that the example prescribes, if any.
    pub options: fn(&mut Request),
}

impl Row {
    /// Creates an example with its programs.
    pub const fn new(
        id: &'static str,
        source: &'static str,
        shows: &'static str,
        cases: Vec<Case>,
    ) -> Self {
        Self { id, source, shows, form: Form::Programs(cases) }
    }

    /// Creates an example of one program, which is safe.
    pub fn safe(
        id: &'static str,
        source: &'static str,
        shows: &'static str,
        ranks: &'static [u32],
        reason: &'static str,
        body: fn(),
    ) -> Self {
        Self::new(id, source, shows, vec![Case::safe(ranks, reason, body)])
    }

    /// Creates an example that is not run here, with the reason.
    pub const fn remark(
        id: &'static str,
        source: &'static str,
        shows: &'static str,
        why: &'static str,
    ) -> Self {
        Self { id, source, shows, form: Form::Remark(why) }
    }
}

impl Case {
    /// Creates the program of the example itself, for any machine.
    pub const fn new(
        ranks: &'static [u32],
        expect: fn(u32) -> Expect,
        reason: &'static str,
        body: fn(),
    ) -> Self {
        Self { name: "", ranks, expect, reason, body, options: |_| {} }
    }

    /// Creates the program of the example itself, which is safe on any number of ranks.
    pub const fn safe(ranks: &'static [u32], reason: &'static str, body: fn()) -> Self {
        Self::new(ranks, |_| Expect::safe(), reason, body)
    }

    /// Makes the program a variant called `name`.
    pub const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// Sets options that the example prescribes.
    pub const fn with(self, options: fn(&mut Request)) -> Self {
        Self { options, ..self }
    }
}

/// The expected result of a safety check.
#[derive(Clone, Debug)]
pub struct Expect {
    /// Verdict of the check.
    pub verdict: Verdict,
    /// Code of the first finding; `None` if it does not matter.
    pub code: Option<Code>,
    /// Smallest buffering with which the program completes: bytes in total, and number of ranks
    /// that need any.
    pub minimum: Option<(u64, u32)>,
    /// Possible outcomes of completed runs, as passed to [`declare`]; some run must have each.
    /// Empty if they do not matter. The lines of a run are sorted and joined by a semicolon and a
    /// space.
    pub outcomes: Vec<String>,
}

impl Expect {
    /// Expects a safe program: it completes with zero buffering in every order.
    pub fn safe() -> Self {
        Self::verdict(Verdict::Ok)
    }

    /// Expects this verdict.
    pub fn verdict(verdict: Verdict) -> Self {
        Self { verdict, code: None, minimum: None, outcomes: Vec::new() }
    }

    /// Expects a program that depends on at least `bytes` bytes of buffering in total, at `ranks`
    /// ranks.
    pub fn buffering(bytes: u64, ranks: u32) -> Self {
        Self { minimum: Some((bytes, ranks)), ..Self::verdict(Verdict::Buffering) }
    }

    /// Expects a program that can deadlock with any buffering.
    pub fn deadlock() -> Self {
        Self::verdict(Verdict::Deadlock)
    }

    /// Expects a program that deadlocks in some orders of its messages and completes in others.
    pub fn deadlock_in_one_order() -> Self {
        Self::wrong(Code::MessageRace)
    }

    /// Expects an error with this code.
    pub fn wrong(code: Code) -> Self {
        Self { code: Some(code), ..Self::verdict(code.verdict()) }
    }

    /// Expects exactly these outcomes.
    pub fn reaching(self, outcomes: &[&str]) -> Self {
        Self { outcomes: outcomes.iter().map(ToString::to_string).collect(), ..self }
    }
}

thread_local! {
    static DECLARED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Declares an outcome of the calling rank, in programs that may legally have several.
pub fn declare(line: impl Into<String>) {
    DECLARED.with_borrow_mut(|declared| declared.push(line.into()));
}

/// Returns the program of a case; its results contain what its ranks declared.
pub(super) fn program(case: Case) -> Program {
    Arc::new(Declaring(case.body))
}

struct Declaring(fn());

impl Body for Declaring {
    fn start(&self, _: u32) {
        DECLARED.take();
    }

    fn rank(&self) {
        (self.0)();
    }

    fn finish(&self, result: &mut RunResult, _: Option<Struck>) {
        result.declared = DECLARED.take();
        result.declared.sort_unstable();
    }
}
