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
