//! WT0035: ranks use different communicators where they have to use one.

use super::disagreement::{Side, between};
use crate::finding::{CallSite, Code, Finding};

/// Converts a stall to the finding that a send and its receive use different communicators, which
/// `names` tell.
pub(crate) fn of_messages(
    stall: Finding,
    (mut send, mut receive): (CallSite, CallSite),
    names: [String; 2],
) -> Finding {
    let (from, to) = (send.rank, receive.rank);
    let message =
        format!("rank {from} sends in {} what rank {to} receives in {}", names[0], names[1]);
    send.label = format!("rank {from} sends in {}", names[0]);
    receive.label = format!("rank {to} receives in {}", names[1]);
    let sites = vec![receive, send];
    Finding { code: Code::CommunicatorMismatch, message, sites, ..stall }
        .note("a receive takes only messages of its own communicator (MPI 5.0, 3.2.3, 3.2.4)")
        .help("use the same communicator on both sides")
}

/// Returns the finding that two ranks call the same collective on different communicators, and that
/// each waits for the other.
pub(crate) fn of_collectives(me: Side, other: Side) -> Finding {
    between(me, other, Code::CommunicatorMismatch)
        .note("a collective operation is called by all ranks of its communicator (MPI 5.0, 6.1)")
        .help(
            "use the same communicator on all ranks; if both operations are meant, call them in the \
             same order on all ranks",
        )
}
