//! Communicators (MPI chapters 7 and 8).

use serde::{Deserialize, Serialize};

use super::{CommId, RequestId};
use crate::object::{
    blueprint::Blueprint,
    cart::Cart,
    graph::{Adjacency, Reorder},
    group::Group,
};

/// A call that makes, numbers or frees a communicator.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum CommCall {
    /// `MPI_Comm_dup`; replies `Comm`.
    Duplicate(CommId),
    /// `MPI_Comm_idup`; replies `Request`, whose completion carries the new communicator.
    StartDuplicate(CommId),
    /// `MPI_Comm_create` with the group of members (world ranks): collective over the parent
    /// communicator; replies `Comm`.
    Create(CommId, Group),
    /// `MPI_Comm_create_group` with the group and tag: collective over the members only; replies
    /// `Comm`.
    CreateFromGroup(CommId, Group, i32),
    /// `MPI_Comm_create_from_group` with the group and string tag: collective over the members only; replies `Comm`.
    CreateFromNamedGroup(Group, String),
    /// `MPI_Intercomm_create`; replies `Comm`.
    CreateInter {
        /// The local communicator.
        comm: CommId,
        /// Rank of the local leader in it.
        local_leader: u32,
        /// At the leader: the communicator that contains both leaders, and the remote leader's rank
        /// in it.
        peer: Option<(CommId, u32)>,
        /// Tag that distinguishes concurrent creations.
        tag: i32,
    },
    /// `MPI_Intercomm_merge`, with `high`; replies `Comm`.
    MergeInter(CommId, bool),
    /// `MPI_Comm_split`, with the Cartesian topology the new communicator carries, if any;
    /// replies `Comm`.
    Split {
        /// The parent communicator.
        comm: CommId,
        /// Colour; `None` is `MPI_UNDEFINED`.
        color: Option<u32>,
        /// Key that orders the ranks of one colour.
        key: i32,
        /// Cartesian topology of the new communicator.
        cart: Option<Cart>,
        /// Arguments that all ranks give alike; `None` for `MPI_Comm_split` itself.
        blueprint: Option<Box<Blueprint>>,
    },
    /// Like `Split`, into the ranks that have a place in a topology, which are the first ones, and
    /// the others; the assignment of ranks to places is chosen to suit the network.
    Reorder {
        /// The parent communicator.
        comm: CommId,
        /// Cartesian topology of the new communicator, if it is to have one.
        cart: Option<Cart>,
        /// Communication pattern of the ranks.
        reorder: Box<Reorder>,
        /// Arguments that all ranks give alike.
        blueprint: Option<Box<Blueprint>>,
    },
    /// Asks for the place that `Reorder` would give this rank; replies `Place` without taking
    /// simulated time.
    MapRank(CommId, Box<Reorder>),
    /// `MPI_Comm_free`.
    Free(CommId),
    /// `MPI_Comm_disconnect`: like `Free`, but collective; replies `Data`. With the requests on it that the rank has
    /// not completed, which it should have.
    Disconnect(CommId, Vec<RequestId>),
    /// `MPI_Comm_set_info`, and `MPI_Win_set_info` on the communicator of the window: all ranks make the call, and
    /// none waits for the others; replies `Done`.
    SetInfo(CommId),
}

/// A communicator as one member sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CommInfo {
    /// Identifier of the communicator.
    pub id: CommId,
    /// Rank of the member in it.
    pub rank: u32,
    /// Group of all members; for an intercommunicator, the local group.
    pub group: Group,
    /// The remote group of an intercommunicator.
    pub remote: Option<Group>,
    /// Cartesian topology, if it has one.
    pub cart: Option<Cart>,
    /// Neighbours in a distributed graph topology, if the ranks were reordered.
    pub neighbors: Option<std::rc::Rc<Adjacency>>,
}

/// What the members of a group give beside the group when they construct a communicator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GroupTag {
    /// A tag.
    Number(i32),
    /// A string.
    Text(String),
}
