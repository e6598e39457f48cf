//! Groups, communicators, caching, intercommunicators (MPI: The Complete Reference, chapter 5).

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    Vec::new()
}
