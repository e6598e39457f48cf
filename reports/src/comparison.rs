//! The data of a comparison of configurations.

use std::sync::Arc;

use mpi_api::{
    outcome::{Ending, RunResult},
    trace::Record,
};
use network_models::{Structure, Topology};
use sim_core::SimTime;

use crate::format::counted;

/// One configuration and its result.
#[derive(Clone, Debug)]
pub struct Row {
    /// Kind and size of the topology, as in `mesh:4x4`.
    pub topology: String,
    /// Kind of the topology without its size, as in `mesh`.
    pub kind: &'static str,
    /// Number of ranks.
    pub ranks: u32,
    /// Name of the machine.
    pub machine: String,
    /// The network model.
    pub network: String,
    /// Placement of ranks on nodes.
    pub placement: String,
    /// Algorithms of the collectives.
    pub collectives: String,
    /// How the run ended.
    pub ending: Ending,
    /// Simulated time at which the last rank finished.
    pub makespan: SimTime,
    /// Speed-up relative to the run with the smallest number of ranks.
    pub speedup: f64,
    /// Speed-up divided by the factor by which the number of ranks grew; 1 is perfect.
    pub efficiency: f64,
    /// Mean number of hops between two nodes.
    pub mean_hops: f64,
    /// Name of the busiest link, and the percentage of the run during which it was busy.
    pub hottest_link: Option<(String, f64)>,
    /// Cost and distances of the topology.
    pub structure: Structure,
    /// Number of messages sent.
    pub messages: u64,
    /// Bytes of data in these messages.
    pub bytes: u64,
    /// Digest of the run.
    pub digest: u64,
    /// Percentage of rank time spent outside MPI.
    pub compute_share: f64,
    /// Percentage of rank time spent by processors inside MPI.
    pub overhead_share: f64,
    /// Percentage of rank time spent blocked.
    pub waiting_share: f64,
}

impl Row {
    /// Returns a short label: topology and number of ranks.
    pub fn label(&self) -> String {
        format!("{}, {}", self.topology, counted(u64::from(self.ranks), "rank"))
    }

    /// Returns whether the program completed. A run that did not has no run time to compare.
    pub fn completed(&self) -> bool {
        self.ending == Ending::Completed
    }
}

/// One run that a report shows in full.
#[derive(Clone, Debug)]
pub struct Detail {
    /// Heading of the section.
    pub title: String,
    /// Topology that the run used.
    pub topology: Arc<Topology>,
    /// Result of the run.
    pub result: RunResult,
    /// Trace records of the run; may be empty.
    pub records: Vec<Record>,
}

/// The numbers of a machine, as text for display.
#[derive(Clone, Debug)]
pub struct MachineNotes {
    /// Name of the machine.
    pub name: String,
    /// Description in one line.
    pub summary: String,
    /// Each number with its source.
    pub numbers: Vec<(String, String)>,
}

/// The comparison of several configurations of one program.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Name of the program.
    pub program: String,
    /// Machines in the comparison.
    pub machines: Vec<MachineNotes>,
    /// Seed of all random streams.
    pub seed: u64,
    /// Command line that repeats this comparison.
    pub command: String,
    /// Why another comparison may have another result, if it may.
    pub caution: Option<String>,
    /// All configurations, in any order.
    pub rows: Vec<Row>,
    /// Runs that the report shows in full.
    pub details: Vec<Detail>,
    /// Paragraph of advice, made by [`crate::analysis::advice`].
    pub advice: String,
}

/// Returns the rows from fast to slow. Rows with equal run times are ordered by number of links,
/// then as given. Rows of runs that did not complete come last.
pub fn ranked(rows: &[Row]) -> Vec<&Row> {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by_key(|row| (!row.completed(), row.makespan, row.structure.links));
    sorted
}

/// The columns whose values distinguish the rows of a comparison; often all rows agree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Differ {
    pub(crate) machine: bool,
    pub(crate) network: bool,
    pub(crate) placement: bool,
    pub(crate) collectives: bool,
}

impl Differ {
    pub(crate) fn of(rows: &[&Row]) -> Self {
        let differ = |of: fn(&Row) -> &str| rows.iter().any(|row| of(row) != of(rows[0]));
        Self {
            machine: differ(|row| &row.machine),
            network: differ(|row| &row.network),
            placement: differ(|row| &row.placement),
            collectives: differ(|row| &row.collectives),
        }
    }

    /// Returns the name of a row, including the number of ranks.
    pub(crate) fn label(self, row: &Row) -> String {
        self.with(row, row.label())
    }

    /// Returns the name of a row among those with the same number of ranks.
    pub(crate) fn name(self, row: &Row) -> String {
        self.with(row, row.topology.clone())
    }

    fn with(self, row: &Row, mut text: String) -> String {
        let parts = [
            (self.machine, &row.machine),
            (self.network, &row.network),
            (self.placement, &row.placement),
            (self.collectives, &row.collectives),
        ];
        for (_, part) in parts.into_iter().filter(|(differs, _)| *differs) {
            text.push_str(", ");
            text.push_str(part);
        }
        text
    }
}
