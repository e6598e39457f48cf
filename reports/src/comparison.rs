//! What a comparison of topologies consists of.

use std::sync::Arc;

use mpi_api::{outcome::RunResult, trace::Record};
use network_models::{Structure, Topology};
use sim_core::SimTime;

use crate::format::counted;

/// One configuration and what came out of it.
#[derive(Clone, Debug)]
pub struct Row {
    /// Kind and size, as in `mesh:4x4`.
    pub topology: String,
    /// Number of ranks.
    pub ranks: u32,
    /// How ranks were put on nodes.
    pub placement: String,
    /// Which algorithms carried the collectives.
    pub collectives: String,
    /// Run time.
    pub makespan: SimTime,
    /// How many times faster than the baseline.
    pub speedup: f64,
    /// Speed-up per rank, from 0 to 1.
    pub efficiency: f64,
    /// Mean distance of two nodes.
    pub mean_hops: f64,
    /// Name of the busiest link and the percentage of the run it was busy.
    pub hottest_link: Option<(String, f64)>,
    /// Cost and distances of the topology.
    pub structure: Structure,
    /// Messages sent.
    pub messages: u64,
    /// Bytes of data in them.
    pub bytes: u64,
    /// Identity of the run.
    pub digest: u64,
    /// Percentage of rank time outside MPI.
    pub compute_share: f64,
    /// Percentage of rank time spent by processors inside MPI.
    pub overhead_share: f64,
    /// Percentage of rank time blocked.
    pub waiting_share: f64,
}

impl Row {
    /// Topology and ranks in a few words.
    pub fn label(&self) -> String {
        format!("{}, {}", self.topology, counted(u64::from(self.ranks), "rank"))
    }

    /// The topology without its size.
    pub fn kind(&self) -> &str {
        self.topology.split(':').next().unwrap_or(&self.topology)
    }
}

/// One run that is shown in full.
#[derive(Clone, Debug)]
pub struct Detail {
    /// Heading.
    pub title: String,
    /// The network's graph.
    pub topology: Arc<Topology>,
    /// What came out.
    pub result: RunResult,
    /// The trace; may be empty.
    pub records: Vec<Record>,
}

/// Several configurations of one program.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Name of the program.
    pub program: String,
    /// Name of the machine.
    pub machine: String,
    /// Parameters of the machine and where they come from.
    pub machine_summary: Vec<(String, String)>,
    /// Network model.
    pub network: String,
    /// Seed of every free choice.
    pub seed: u64,
    /// The command that makes this comparison again.
    pub command: String,
    /// All configurations, in any order.
    pub rows: Vec<Row>,
    /// The runs shown in full.
    pub details: Vec<Detail>,
    /// The paragraph that says what to choose, as made by [`crate::analysis::advice`].
    pub advice: String,
}

/// The rows from fast to slow; equal run times by links, then in the order given.
pub(crate) fn ranked(rows: &[Row]) -> Vec<&Row> {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by_key(|row| (row.makespan, row.structure.links));
    sorted
}
