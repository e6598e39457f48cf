//! The result of one run.

use std::fmt;

use mpi_api::{
    finding::{Finding, are_clean},
    outcome::{Ending, RankTotals, RunResult},
};
use scenarios::{error::Error, scenario::Scenario};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use sim_core::SimTime;

use super::{
    rendered,
    table::{RankRow, Row},
};
use crate::json::{finding::Finding as FindingObject, hexadecimal};

/// The result of a run in which every rank finished.
///
/// It serializes to an object with the fields of its [`Row`], `values`, `per_rank` (an array of
/// [`RankRow`]) and `findings`; names and units are those of `windtunnel run --json`.
#[derive(Clone, Debug)]
pub struct Finished<T> {
    /// Values that the function returned, by rank of the communicator of all ranks.
    pub values: Vec<T>,
    /// Simulated time at which the last rank finished.
    pub makespan: SimTime,
    /// Number of messages sent, including those inside collectives.
    pub messages: u64,
    /// Bytes of data in these messages.
    pub bytes: u64,
    /// Number of events that the simulator processed.
    pub events: u64,
    /// Digest of the run: equal configurations of equal functions give equal digests.
    pub digest: u64,
    /// Time that each rank spent computing, communicating and waiting. Ranks that the function
    /// started come last.
    pub ranks: Vec<RankTotals>,
    /// Findings of a run that nevertheless finished, such as leaks; the most severe first.
    pub findings: Vec<Finding>,
    row: Row,
}

impl<T> Finished<T> {
    pub(super) fn new(scenario: &Scenario, values: Vec<T>, result: RunResult) -> Self {
        let row = Row::of(scenario, &result);
        let RunResult { makespan, messages, bytes, events, digest, ranks, findings, .. } = result;
        Self { values, makespan, messages, bytes, events, digest, ranks, findings, row }
    }

    /// Returns the configuration and its result as one row of a table.
    pub fn row(&self) -> &Row {
        &self.row
    }

    /// Returns one table row for each rank.
    pub fn rank_rows(&self) -> Vec<RankRow> {
        (0..).zip(&self.ranks).map(|(rank, totals)| RankRow::new(rank, totals)).collect()
    }

    /// Asserts that the run has no error and no warning.
    ///
    /// # Panics
    /// Panics with the rendered findings if it has.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert!(are_clean(&self.findings), "the run has findings\n\n{}", rendered(&self.findings));
    }
}

impl<T: Serialize> Serialize for Finished<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = &self.row;
        let object = |finding| FindingObject::new(finding, None);
        let findings: Vec<_> = self.findings.iter().map(object).collect();
        let mut object = serializer.serialize_struct("Finished", 15)?;
        object.serialize_field("ranks", &row.ranks)?;
        object.serialize_field("ranks_per_node", &row.ranks_per_node)?;
        object.serialize_field("machine", &row.machine)?;
        object.serialize_field("topology", &row.topology)?;
        object.serialize_field("network", &row.network)?;
        object.serialize_field("placement", &row.placement)?;
        object.serialize_field("buffering", &row.buffering)?;
        object.serialize_field("seed", &row.seed)?;
        object.serialize_field("makespan_ns", &row.makespan_ns)?;
        object.serialize_field("messages", &row.messages)?;
        object.serialize_field("bytes", &row.bytes)?;
        object.serialize_field("digest", &hexadecimal(row.digest))?;
        object.serialize_field("values", &self.values)?;
        object.serialize_field("per_rank", &self.rank_rows())?;
        object.serialize_field("findings", &findings)?;
        object.end()
    }
}

/// The result of a run in which some rank did not finish.
#[derive(Clone, Debug)]
pub struct Unfinished {
    /// Why the run ended: [`Ending::Stalled`] (no further progress was possible) or
    /// [`Ending::Failed`] (an error, a panic, an abort or a limit).
    pub ending: Ending,
    /// Simulated time at which the run ended.
    pub time: SimTime,
    /// Findings, the most severe first.
    pub findings: Vec<Finding>,
    /// Time that each rank spent computing, communicating and waiting until then.
    pub ranks: Vec<RankTotals>,
}

impl Unfinished {
    pub(super) fn new(result: RunResult) -> Self {
        let RunResult { ending, makespan, findings, ranks, .. } = result;
        Self { ending, time: makespan, findings, ranks }
    }
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "the run {} after {}", self.ending.word(), self.time)?;
        write!(f, "\n{}", rendered(&self.findings))
    }
}

/// Why [`Run::try_run`](super::Run::try_run) has no result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The configuration is invalid.
    #[error(transparent)]
    Input(#[from] Error),
    /// Not every rank finished. Displayed with the findings as the command line prints them.
    #[error("{0}")]
    Unfinished(Box<Unfinished>),
}
