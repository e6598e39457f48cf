//! Environment, profiling and portability (MPI: The Complete Reference, chapters 7 to 9).

mod library;
mod profiling;
mod program;
mod ring_shift;

pub(super) use library::around_a_library;

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    let parts = [program::rows(), profiling::rows(), ring_shift::rows(), library::rows()];
    parts.into_iter().flatten().collect()
}
