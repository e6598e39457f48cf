//! [`Owned`]: what a pending operation remembers of the memory that it owns; see `guard`.

use mpi_api::finding::CallPlace;

/// The ownership of memory by a pending operation, with a digest of the data at its start.
pub(crate) struct Owned {
    pub(super) digest: u64,
    /// The call that started the operation.
    pub(super) by: CallPlace,
    /// Number of its first claim; the others follow consecutively.
    pub(super) claims: u64,
}
