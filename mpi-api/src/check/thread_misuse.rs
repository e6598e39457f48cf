//! WT0028: threads of a rank use MPI in a way that is not allowed.

use crate::finding::{CallSite, Code, Finding};

/// Returns the finding about a rank whose present call, and perhaps that of another thread, breaks
/// a rule; the label of the present call is the text.
pub fn of_rank(place: CallSite, other: Option<CallSite>) -> Finding {
    let rank = place.rank;
    let message = format!("rank {rank}: {}", place.label);
    let sites = [place].into_iter().chain(other).collect();
    Finding::error(Code::ThreadMisuse, message, vec![rank], sites)
        .note("what threads may do is in MPI 5.0, 11.6")
}
