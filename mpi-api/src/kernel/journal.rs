//! [`Journal`]: what a run reports.

use rustc_hash::FxHashMap;

use crate::{call::CommId, check::leaks::Leaks, finding::Findings, trace::TraceSink};

/// The trace, the findings and the leaks of a run.
pub(crate) struct Journal {
    pub(crate) sink: Option<Box<dyn TraceSink>>,
    pub(crate) findings: Findings,
    pub(crate) leaks: Leaks,
    /// The window or file that each rank of a traced run has met the others about last: its communicator is freed in the
    /// same function.
    pub(super) met: FxHashMap<u32, CommId>,
}

impl Journal {
    /// Creates an empty journal; a traced run passes its records to `sink`.
    pub(super) fn new(sink: Option<Box<dyn TraceSink>>) -> Self {
        let (findings, leaks) = (Findings::default(), Leaks::default());
        Self { sink, findings, leaks, met: FxHashMap::default() }
    }
}
