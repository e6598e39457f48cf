//! Startup, finalize and threads (the MPI draft, chapters 6, 8, 10 and 12).

mod address_space;
mod cancelling;
mod ending;
mod finalizing;
mod launching;
mod queues;
mod spawning;
mod tasks;
mod threads;

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    let parts = [
        address_space::rows,
        finalizing::rows,
        cancelling::rows,
        ending::rows,
        launching::rows,
        spawning::rows,
        threads::rows,
        tasks::rows,
        queues::rows,
    ];
    parts.iter().flat_map(|rows| rows()).collect()
}

const DRAFT: &str = "draft of MPI 4 with several MPI processes in an address space";
