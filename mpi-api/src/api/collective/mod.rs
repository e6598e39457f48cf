//! Collective operations (MPI chapter 5).

mod communicator;
mod operation;
mod part;
mod root;
mod rooted;
mod rootless;

pub use communicator::CommunicatorCollectives;
pub use operation::{
    Operation, RawDatatype, SystemOperation, UnsafeUserFunction, UnsafeUserOperation,
    UserOperation, reduce_local_into,
};
pub use root::Root;

/// The traits of this module.
pub mod traits {
    pub use super::{CommunicatorCollectives, Operation, Root};
}
