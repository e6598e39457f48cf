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

/// Adds to the finding about a message that is never received that its sender `waits` where the system does not buffer it.
pub fn add_waiting_sender(finding: &mut Finding, waits: &Finding) {
    let sender = finding.sites.first();
    let own = |call: &&CallSite| sender.is_some_and(|sender| sender.site == call.site);
    let send = waits.sites.iter().find(own);
    // The call that waits comes before the send, if it is another one.
    let waiting = send.and_then(|send| {
        let is_same = |call: &&CallSite| (call.rank, call.message) == (send.rank, send.message);
        waits.sites.iter().find(is_same)
    });
    if let Some(call) = waiting {
        finding.notes.push(format!(
            "without buffering rank {} waits in {} for ever: a standard send may wait for its receive (MPI 5.0, 3.4, 3.5)",
            call.rank, call.call
        ));
    }
}

/// Converts the finding about a message that was taken to that of a deadlock, where ranks wait for ever because of
/// it, however much is buffered.
pub fn as_deadlock(finding: Finding) -> Finding {
    let message = format!("deadlock: {}", finding.message);
    Finding { code: Code::NeverMatched, message, ..finding }
}

/// Returns the finding about a message that a matched probe has taken, so that no other receive can get it.
pub fn of_taken(mut send: CallSite, mut probe: CallSite) -> Finding {
    let (source, rank) = (send.rank, probe.rank);
    let is_compiled = probe.site.is_some_and(|at| at.call().is_some());
    let receive = if is_compiled { "MPI_Mrecv" } else { "matched_receive" };
    let message = format!("rank {rank}: a message that {} has taken is never received", probe.call);
    send.label = format!("rank {source} sends the message here");
    probe.label = format!("this takes the message, which only {receive} can receive then");
    Finding::error(Code::UnreceivedMessage, message, vec![source, rank], vec![probe, send])
        .note("what a matched probe has taken is received with the handle that it returns (MPI 5.0, 3.8.2)")
        .help(format!("call {receive} with the handle of the probe, before the rank waits for anything else"))
}
