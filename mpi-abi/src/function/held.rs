//! [`Held`]: the arrays of arguments that a persistent collective operation was given; see `guard`.

use mpi_api::finding::CallPlace;

use super::transfer::Parts;

/// Arrays of counts and displacements, which belong to MPI from the initialization of a persistent collective
/// operation until its request is freed (MPI 5.0, 2.4.1).
pub(crate) struct Held {
    pub(super) arrays: Parts,
    /// Digest of their contents when the operation was made.
    pub(super) digest: u64,
    /// The call that has made the operation.
    pub(super) by: CallPlace,
}
