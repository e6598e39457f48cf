//! Texts of the findings about ranks and threads that wait for ever.

use std::collections::BTreeSet;

use super::{Waiting, is_alone};
use crate::finding::{CallSite, Code, Finding, ranks_text};

pub(super) fn describe(
    name: &str,
    site: &CallSite,
    (all, partners): (bool, &[u32]),
    thread: Option<String>,
) -> String {
    let whom = match partners {
        _ if thread.is_some() => thread.unwrap_or_default(),
        [] => "a message nobody is left to send".to_string(),
        [one] => format!("rank {one}"),
        many if all => format!("all of {}", list(many)),
        many => format!("any of {}", list(many)),
    };
    let call = site.call;
    let size = site.bytes.map_or(String::new(), |bytes| format!(" ({bytes} bytes)"));
    format!("{name} waits in {call}{size} for {whom}")
}

/// Returns the ranks as text, each once.
fn list(ranks: &[u32]) -> String {
    let each: Vec<u32> = ranks.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect();
    ranks_text(&each)
}

pub(super) fn deadlock(waiting: &[Waiting], cycle: &[u32]) -> Finding {
    let members: Vec<&Waiting> = (cycle.iter())
        .filter_map(|process| waiting.iter().find(|w| w.process == *process))
        .collect();
    let made = members.iter().filter_map(|w| w.made.clone());
    let sites = members.iter().map(|w| w.site.clone()).chain(made).collect();
    let threads = members.iter().any(|w| w.threaded);
    let calls = match &members[..] {
        [one] => format!("{} waits for itself", one.name),
        many if threads => {
            let names: Vec<&str> = many.iter().map(|w| w.name.as_str()).collect();
            format!("{} wait for each other in a cycle", names.join(", "))
        }
        many => format!("{} ranks wait for each other in a cycle", many.len()),
    };
    let mut cycle: Vec<u32> = members.iter().map(|w| w.rank).collect();
    cycle.dedup();
    if cycle.len() > 1 && cycle.first() == cycle.last() {
        cycle.pop();
    }
    Finding::error(Code::DeadlockCycle, format!("deadlock: {calls}"), cycle.clone(), sites)
        .cycle(cycle)
        .note(blocked_note(waiting))
        .help("break the cycle: let one rank of it make the other call first")
}

pub(super) fn never(waiting: &[Waiting], lost: &Waiting) -> Finding {
    if lost.parked {
        return never_woken(waiting, lost);
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
    .note(blocked_note(waiting))
    .help("add the missing call on the other side, or correct rank, tag or communicator")
}

/// Returns the finding about a thread that waits outside MPI for something that no other thread of
/// its rank does.
fn never_woken(waiting: &[Waiting], lost: &Waiting) -> Finding {
    let (rank, name, call) = (lost.rank, &lost.name, lost.site.call);
    let left = if is_alone(waiting, lost) {
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
    .note(blocked_note(waiting))
    .help("have another thread of the rank signal, post or unlock what it waits for")
}

/// Returns the finding about a collective that a finished rank has not entered.
pub(super) fn deserted(waiting: &[Waiting], lost: &Waiting, call: &str) -> Finding {
    let rank = lost.rank;
    let missing = list(&lost.partners);
    Finding::error(
        Code::PeerFinished,
        format!("{call} on rank {rank} waits for {missing}, finished without calling it"),
        waiting.iter().map(|w| w.rank).collect(),
        waiting.iter().map(|w| w.site.clone()).collect(),
    )
    .note("a collective operation is called by all ranks of its communicator (MPI 5.0, 6.1)")
    .note(blocked_note(waiting))
    .help(format!("call {call} on all ranks, or on none"))
}

/// Returns the finding about a spawn whose new ranks have ended without initializing MPI.
pub(super) fn stillborn(waiting: &[Waiting], lost: &Waiting) -> Finding {
    let (rank, missing, call) = (lost.rank, list(&lost.partners), lost.site.call);
    Finding::error(
        Code::PeerFinished,
        format!("{call} on rank {rank} waits for {missing}, finished without initializing MPI"),
        waiting.iter().map(|w| w.rank).collect(),
        waiting.iter().map(|w| w.site.clone()).collect(),
    )
    .note("a spawn returns when all new processes have called MPI_Init (MPI 5.0, 11.8.2)")
    .note(blocked_note(waiting))
    .help("call MPI_Init in the program that is started")
}

fn blocked_note(waiting: &[Waiting]) -> String {
    let what = if waiting.iter().any(|w| w.threaded) { "thread" } else { "rank" };
    match waiting.len() {
        1 => format!("nothing can happen any more and 1 {what} is blocked"),
        count => format!("nothing can happen any more and {count} {what}s are blocked"),
    }
}
