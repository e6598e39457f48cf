//! The arguments of a communicator construction that all ranks have to give alike.

use std::rc::Rc;

use super::key::Key;
use crate::{
    call::{CommId, Site},
    object::{blueprint::Blueprint, graph::Adjacency, group::Group},
};

/// The arguments of a communicator construction that other ranks have to give alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConstructionArguments {
    /// No such argument.
    Nothing,
    /// The function that splits the communicator, with the arguments that must be equal; `None` for
    /// `MPI_Comm_split` itself.
    Parts(Option<Box<Blueprint>>),
    /// The members of the new communicator.
    Group(Group),
    /// Whether the ranks of its side come behind those of the other side (`MPI_Intercomm_merge`).
    High(bool),
}

/// The construction arguments of the ranks that have entered.
#[derive(Default)]
pub(crate) struct Agreement {
    /// Construction arguments of the first rank that entered.
    pub(super) parts: Option<Box<Blueprint>>,
    /// For each rank that entered: its world rank, the place of its call, and the group it gave.
    pub(super) groups: Vec<(u32, Site, Group)>,
    /// The same with the neighbours that each rank gave for a distributed graph.
    pub(super) neighbors: Vec<(u32, Site, Rc<Adjacency>)>,
    /// The same for the first rank of each side of an intercommunicator, with what it gave as `high`.
    pub(super) highs: Vec<(u32, Site, bool)>,
}

/// One half of an intercommunicator whose leader waits for the other half.
pub(super) struct Half {
    pub(super) key: Key,
    pub(super) leader: u32,
    pub(super) peer: CommId,
    /// World rank of the leader it waits for.
    pub(super) remote: u32,
    pub(super) tag: i32,
}
