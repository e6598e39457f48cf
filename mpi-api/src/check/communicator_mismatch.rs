//! WT0035: ranks use different communicators, windows or files where they have to use one.

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

/// What a collective operation is an operation of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shared {
    /// A communicator of the program.
    Communicator,
    /// A window.
    Window,
    /// A file.
    File,
}

impl Shared {
    /// Returns the word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Communicator => "communicator",
            Self::Window => "window",
            Self::File => "file",
        }
    }
}

/// Returns the finding that two ranks call the same collective on different communicators, windows or files, as
/// `shared` says, and that each waits for the other; `makers` are the calls that made these.
pub(crate) fn of_collectives(
    (me, other): (Side, Side),
    shared: [Shared; 2],
    makers: impl Iterator<Item = CallSite>,
) -> Finding {
    let [mine, theirs] = shared;
    let (what, whose) = match (mine == theirs).then_some(mine) {
        Some(Shared::Window) => (
            "window",
            "a collective operation on a window is called by all its ranks (MPI 5.0, 6.1, 12.2)",
        ),
        Some(Shared::File) => (
            "file",
            "a collective operation on a file is called by all ranks that have opened it together (MPI 5.0, 6.1, 14.2)",
        ),
        Some(Shared::Communicator) | None => (
            "communicator",
            "a collective operation is called by all ranks of its communicator (MPI 5.0, 6.1)",
        ),
    };
    let mut finding = between(me, other, Code::CommunicatorMismatch).note(whose).help(format!(
        "use the same {what} on all ranks; if both operations are meant, call them in the same order on all ranks"
    ));
    finding.sites.extend(makers);
    finding
}
