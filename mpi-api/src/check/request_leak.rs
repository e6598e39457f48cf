//! WT0012: a request is never completed.

use super::leaks::{Left, counted};
use crate::finding::{Code, Finding};

/// Returns the finding about requests that were not completed.
pub(super) fn never_completed(left: &Left<'_>) -> Finding {
    let (who, end) = (left.who(), if left.by_many() { "end" } else { "ends" });
    let what = counted("request", left.count());
    let label = "this request is never completed".to_string();
    left.finding(
        Code::RequestLeak,
        format!("{who} {end} with {what} never completed"),
        ("create", label),
    )
    .warning()
    .help("have the request completed before finalize")
}

/// Adds to the finding about a request that is never completed an access of the program to the buffer of its operation: the
/// request is then as wrong as the access.
pub fn add_access(lost: &mut Finding, access: &Finding) {
    lost.severity = lost.severity.min(access.severity);
    let note = format!("the buffer belongs to MPI until then; {}", access.message);
    if lost.notes.contains(&note) {
        return;
    }
    lost.notes.push(note);
    lost.sites.extend(access.sites.last().cloned());
}

/// Returns the finding about requests of a call that were freed before it was known to be complete.
pub(super) fn freed(left: &Left<'_>, call: &'static str) -> Finding {
    let (who, count) = (left.who(), left.count());
    let finalize = if left.by_many() { "finalize" } else { "finalizes" };
    let calls = if count > 1 { format!(" ({count} calls)") } else { String::new() };
    let label = "its request was freed, so nothing tells when it is complete".to_string();
    left.finding(
        Code::RequestLeak,
        format!("{who} {finalize} before {call} is known to be complete{calls}"),
        (call, label),
    )
    .note("all communication must be complete at finalize (MPI 5.0, 11.2.2)")
    .help("complete the request, or hear from the other side first")
}
