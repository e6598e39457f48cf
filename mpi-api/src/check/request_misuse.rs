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

/// Returns the labels of a call that disconnects a communicator too early, and of the operation that is not complete then.
pub fn disconnect_labels() -> [String; 2] {
    [
        "the communicator is disconnected here while an operation on it is not complete".to_owned(),
        "this operation is not complete".to_owned(),
    ]
}

/// Returns the finding that a rank disconnects a communicator (the first of the sites) before it has completed an
/// operation on it (the second).
pub fn of_disconnect(sites: [CallSite; 2]) -> Finding {
    let rank = sites[0].rank;
    let message = format!(
        "rank {rank}: a communicator is disconnected while an operation on it is not complete"
    );
    Finding::error(Code::RequestMisuse, message, vec![rank], sites.into())
        .note("all communication on a communicator is completed before it is disconnected (MPI 5.0, 11.10.4)")
        .help("wait for the request before the communicator is disconnected")
}

/// Returns the label of a call that does something to a file too early; `done` is such as `closed`.
pub fn label_of_file(done: &str) -> String {
    format!("the file is {done} here while an access of this rank is not complete")
}

/// Returns the label of the access that is not complete then.
pub fn label_of_access() -> String {
    "this access is not complete".to_owned()
}

/// Returns the finding that a rank does something to a file (the first of the sites) while an access of its own (the
/// second) is in progress, which the standard forbids in `section`; `done` is such as `closed`.
pub fn of_file(sites: [CallSite; 2], done: &str, section: &str) -> Finding {
    let rank = sites[0].rank;
    let message = format!("rank {rank}: a file is {done} while an access to it is not complete");
    Finding::error(Code::RequestMisuse, message, vec![rank], sites.into())
        .note(format!(
            "nonblocking and split accesses are completed before the file is {done} (MPI 5.0, {section})"
        ))
        .help(format!(
            "wait for the request, or end the split access, before the file is {done}"
        ))
}
