//! Derived datatypes and packing (MPI: The Complete Reference, chapter 3).

mod maps;
mod markers;
mod matching;
mod packing;
pub(super) mod particle;
mod particles;
mod sections;

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    let parts = [
        maps::rows(),
        sections::rows(),
        particles::rows(),
        matching::rows(),
        markers::rows(),
        packing::rows(),
    ];
    parts.into_iter().flatten().collect()
}
