//! WT0033: a window is used against the order of its epochs.

use crate::finding::{CallSite, Code, Finding};

/// Label of the call that opened the epoch that is in the way.
pub const OPENED: &str = "the epoch is from here";

/// Returns the finding that a call does not fit the epochs of its window, with the call that opened
/// the epoch in its way.
pub fn of_call(place: CallSite, opened: Option<CallSite>, what: &str) -> Finding {
    let rank = place.rank;
    let message = format!("rank {rank}: {what}");
    let mut sites = vec![place];
    sites.extend(opened);
    let mut ranks: Vec<u32> = sites.iter().map(|site| site.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    Finding::error(Code::EpochMisuse, message, ranks, sites)
        .note(
            "an access belongs to an epoch, which MPI_Win_fence, MPI_Win_start or a lock opens; each \
             epoch ends with the call that belongs to it (MPI 5.0, 12.5)",
        )
        .help("open and close epochs in pairs, and access the window only in between")
}
