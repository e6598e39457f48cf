//! [`Journal`]: what a run reports.

use crate::{check::leaks::Leaks, finding::Findings, trace::TraceSink};

/// The trace, the findings and the leaks of a run.
pub(crate) struct Journal {
    pub(crate) sink: Option<Box<dyn TraceSink>>,
    pub(crate) findings: Findings,
    pub(crate) leaks: Leaks,
}

impl Journal {
    /// Creates an empty journal; a traced run passes its records to `sink`.
    pub(super) fn new(sink: Option<Box<dyn TraceSink>>) -> Self {
        Self { sink, findings: Findings::default(), leaks: Leaks::default() }
    }
}
