//! Environment, profiling, portability (MPI: The Complete Reference, chapters 7 to 9).

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    Vec::new()
}
