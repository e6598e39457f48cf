//! WT0002: an operation waits for a partner that never comes.

use super::{
    missing,
    waiting::{Awaits, Stall, Waiting, is_alone, list},
};
use crate::finding::{Code, Finding};

/// Returns the finding about one of the ranks or threads that wait, `lost`.
pub(crate) fn never(stall: &Stall, lost: &Waiting) -> Finding {
    if lost.awaits.is_outside_mpi() {
        return never_woken(stall, lost);
    }
    let whom = match lost.awaits {
        Awaits::Completion => "a request that nothing completes",
        Awaits::Message
        | Awaits::Receive
        | Awaits::Collective(_)
        | Awaits::Births
        | Awaits::Posts
        | Awaits::PostsToIt
        | Awaits::Starts
        | Awaits::StartsForIt
        | Awaits::Completes
        | Awaits::Unlock
        | Awaits::Partitions(_)
        | Awaits::Start
        | Awaits::Thread
        | Awaits::AnyThread
        | Awaits::Other => "a partner that never comes",
    };
    let (rank, name) = (lost.rank, &lost.name);
    let call = lost.site.call;
    let finding = Finding::error(
        Code::NeverMatched,
        format!("deadlock: {call} on {name} waits for {whom}"),
        vec![rank],
        [lost.site.clone()].into_iter().chain(lost.shown.clone()).collect(),
    );
    let finding = match &lost.partners[..] {
        [] if lost.awaits == Awaits::Completion => finding,
        [] => finding.note("every other rank has finished"),
        partners => finding.note(format!("{} will not come", list(partners))),
    };
    let finding = missing::note(lost.awaits).into_iter().fold(finding, Finding::note);
    let help = missing::help(lost.awaits, &lost.partners).unwrap_or_else(|| {
        "add the missing call on the other side, or correct rank, tag or communicator".into()
    });
    finding.note(stall.note()).help(help)
}

/// Returns the finding about a thread that waits outside MPI for something that no other thread of
/// its rank does.
fn never_woken(stall: &Stall, lost: &Waiting) -> Finding {
    let (rank, name, call) = (lost.rank, &lost.name, lost.site.call);
    let left = if is_alone(&stall.waiting, lost) {
        format!("no other thread of rank {rank} is left")
    } else {
        format!("all threads of rank {rank} that are left are blocked")
    };
    Finding::error(
        Code::NeverMatched,
        format!("deadlock: {call} on {name} waits for what no thread does"),
        vec![rank],
        vec![lost.site.clone()],
    )
    .note(left)
    .note(stall.note())
    .help("have another thread of the rank signal, post, unlock or reach what it waits for")
}
