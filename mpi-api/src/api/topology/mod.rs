//! Groups, communicators and virtual topologies (MPI chapters 6 and 7).

mod cartesian;
mod communicator;
mod group;
mod packing;
mod process;

pub use cartesian::{CartesianCommunicator, CartesianLayout};
pub use communicator::{
    AnyCommunicator, AsCommunicator, Color, Communicator, CommunicatorRelation, Key,
    SimpleCommunicator, Topology,
};
pub use group::{Group, GroupRelation, SystemGroup, UserGroup};
pub use process::{AnyProcess, Process};

/// A place in a group or communicator.
pub type Rank = i32;

/// The traits of this module.
pub mod traits {
    pub use super::{AsCommunicator, Communicator, Group};
}
