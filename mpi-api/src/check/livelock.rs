//! WT0025: ranks poll for ever for something that cannot come.

use crate::finding::{CallSite, Code, Finding};

/// Returns the label of a rank's poll.
pub fn label(rank: u32) -> String {
    format!("rank {rank} polls here")
}

/// Returns the finding about the ranks that poll, at their present calls.
pub fn of_ranks(polling: Vec<u32>, sites: Vec<CallSite>) -> Finding {
    let message =
        format!("deadlock: {} ranks poll for ever for something that cannot come", polling.len());
    Finding::error(Code::Livelock, message, polling, sites)
        .note("no message is under way and every other rank is blocked or has finished")
        .help("make the matching call before polling, or poll for what was sent")
}
