//! WT0022: a collective waits for a rank that has already finished.

use super::waiting::{Entered, Stall, Waiting, list};
use crate::finding::{CallSite, Code, Finding};

/// Returns the finding about a collective that a finished rank has not entered.
pub(crate) fn deserted(stall: &Stall, lost: &Waiting, entered: Entered) -> Finding {
    let (rank, call) = (lost.rank, entered.call);
    let (without, help) = match entered.persistent {
        true => ("starting it", format!("start the request of {call} on all ranks, or on none")),
        false => ("calling it", format!("call {call} on all ranks, or on none")),
    };
    let missing = list(&lost.partners);
    let place = |waiting: &Waiting| CallSite {
        peer: waiting.site.peer.or(waiting.partners.first().copied()),
        ..waiting.site.clone()
    };
    Finding::error(
        Code::PeerFinished,
        format!("{call} on rank {rank} waits for {missing}, which finished without {without}"),
        stall.waiting.iter().map(|w| w.rank).collect(),
        stall.waiting.iter().map(place).collect(),
    )
    .note("a collective operation is called by all ranks of its communicator (MPI 5.0, 6.1)")
    .note(stall.note())
    .help(help)
}

/// Returns the finding about a spawn whose new ranks have ended without initializing MPI.
pub(crate) fn stillborn(stall: &Stall, lost: &Waiting) -> Finding {
    let (rank, missing, call) = (lost.rank, list(&lost.partners), lost.site.call);
    Finding::error(
        Code::PeerFinished,
        format!(
            "{call} on rank {rank} waits for {missing}, which finished without initializing MPI"
        ),
        stall.waiting.iter().map(|w| w.rank).collect(),
        stall.waiting.iter().map(|w| w.site.clone()).collect(),
    )
    .note("a spawn returns when all new processes have called MPI_Init (MPI 5.0, 11.8.2)")
    .note(stall.note())
    .help("call MPI_Init in the program that is started")
}
