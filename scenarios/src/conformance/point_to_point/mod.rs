//! Sends and receives (MPI: The Complete Reference, chapters 1 and 2).

mod blocking;

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    blocking::rows()
}
