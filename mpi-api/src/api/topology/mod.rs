//! Groups, communicators and virtual topologies (MPI chapters 7 and 8).

mod attribute;
mod attribute_table;
mod cartesian;
mod communicator;
mod duplicate;
mod graph;
mod group;
mod intercommunicator;
mod packing;
mod process;
mod relation;
mod root;
mod simple;
mod split;

pub(crate) use attribute::delete_all;
pub use attribute::{AttributeKey, CommAttribute};
pub(crate) use attribute_table::{Attributes, Lasting};
pub use cartesian::{CartesianCommunicator, CartesianLayout};
pub use communicator::Communicator;
pub use graph::{Adjacency, DistributedGraphCommunicator, Edge, GraphCommunicator};
pub use group::{Group, GroupRelation, SystemGroup, UserGroup};
pub use intercommunicator::{InterCommunicator, MergeOrder};
pub use process::{AnyProcess, Process};
pub use relation::{CommunicatorRelation, Topology};
pub use root::ROOT;
pub use simple::{
    AnyCommunicator, AsCommunicator, SimpleCommunicator, SystemCommunicator, UserCommunicator,
};
pub use split::{Color, Key};
pub(crate) use split::{note_by_node, take_by_node};

/// The number of a process in a group or communicator.
pub type Rank = i32;

/// The traits of this module.
pub mod traits {
    pub use super::{AsCommunicator, CommAttribute, Communicator, Group};
}
