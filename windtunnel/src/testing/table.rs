//! Results as rows of a table.

use mpi_api::outcome::{RankTotals, RunResult};
use scenarios::scenario::Scenario;
use serde::{Serialize, Serializer};

use crate::json::hexadecimal;

/// A configuration and its result. The fields have the names and units of `windtunnel run --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Number of ranks at the start of the run.
    pub ranks: u32,
    /// Number of ranks on each node.
    pub ranks_per_node: u32,
    /// Name of the machine.
    pub machine: String,
    /// Topology with its sizes.
    pub topology: String,
    /// Name of the network model.
    pub network: String,
    /// Placement of ranks on nodes.
    pub placement: String,
    /// Buffering of standard sends.
    pub buffering: String,
    /// Seed of all random streams.
    pub seed: u64,
    /// Simulated time at which the last rank finished, in nanoseconds.
    pub makespan_ns: f64,
    /// Number of messages sent, including those inside collectives.
    pub messages: u64,
    /// Bytes of data in these messages.
    pub bytes: u64,
    /// Digest of the run; written as 16 hexadecimal digits.
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

/// The time that one rank spent computing, communicating and waiting. The fields have the names and
/// units of `windtunnel run --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankRow {
    /// Rank in the communicator of all ranks.
    pub rank: u32,
    /// Nanoseconds outside MPI.
    pub busy_ns: f64,
    /// Nanoseconds of processor time inside MPI.
    pub communicating_ns: f64,
    /// Nanoseconds blocked in MPI.
    pub waiting_ns: f64,
    /// Simulated time at which the rank finished, in nanoseconds.
    pub finish_ns: f64,
    /// Number of messages that the rank sent.
    pub messages: u64,
    /// Bytes of data that the rank sent.
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

/// Returns rows as CSV (RFC 4180) with a header line of field names. A row is a [`Row`], a
/// [`RankRow`] or a flat structure of your own.
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
/// Returns an error if a row is not flat and so cannot be a table row.
pub fn to_csv<R: Serialize>(rows: &[R]) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    let bytes = writer.into_inner().expect("memory takes all");
    Ok(String::from_utf8(bytes).expect("rows are text"))
}
