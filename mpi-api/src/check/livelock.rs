//! WT0025: ranks poll for ever for something that cannot come.

use sim_core::words::{count, in_number};

use crate::finding::{CallSite, Code, Finding};

/// Returns the label of a rank's poll.
pub fn label(rank: u32) -> String {
    format!("rank {rank} polls here")
}

/// Returns what a number of ranks does: `1 rank polls`, `3 ranks poll`.
fn ranks_that(count: usize, verb: &str) -> String {
    let ending = if count == 1 { "s" } else { "" };
    format!("{count} {} {verb}{ending}", in_number(count as u64, "rank"))
}

/// Returns the finding about the ranks that poll, at their present calls.
pub fn of_ranks(polling: Vec<u32>, sites: Vec<CallSite>) -> Finding {
    let who = ranks_that(polling.len(), "poll");
    let message = format!("deadlock: {who} for ever for something that cannot come");
    Finding::error(Code::Livelock, message, polling, sites)
        .note("no message is under way and every other rank is blocked or has finished")
        .help("make the matching call before polling, or poll for what was sent")
}

/// Returns the label of a rank's access to a window in which nothing changes.
pub fn looks(rank: u32) -> String {
    format!("rank {rank} looks at a window again and again")
}

/// Returns the finding about ranks that read windows for ever, at their present calls, after so many atomic `looks`.
pub fn of_looking(ranks: Vec<u32>, sites: Vec<CallSite>, looks: u64) -> Finding {
    let who = ranks_that(ranks.len(), "read");
    let message = format!("deadlock: {who} for ever from windows in which nothing changes");
    Finding::error(Code::Livelock, message, ranks, sites)
        .note(format!(
            "no message is under way, every other rank is blocked or has finished, and {} atomic accesses in a row, or \
             eight times as many others, have found the same",
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
