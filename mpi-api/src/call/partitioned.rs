//! Partitioned communication (MPI chapter 4).

use serde::{Deserialize, Serialize};

use super::{CommId, Layout, Payload, RequestId};
use crate::object::signature::Signature;

/// A call of partitioned communication (MPI chapter 4).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum PartitionedCall {
    /// `MPI_Psend_init` and `MPI_Precv_init`; replies `Request`.
    Init(Partitioned),
    /// `MPI_Pready`, `MPI_Pready_range` and `MPI_Pready_list`: partition numbers with their data.
    Ready(RequestId, Vec<(u64, Payload)>),
    /// `MPI_Parrived` for one partition; replies `Completed` with its data, or `NotYet`.
    Arrived(RequestId, u64),
}

/// One side of a partitioned operation (MPI section 4.2).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Partitioned {
    /// Whether this side sends.
    pub sends: bool,
    /// The communicator.
    pub comm: CommId,
    /// Rank of the other side; `None` is `MPI_PROC_NULL`.
    pub peer: Option<u32>,
    /// The tag, not negative.
    pub tag: i32,
    /// Number of partitions on this side.
    pub partitions: u64,
    /// Size of one partition, bytes.
    pub bytes: u64,
    /// Type signature of all partitions together.
    pub signature: Signature,
    /// Layout of a partition in the program: whether packing or unpacking it costs time.
    pub layout: Layout,
}
