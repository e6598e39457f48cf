//! WT0010: a message is longer than its receive buffer.

use crate::finding::{CallSite, Code, Finding};

/// Returns the labels of the two calls of a message: the send's and the receive's.
pub fn labels(bytes: u64, room: u64) -> [String; 2] {
    [format!("{bytes} bytes are sent here"), format!("there is room for {room} bytes")]
}

/// Returns the finding about a message, at the place of its receive and of its send.
pub fn of_message(receive: CallSite, send: CallSite, bytes: u64, room: u64) -> Finding {
    let (rank, source) = (receive.rank, send.rank);
    let message =
        format!("rank {rank} receives {bytes} bytes from rank {source} into {room} bytes");
    Finding::error(Code::Truncation, message, vec![rank, source], vec![receive, send])
        .note("a message longer than its receive buffer is an error (MPI 5.0, 3.2.4)")
        .help("make the receive buffer as long as the longest message")
}

/// Adds to the finding about a message that its types are others than those of the receive, which may be why it is too
/// long; `what` is the first difference.
pub fn with_other_types(finding: Finding, what: &str) -> Finding {
    finding.note(format!("the types differ, too: {what} (MPI 5.0, 3.3.1)")).help(
        "receive with the type the sender uses, and make the buffer as long as the longest message",
    )
}

/// Returns the labels of the two ends of a partitioned communication: the send's and the receive's.
pub fn partition_labels(bytes: u64, room: u64) -> [String; 2] {
    [format!("{bytes} bytes are sent here"), format!("{room} bytes are received here")]
}

/// Returns the finding about a partitioned communication.
pub fn of_partitions(receive: CallSite, send: CallSite, bytes: u64, room: u64) -> Finding {
    let (target, source) = (receive.rank, send.rank);
    let message = format!(
        "a partitioned send of rank {source} has {bytes} bytes and its receive on rank {target} \
         has {room}"
    );
    Finding::error(Code::Truncation, message, vec![target, source], vec![receive, send])
        .note("all partitions of the send together fit into those of the receive (MPI 5.0, 4.2)")
        .help("make partitions times count at least as much at the receiver")
}
