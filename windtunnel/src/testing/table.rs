//! Results as rows of tables.

use mpi_api::outcome::{RankTotals, RunResult};
use scenarios::scenario::Scenario;
use serde::{Serialize, Serializer};

use crate::json::hexadecimal;

/// A configuration and its result. The fields have the names and units of `windtunnel run --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Number of ranks that the run began with.
    pub ranks: u32,
    /// Ranks on each node.
    pub ranks_per_node: u32,
    /// Name of the machine.
    pub machine: String,
    /// The topology with its sizes.
    pub topology: String,
    /// The network model.
    pub network: String,
    /// The placement.
    pub placement: String,
    /// Space for standard sends.
    pub buffering: String,
    /// The seed.
    pub seed: u64,
    /// When the last rank ended, in nanoseconds.
    pub makespan_ns: f64,
    /// Messages sent.
    pub messages: u64,
    /// Bytes of data in them.
    pub bytes: u64,
    /// Identity of the run; written as 16 hexadecimal digits.
    #[serde(serialize_with = "as_hexadecimal")]
    pub digest: u64,
}

impl Row {
    pub(super) fn of(scenario: &Scenario, result: &RunResult) -> Self {
        let request = &scenario.request;
        Self {
            ranks: request.ranks,
            ranks_per_node: request.ranks_per_node,
            machine: scenario.machine.name.clone(),
            topology: scenario.topology.name().into(),
            network: scenario.network.clone(),
            placement: request.placement.clone(),
            buffering: request.buffering.to_string(),
            seed: request.seed,
            makespan_ns: result.makespan.as_ns_f64(),
            messages: result.messages,
            bytes: result.bytes,
            digest: result.digest,
        }
    }
}

/// Where the time of one rank went. The fields have the names and units of `windtunnel run --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankRow {
    /// The rank.
    pub rank: u32,
    /// Nanoseconds outside MPI.
    pub busy_ns: f64,
    /// Nanoseconds of processor time inside MPI.
    pub communicating_ns: f64,
    /// Nanoseconds blocked in MPI.
    pub waiting_ns: f64,
    /// When it ended, in nanoseconds.
    pub finish_ns: f64,
    /// Messages that it sent.
    pub messages: u64,
    /// Bytes of data that it sent.
    pub bytes: u64,
}

impl RankRow {
    pub(super) fn new(rank: u32, totals: &RankTotals) -> Self {
        Self {
            rank,
            busy_ns: totals.compute.as_ns_f64(),
            communicating_ns: totals.overhead.as_ns_f64(),
            waiting_ns: totals.waiting.as_ns_f64(),
            finish_ns: totals.finish.as_ns_f64(),
            messages: totals.messages,
            bytes: totals.bytes,
        }
    }
}

fn as_hexadecimal<S: Serializer>(digest: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hexadecimal(*digest))
}

/// Rows as CSV (RFC 4180), the names of their fields first: of [`Row`], [`RankRow`] or a flat
/// structure of one's own.
///
/// ```
/// use windtunnel::{Run, mpi::traits::*, to_csv};
///
/// let rows: Vec<_> = ["ring", "mesh", "hypercube"]
///     .map(|topology| Run::new(16).topology(topology).run(|world| world.barrier()))
///     .iter()
///     .map(|finished| finished.row().clone())
///     .collect();
/// let table = to_csv(&rows)?;
/// assert!(table.starts_with("ranks,ranks_per_node,machine,topology,"));
/// assert_eq!(table.lines().count(), 4);
/// # Ok::<(), windtunnel::CsvError>(())
/// ```
///
/// # Errors
/// If a row is not flat, so that it has no place in a table.
pub fn to_csv<R: Serialize>(rows: &[R]) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    let bytes = writer.into_inner().expect("memory takes all");
    Ok(String::from_utf8(bytes).expect("rows are text"))
}
