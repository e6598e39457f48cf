//! [`Owned`]: what a pending operation remembers of the memory that it owns; see `guard`.

use mpi_api::call::Site;

/// The ownership of memory by a pending operation, with a digest of the data at its start.
pub(crate) struct Owned {
    pub(super) digest: u64,
    pub(super) site: Site,
    pub(super) call: &'static str,
    /// Number of its first claim; the others follow consecutively.
    pub(super) claims: u64,
}
