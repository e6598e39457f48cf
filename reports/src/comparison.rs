//! What a comparison of topologies consists of.

use std::sync::Arc;

use mpi_api::{
    outcome::{Ending, RunResult},
    trace::Record,
};
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
    /// Name of the machine.
    pub machine: String,
    /// How ranks were put on nodes.
    pub placement: String,
    /// Which algorithms carried the collectives.
    pub collectives: String,
    /// How it ended.
    pub ending: Ending,
    /// Run time.
    pub makespan: SimTime,
    /// How many times faster than with the smallest number of ranks.
    pub speedup: f64,
    /// Speed-up over what the ranks multiplied by, 1 being perfect.
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

    /// Whether the program came to its end: what did not has no run time to compare.
    pub fn completed(&self) -> bool {
        self.ending == Ending::Completed
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

/// A machine's numbers, for readers.
#[derive(Clone, Debug)]
pub struct MachineNotes {
    /// Its name.
    pub name: String,
    /// One line.
    pub summary: String,
    /// Each number, and where it comes from.
    pub numbers: Vec<(String, String)>,
}

/// Several configurations of one program.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Name of the program.
    pub program: String,
    /// The machines.
    pub machines: Vec<MachineNotes>,
    /// Network model.
    pub network: String,
    /// Seed of every free choice.
    pub seed: u64,
    /// The command that makes this comparison again.
    pub command: String,
    /// Why another comparison may come out differently, if it may.
    pub caution: Option<String>,
    /// All configurations, in any order.
    pub rows: Vec<Row>,
    /// The runs shown in full.
    pub details: Vec<Detail>,
    /// The paragraph that says what to choose, as made by [`crate::analysis::advice`].
    pub advice: String,
}

/// The rows from fast to slow; equal run times by links, then in the order given. What did not
/// complete comes last.
pub fn ranked(rows: &[Row]) -> Vec<&Row> {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by_key(|row| (!row.completed(), row.makespan, row.structure.links));
    sorted
}

/// Which of the columns that are often all alike tell the rows apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Differ {
    pub(crate) machine: bool,
    pub(crate) placement: bool,
    pub(crate) collectives: bool,
}

impl Differ {
    pub(crate) fn of(rows: &[&Row]) -> Self {
        let differ = |of: fn(&Row) -> &str| rows.iter().any(|row| of(row) != of(rows[0]));
        Self {
            machine: differ(|row| &row.machine),
            placement: differ(|row| &row.placement),
            collectives: differ(|row| &row.collectives),
        }
    }

    /// What the row is called among the others, the ranks included.
    pub(crate) fn label(self, row: &Row) -> String {
        self.with(row, row.label())
    }

    /// What the row is called among others with as many ranks.
    pub(crate) fn name(self, row: &Row) -> String {
        self.with(row, row.topology.clone())
    }

    fn with(self, row: &Row, mut text: String) -> String {
        let parts = [
            (self.machine, &row.machine),
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
