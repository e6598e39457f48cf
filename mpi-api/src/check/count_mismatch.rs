//! WT0007: ranks disagree on the amount of data.

use crate::finding::{CallSite, Code, Finding};

/// Returns the label of the call of a rank that sends fewer bytes than it says it expects from each
/// rank.
pub fn own_label(given: u64, needed: u64) -> String {
    format!("sends {given} bytes where {needed} are received")
}

/// Returns the finding that a rank sends fewer bytes than it says it expects from each rank.
pub fn with_itself(place: CallSite, given: u64, needed: u64) -> Finding {
    let (rank, call) = (place.rank, place.call);
    let message = format!("rank {rank} sends {given} bytes in {call} and receives {needed}");
    explained(message, vec![rank], vec![place])
}

/// Returns the labels of two calls that disagree on the size of a block: the receiver's and the
/// sender's.
pub fn block_labels((rank, expected): (u32, u64), (source, sent): (u32, u64)) -> [String; 2] {
    [format!("rank {rank} expects {expected} bytes"), format!("rank {source} sends {sent} bytes")]
}

/// Returns the finding that two ranks disagree on the size of a block.
pub fn of_blocks(receiver: CallSite, sender: CallSite, expected: u64, sent: u64) -> Finding {
    let (call, rank, source) = (receiver.call, receiver.rank, sender.rank);
    let message =
        format!("in {call}, rank {source} sends {sent} bytes where rank {rank} expects {expected}");
    explained(message, vec![rank, source], vec![receiver, sender])
}

fn explained(message: String, ranks: Vec<u32>, sites: Vec<CallSite>) -> Finding {
    Finding::error(Code::CountMismatch, message, ranks, sites)
        .note(
            "what one rank sends is exactly what the other expects: counts and types have to \
             agree (MPI 5.0, 6.1)",
        )
        .help("give all ranks the same counts and types")
}
