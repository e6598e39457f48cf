//! Point-to-point communication (MPI: The Complete Reference, chapters 1 and 2).

mod blocking;
mod buffering;
mod cancelling;
mod consumers;
mod jacobi;
mod modes;
mod nonblocking;
mod polling;
mod probes;
mod typed;

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    let parts = [
        typed::rows(),
        blocking::rows(),
        buffering::rows(),
        jacobi::rows(),
        consumers::rows(),
        polling::rows(),
        nonblocking::rows(),
        cancelling::rows(),
        probes::rows(),
        modes::rows(),
    ];
    parts.into_iter().flatten().collect()
}
