//! WT0002: an operation waits for a partner that never comes.

use super::waiting::{Stall, Waiting, is_alone, list};
use crate::finding::{Code, Finding};

/// Returns the finding about one of the ranks or threads that wait, `lost`.
pub(crate) fn never(stall: &Stall, lost: &Waiting) -> Finding {
    if lost.parked {
        return never_woken(stall, lost);
    }
    let partners = if lost.partners.is_empty() {
        "every other rank has finished".into()
    } else {
        format!("{} will not come", list(&lost.partners))
    };
    let (rank, name) = (lost.rank, &lost.name);
    let call = lost.site.call;
    Finding::error(
        Code::NeverMatched,
        format!("deadlock: {call} on {name} waits for a partner that never comes"),
        vec![rank],
        [lost.site.clone()].into_iter().chain(lost.made.clone()).collect(),
    )
    .note(partners)
    .note(stall.note())
    .help("add the missing call on the other side, or correct rank, tag or communicator")
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
