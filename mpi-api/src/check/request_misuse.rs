//! WT0013: a request is used against its life cycle.

use crate::finding::{CallSite, Code, Finding};

/// Label of the call that made the request.
pub const MADE: &str = "the request is from here";

/// Returns the finding about a request that is `what`, at the present call and the one that made
/// the request.
pub fn of_request(place: CallSite, made: CallSite, what: &str) -> Finding {
    let rank = place.rank;
    let message = format!("rank {rank}: a request is {what}");
    Finding::error(Code::RequestMisuse, message, vec![rank], vec![place, made])
        .note("a persistent request lives create (start complete)* free (MPI 5.0, 3.9)")
        .help("complete the request before starting it again")
}

/// Label of a call that closes a file too early.
pub const CLOSED: &str =
    "the file is closed here while a nonblocking access of this rank is not complete";

/// Returns the finding that a rank closes a file while its own access is under way.
pub fn of_file(place: CallSite) -> Finding {
    let rank = place.rank;
    let message =
        format!("rank {rank}: a file is closed while a nonblocking access is not complete");
    Finding::error(Code::RequestMisuse, message, vec![rank], vec![place])
        .note("all requests of nonblocking accesses are completed before the file is closed (MPI 5.0, 14.2.2)")
        .help("wait for the request before the file is closed")
}
