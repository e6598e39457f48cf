//! WT0003: the program finishes only if the system buffers messages.

use super::signal::bytes_text;
use crate::finding::{CallSite, Code, Finding, Severity};

/// The least buffering with which a program finishes.
#[derive(Clone, Copy, Debug)]
pub struct Enough {
    /// Bytes per rank if all ranks have the same amount.
    pub bytes_per_rank: u64,
    /// Bytes summed over ranks if each rank has its own amount.
    pub total_bytes: u64,
    /// Number of ranks that need any buffering.
    pub ranks: u32,
}

/// Returns the label of a receive that a blocked send waits for and that is never called.
pub fn unreached(rank: u32, call: &str) -> String {
    format!("rank {rank} never reaches this {call}")
}

/// The note on a stall of an execution in which some messages are buffered.
pub const PARTIAL: &str = "this happens only if the system buffers some messages and not others, as it may (MPI 5.0, 3.5): \
     with none buffered these messages do not meet, and with all buffered no rank waits for ever";

/// Converts the deadlock of the run without buffering to the finding that the program depends on
/// buffering. `enough` is `None` if it is not known; `unreached` are receives that are never called.
pub fn of_deadlock(
    deadlock: &Finding,
    enough: Option<Enough>,
    unreached: Vec<CallSite>,
) -> Finding {
    let mut finding = deadlock.clone();
    let is_never_received = finding.cycle.is_empty() && unreached.is_empty();
    finding.sites.extend(unreached);
    finding.code = Code::BufferingDependence;
    finding.severity = Severity::Error;
    let needs = "the program finishes only if the system buffers messages";
    finding.message = match enough {
        Some(Enough { bytes_per_rank, total_bytes, ranks }) => {
            let are = if bytes_per_rank == 1 { "is" } else { "are" };
            let [each, total] = [bytes_per_rank, total_bytes].map(bytes_text);
            format!(
                "{needs}: {each} at each rank {are} enough, or {total} in all at {ranks} of them"
            )
        }
        None => format!("{needs}; the check was stopped before it knew how much is enough"),
    };
    let compiled = finding.sites.iter().any(|site| site.site.is_some_and(|at| at.call().is_some()));
    let [both, start, receive] = if compiled {
        ["MPI_Sendrecv", "MPI_Isend", "MPI_Irecv"]
    } else {
        ["send_receive_into", "immediate_send", "immediate_receive_into"]
    };
    if enough.is_some() && finding.sites.iter().any(|site| site.bytes == Some(0)) {
        finding = finding.note("a message without data takes the space of one byte");
    }
    let waits = "a standard send may wait for its receive (MPI 5.0, 3.4, 3.5)";
    if is_never_received {
        return finding
            .note(format!("{waits}, and nothing receives this message"))
            .help("receive the message before the program ends, or do not send it");
    }
    match finding.cycle.len() {
        1 => finding
            .note(format!("{waits}, which the same rank would call only later"))
            .help(format!(
                "start the receive first ({receive}) and wait for it after the send, or do both at once ({both})"
            )),
        _ => finding
            .note(format!("{waits}; without buffer space these calls wait for each other"))
            .help(format!(
                "send and receive at once ({both}), or let even ranks send first and odd ranks receive \
                 first, or send without blocking ({start}) and wait after the receive"
            )),
    }
}
