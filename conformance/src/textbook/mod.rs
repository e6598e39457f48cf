//! Allgather, its variants and exercises (Pacheco, Parallel Programming with MPI, chapter 13).

mod cube;
mod exercises;
mod freed;
mod layouts;
mod ring;
mod shift;

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    [ring::rows(), cube::rows(), layouts::rows(), shift::rows(), exercises::rows()]
        .into_iter()
        .flatten()
        .collect()
}
