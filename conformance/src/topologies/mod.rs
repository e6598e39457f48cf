//! Process topologies (MPI: The Complete Reference, chapter 6, and the MPI draft of chapter 7).

mod graphs;
mod grids;
mod matrices;
mod neighbors;
mod poisson;
mod shuffle;
mod skew;

use super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    let parts = [
        grids::rows(),
        skew::rows(),
        graphs::rows(),
        shuffle::rows(),
        matrices::rows(),
        neighbors::rows(),
        poisson::rows(),
    ];
    parts.into_iter().flatten().collect()
}
