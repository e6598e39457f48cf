//! Identifiers that the kernel assigns.

use serde::{Deserialize, Serialize};

/// The identifier of a communicator: the same for all its members, assigned by the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CommId(pub u32);

impl CommId {
    /// `MPI_COMM_WORLD`.
    pub const WORLD: Self = Self(0);
    /// `MPI_COMM_SELF` of the calling rank.
    pub const SELF: Self = Self(1);
}

/// The identifier of a request owned by one rank; never reused within a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RequestId {
    /// Slot in the kernel's request table.
    pub index: u32,
    /// Number of times the slot had been used before.
    pub generation: u32,
}

/// The identifier of a message that a matched probe took out of its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MatchedId(pub u64);
