//! WT0010: a message is longer than its receive buffer.

use sim_core::words::in_number;

use crate::finding::{CallSite, Code, Finding};

/// Returns a number of bytes as text.
fn size(bytes: u64) -> String {
    format!("{bytes} {}", in_number(bytes, "byte"))
}

/// Returns a number of bytes, and the verb that follows.
fn bytes_are(bytes: u64) -> String {
    format!("{} {}", size(bytes), if bytes == 1 { "is" } else { "are" })
}

/// Returns the labels of the two calls of a message: the send's and the receive's.
pub fn labels(bytes: u64, room: u64) -> [String; 2] {
    [format!("{} sent here", bytes_are(bytes)), format!("there is room for {}", size(room))]
}

/// Returns the finding about a message, at the place of its receive and of its send.
pub fn of_message(receive: CallSite, send: CallSite, bytes: u64, room: u64) -> Finding {
    let (rank, source) = (receive.rank, send.rank);
    let (bytes, room) = (size(bytes), size(room));
    let message = format!("rank {rank} receives {bytes} from rank {source} into {room}");
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
    [format!("{} sent here", bytes_are(bytes)), format!("{} received here", bytes_are(room))]
}

/// Returns the finding about a partitioned communication.
pub fn of_partitions(receive: CallSite, send: CallSite, bytes: u64, room: u64) -> Finding {
    let (target, source) = (receive.rank, send.rank);
    let bytes = size(bytes);
    let message = format!(
        "a partitioned send of rank {source} has {bytes} and its receive on rank {target} has {room}"
    );
    Finding::error(Code::Truncation, message, vec![target, source], vec![receive, send])
        .note("all partitions of the send together fit into those of the receive (MPI 5.0, 4.2)")
        .help("make partitions times count at least as much at the receiver")
}
