//! WT0009: the types of a send and its receive differ.

use crate::{
    finding::{CallSite, Code, Finding},
    object::signature::Signature,
};

/// Returns the labels of the two calls: the send's and the receive's.
pub fn labels(sent: &Signature, wanted: &Signature) -> [String; 2] {
    [format!("sends {sent}"), format!("receives {wanted}")]
}

/// Returns the finding about a message of other types than its receive, at the place of the receive
/// and of the send; `what` is the first difference.
pub fn of_message(receive: CallSite, send: CallSite, what: &str) -> Finding {
    between(receive, send, what).note("types must be the same at both ends (MPI 5.0, 3.3.1)")
}

/// Returns the finding about a partitioned send of other types than its receive.
pub fn of_partitions(receive: CallSite, send: CallSite, what: &str) -> Finding {
    between(receive, send, what)
        .note("types must be the same at both ends (MPI 5.0, 3.3.1 and 4.2)")
}

fn between(receive: CallSite, send: CallSite, what: &str) -> Finding {
    let (target, source) = (receive.rank, send.rank);
    let message = format!("rank {source} sends other types than rank {target} receives: {what}");
    Finding::error(Code::TypeMismatch, message, vec![target, source], vec![receive, send])
        .help("receive with the type the sender uses")
}
