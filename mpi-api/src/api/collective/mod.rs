//! Collective operations (MPI chapter 6).

mod communicator;
mod neighborhood;
mod operation;
mod part;
mod persistent;
mod root;
mod rooted;
mod rootless;

pub use communicator::CommunicatorCollectives;
pub(crate) use communicator::synchronise;
pub(crate) use neighborhood::exchange_edges;
pub use neighborhood::{NeighborExchange, NeighborRequest, NeighborhoodCollectives, Section};
pub use operation::{
    Operation, RawDatatype, SystemOperation, UnsafeUserFunction, UnsafeUserOperation,
    UserOperation, reduce_local_into,
};
pub use persistent::{PersistentCollectives, PersistentRoot};
pub use root::Root;

/// The traits of this module.
pub mod traits {
    pub use super::{
        CommunicatorCollectives, NeighborhoodCollectives, Operation, PersistentCollectives,
        PersistentRoot, Root,
    };
}
