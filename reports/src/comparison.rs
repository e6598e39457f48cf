//! The data of a comparison of configurations.

use std::{fmt, sync::Arc};

use mpi_api::outcome::{Ending, RunResult};
use network_models::{Bill, NetworkCost, Structure, Topology};
use sim_core::SimTime;

use crate::{format::counted, records::Records};

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
    /// Whether each cable of the topology carries one direction only.
    pub one_way_cables: bool,
    /// Number of nodes of the machine.
    pub nodes: u32,
    /// Number of nodes without ranks.
    pub nodes_idle: u32,
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
    /// The topology as it was asked for, as in `mesh` or `mesh:4x4`: the same for all numbers of ranks.
    pub family: String,
    /// Number of the line of configurations that differ in the number of ranks only.
    pub line: usize,
    /// Values of axes that have no column of their own.
    pub settings: Vec<Setting>,
    /// Position on each axis of the comparison.
    pub point: Vec<usize>,
    /// What was found, each as text.
    pub findings: Vec<String>,
    /// The parts of the network.
    pub bill: Bill,
    /// What these parts cost.
    pub cost: NetworkCost,
}

/// The value of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Name of the axis.
    pub axis: String,
    /// Value as written.
    pub value: String,
    /// Whether the value is a circumstance (the size of the problem) and nothing to choose.
    pub condition: bool,
    /// Whether the axis has other values: names of configurations leave out what all have in common.
    pub varies: bool,
}

/// One axis of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Name.
    pub name: String,
    /// Values as written, in order.
    pub values: Vec<String>,
    /// Values as numbers, if all are.
    pub numbers: Option<Vec<f64>>,
    /// Whether the values are circumstances and nothing to choose.
    pub condition: bool,
    /// Whether the values are models of the same network: neither a circumstance nor a choice.
    pub model: bool,
}

/// A configuration that cannot be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Skipped {
    /// Name of the configuration.
    pub name: String,
    /// Number of ranks.
    pub ranks: u32,
    /// Why it cannot be run.
    pub reason: String,
}

impl Row {
    /// Returns the circumstances of this row: the number of ranks and the values of all axes that are
    /// nothing to choose.
    pub(crate) fn conditions(&self) -> Vec<(&str, String)> {
        let case = self.case().into_iter().map(|(axis, value)| (axis, value.to_owned()));
        [("ranks", self.ranks.to_string())].into_iter().chain(case).collect()
    }

    /// Returns the circumstances of this row apart from the number of ranks.
    pub(crate) fn case(&self) -> Vec<(&str, &str)> {
        let settings = self.settings.iter().filter(|setting| setting.condition);
        settings.map(|setting| (setting.axis.as_str(), setting.value.as_str())).collect()
    }

    /// Returns whether the program completed on a network all of whose parts can be bought.
    pub(crate) fn is_purchasable(&self) -> bool {
        self.completed() && self.cost.for_sale
    }

    /// Returns whether this row may be recommended in a comparison whose rows differ in this: it completed and, if
    /// networks are what is chosen, all parts of its network can be bought.
    pub(crate) fn is_recommendable(&self, differ: Differ) -> bool {
        if differ.topology { self.is_purchasable() } else { self.completed() }
    }

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
    pub records: Records,
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
    /// Axes, in the order in which they are nested.
    pub axes: Vec<Axis>,
    /// Whether the results are shown as tables of two axes.
    pub pivoted: bool,
    /// Configurations that cannot be run.
    pub skipped: Vec<Skipped>,
    /// Whether the work grows with the ranks: efficiency is that of weak scaling.
    pub weak: bool,
    /// Unit of the costs.
    pub cost_unit: String,
    /// The file of the prices; `None` if networks cost relative units.
    pub price_list: Option<String>,
}

/// Returns the rows from fast to slow. Rows with equal run times are ordered by number of links,
/// then as given. Rows of runs that did not complete come last.
pub fn ranked(rows: &[Row]) -> Vec<&Row> {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by_key(|row| (!row.completed(), row.makespan, row.structure.links));
    sorted
}

/// Returns the rows by number of ranks, then by the other circumstances in the order given, those of equal
/// circumstances from fast to slow as in [`ranked`].
pub fn by_ranks(rows: &[Row]) -> Vec<&Row> {
    let mut known: Vec<Vec<(&str, String)>> = Vec::new();
    for row in rows {
        let conditions = row.conditions();
        if !known.contains(&conditions) {
            known.push(conditions);
        }
    }
    let mut sorted = ranked(rows);
    sorted.sort_by_cached_key(|row| {
        let conditions = row.conditions();
        (row.ranks, known.iter().position(|other| *other == conditions))
    });
    sorted
}

/// Returns whether the rows have several numbers of ranks. If not, there is no speed-up.
pub(crate) fn has_scaling(rows: &[&Row]) -> bool {
    rows.iter().any(|row| row.ranks != rows[0].ranks)
}

/// The columns whose values distinguish the rows of a comparison; often all rows agree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Differ {
    pub(crate) topology: bool,
    pub(crate) machine: bool,
    pub(crate) network: bool,
    pub(crate) placement: bool,
    pub(crate) collectives: bool,
}

/// What can be chosen in a row; [`Differ::choice`] makes it. Its text names it in sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice<'a> {
    family: Option<&'a str>,
    /// The values of the columns that distinguish rows.
    columns: Vec<&'a str>,
    /// Names and values of the axes without a column.
    settings: Vec<(&'a str, &'a str)>,
}

impl fmt::Display for Choice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.family.iter().chain(&self.columns).map(|word| (*word).to_owned());
        let settings = self.settings.iter().map(|(axis, value)| format!("{axis}={value}"));
        f.write_str(&words.chain(settings).collect::<Vec<String>>().join(", "))
    }
}

impl Differ {
    pub(crate) fn of(rows: &[&Row]) -> Self {
        let differ = |of: fn(&Row) -> &str| rows.iter().any(|row| of(row) != of(rows[0]));
        Self {
            topology: differ(|row| &row.family),
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

    /// Returns the name of a row without its number of ranks.
    pub(crate) fn scaled(self, row: &Row) -> String {
        self.with(row, row.family.clone())
    }

    /// Returns what can be chosen in a row: without the number of ranks and other circumstances, and
    /// without the topology if all rows have the same.
    pub(crate) fn choice(self, row: &Row) -> Choice<'_> {
        let columns: Vec<&str> = self.columns(row).collect();
        let settings = row.settings.iter().filter(|setting| !setting.condition && setting.varies);
        let settings: Vec<(&str, &str)> =
            settings.map(|setting| (setting.axis.as_str(), setting.value.as_str())).collect();
        let is_nothing_else = columns.is_empty() && settings.is_empty();
        let family = (self.topology || is_nothing_else).then_some(row.family.as_str());
        Choice { family, columns, settings }
    }

    fn columns(self, row: &Row) -> impl Iterator<Item = &str> {
        let parts = [
            (self.machine, &row.machine),
            (self.network, &row.network),
            (self.placement, &row.placement),
            (self.collectives, &row.collectives),
        ];
        parts.into_iter().filter(|(differs, _)| *differs).map(|(_, part)| part.as_str())
    }

    fn with(self, row: &Row, mut text: String) -> String {
        for part in self.columns(row) {
            text.push_str(", ");
            text.push_str(part);
        }
        for setting in row.settings.iter().filter(|setting| setting.varies) {
            text.push_str(&format!(", {}={}", setting.axis, setting.value));
        }
        text
    }
}
