//! Groups, communicators, caching, intercommunicators (MPI: The Complete Reference, chapter 5).

mod groups;
mod intercommunicators;
mod multicast;
mod multicast_library;
mod split;

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    let parts = [groups::rows(), split::rows(), multicast::rows(), intercommunicators::rows()];
    parts.into_iter().flatten().collect()
}
