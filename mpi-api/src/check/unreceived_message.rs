//! WT0016: a message is never received.

use crate::finding::{CallSite, Code, Finding};

/// Returns the label of the send.
pub fn label(target: u32) -> String {
    format!("rank {target} never receives this")
}

/// Returns the finding about a message, at the place of its send.
pub fn of_message(send: CallSite, target: u32) -> Finding {
    let source = send.rank;
    let message = format!("a message from rank {source} to rank {target} is never received");
    Finding::error(Code::UnreceivedMessage, message, vec![source, target], vec![send])
        .note("all communication must be complete at finalize (MPI 5.0, 11.2.2)")
        .help("add the receive, or do not send")
}
