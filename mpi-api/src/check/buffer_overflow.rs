//! WT0014: the attached buffer is too small for a buffered send.

use crate::finding::{CallSite, Code, Finding};

/// Returns the label of a send that leaves too little room for the overhead.
pub fn label(bytes: u64, size: u64) -> String {
    format!("{bytes} bytes of data into a buffer of {size} bytes")
}

/// Returns the warning about a message that fits into a buffer that is too small by the standard's
/// rule.
pub fn overhead(place: CallSite, overhead: u64) -> Finding {
    let rank = place.rank;
    let message = format!(
        "rank {rank}: a buffered send leaves less than MPI_BSEND_OVERHEAD ({overhead} bytes) in \
         its buffer"
    );
    Finding::error(Code::BufferOverflow, message, vec![rank], vec![place])
        .note(
            "a buffer holds MPI_BSEND_OVERHEAD bytes besides the data of each message (MPI 5.0, \
             3.6)",
        )
        .help("add MPI_BSEND_OVERHEAD for each message, not a number of bytes")
        .warning()
}
