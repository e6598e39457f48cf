//! Comparison of communicators, and kinds of topologies.

use super::{Communicator, Group, GroupRelation, SimpleCommunicator, UserGroup};

/// The kind of virtual topology of a communicator (MPI section 8.5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// A Cartesian topology.
    Cartesian,
    /// A graph that every rank knows completely.
    Graph,
    /// A graph of which each rank knows its own neighbours.
    DistributedGraph,
    /// The communicator has no virtual topology.
    Undefined,
}

/// The result of comparing two communicators (MPI section 7.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommunicatorRelation {
    /// The same object.
    Identical,
    /// The same processes in the same order.
    Congruent,
    /// The same processes in another order.
    Similar,
    /// The communicators have different processes.
    Unequal,
}

/// Compares two communicators (`MPI_Comm_compare`).
pub(super) fn compare(
    one: &SimpleCommunicator,
    other: &SimpleCommunicator,
) -> CommunicatorRelation {
    let (mine, theirs) = (&one.info, &other.info);
    if mine.id == theirs.id {
        return CommunicatorRelation::Identical;
    }
    let remote = match (&mine.remote, &theirs.remote) {
        (None, None) => GroupRelation::Identical,
        (Some(mine), Some(theirs)) => {
            UserGroup::new(mine.clone(), 0).compare(&UserGroup::new(theirs.clone(), 0))
        }
        _ => GroupRelation::Unequal,
    };
    match one.group().compare(&other.group()).max(remote) {
        GroupRelation::Identical => CommunicatorRelation::Congruent,
        GroupRelation::Similar => CommunicatorRelation::Similar,
        GroupRelation::Unequal => CommunicatorRelation::Unequal,
    }
}
