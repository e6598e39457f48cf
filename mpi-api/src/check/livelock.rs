//! WT0025: ranks poll for ever for something that cannot come.

use sim_core::words::{count, in_number};

use super::{
    missing::{in_cycle, notes},
    waiting::{Stall, Waiting},
};
use crate::finding::{CallSite, Code, Finding};

/// Maximum number of places where ranks are blocked that a finding shows.
const BLOCKED_PLACES: usize = 3;

/// What ranks poll for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// A message, the end of an operation, or another event.
    Event,
    /// A change of memory, in loops that call nothing.
    Memory,
}

/// Returns the label of a rank's poll.
pub fn label(rank: u32, awaited: Awaited) -> String {
    match awaited {
        Awaited::Event => format!("rank {rank} polls here"),
        Awaited::Memory => format!("rank {rank} loops here until memory changes"),
    }
}

/// Returns what a number of ranks does: `1 rank polls`, `3 ranks poll`.
fn ranks_that(count: usize, verb: &str) -> String {
    let ending = if count == 1 { "s" } else { "" };
    format!("{count} {} {verb}{ending}", in_number(count as u64, "rank"))
}

/// Returns the finding about the ranks that poll, at their present calls, while the others are blocked.
pub(crate) fn of_ranks(
    (polling, awaited): (Vec<u32>, Awaited),
    sites: Vec<CallSite>,
    blocked: &Stall,
) -> Finding {
    let (message, help) = match awaited {
        Awaited::Event => {
            let who = ranks_that(polling.len(), "poll");
            (
                format!("deadlock: {who} for ever for something that cannot come"),
                "make the matching call before polling, or poll for what was sent",
            )
        }
        Awaited::Memory => {
            let who = ranks_that(polling.len(), "loop");
            (
                format!("deadlock: {who} for ever until memory changes that nobody changes"),
                "let another rank or thread change the memory before it waits itself",
            )
        }
    };
    // What a rank lacks that waits for one which polls may be what that polls for.
    let mut waiting = blocked.waiting.iter().filter(|w| waits_for(w, &polling));
    let lacks = waiting.find_map(|w| in_cycle(w.awaits));
    let finding = beside(Finding::error(Code::Livelock, message, polling, sites), blocked);
    finding.help(lacks.unwrap_or(help))
}

/// Reports whether a thread waits for one of `ranks`, which are in ascending order.
fn waits_for(waiting: &Waiting, ranks: &[u32]) -> bool {
    waiting.partners.iter().any(|rank| ranks.binary_search(rank).is_ok())
}

/// Adds where the other ranks are blocked, first those that wait for a rank of the finding, whose ranks are in
/// ascending order.
fn beside(mut finding: Finding, blocked: &Stall) -> Finding {
    if blocked.waiting.is_empty() {
        return finding
            .note("no message is under way that would end this, and no other rank goes on");
    }
    let (for_them, others): (Vec<_>, Vec<_>) =
        blocked.waiting.iter().partition(|w| waits_for(w, &finding.ranks));
    let lacks = notes(&for_them);
    let mut places: Vec<CallSite> = Vec::new();
    for Waiting { site, .. } in for_them.into_iter().chain(others) {
        if !places.iter().any(|place| (place.call, place.site) == (site.call, site.site)) {
            places.push(site.clone());
        }
    }
    places.truncate(BLOCKED_PLACES);
    finding.sites.extend(places);
    let finding = lacks.into_iter().fold(finding, Finding::note);
    finding.note("no message is under way that would end this").note(blocked.note())
}

/// Returns the label of a rank's access to a window in which nothing changes.
pub fn looks(rank: u32) -> String {
    format!("rank {rank} looks at a window again and again")
}

/// Returns the finding about ranks that read windows for ever, at their present calls, after this many atomic `looks`.
pub(crate) fn of_looking(
    ranks: Vec<u32>,
    sites: Vec<CallSite>,
    blocked: &Stall,
    looks: u64,
) -> Finding {
    let who = ranks_that(ranks.len(), "read");
    let message = format!("deadlock: {who} for ever from windows in which nothing changes");
    beside(Finding::error(Code::Livelock, message, ranks, sites), blocked)
        .note(format!(
            "{} atomic accesses in a row, or eight times as many others, have found the same",
            count(looks)
        ))
        .help("let the rank that holds the lock, or sets the flag, do so with an access to the window")
}

/// Returns the label of the place where a rank computes and calls nothing else.
pub fn computes(rank: u32) -> String {
    format!("rank {rank} computes here, and calls no function of MPI")
}

/// Returns the label of the call of a rank whose access waits for its target.
pub fn waits(rank: u32, target: u32) -> String {
    format!("rank {rank} is here; what it asks of rank {target} waits")
}

/// Returns the finding about a rank that computes for ever while accesses to its memory wait for it to
/// call MPI.
pub fn of_computing(rank: u32, sites: Vec<CallSite>) -> Finding {
    let message = format!(
        "deadlock: rank {rank} computes for ever while accesses to its memory wait for it to call MPI"
    );
    let ranks = sites.iter().map(|site| site.rank).collect();
    Finding::error(Code::Livelock, message, ranks, sites)
        .note(WEAK)
        .help("call MPI_Win_sync, MPI_Iprobe or another function of MPI where the rank waits for its memory")
}

/// What a run with weak progress is.
const WEAK: &str = "in this execution one-sided accesses and locks take effect only while their target is in a \
                    call of MPI: programs may not rely on more (MPI 5.0, 12.7.3)";

/// Adds a note to a fault that occurs only if accesses wait for their target.
pub fn with_weak_progress(finding: Finding) -> Finding {
    if finding.notes.iter().any(|note| note == WEAK) { finding } else { finding.note(WEAK) }
}
