//! WT0021: a limit ended the run.

use std::time::Duration;

use sim_core::words::count;

use crate::finding::{CallSite, Code, Finding, Severity};

/// Returns the finding about a run that reached its limit of `what`, with the ranks that had not ended and the last
/// calls of some of them.
pub fn of_run(what: &str, ranks: Vec<u32>, last: Vec<CallSite>) -> Finding {
    let text = format!("the run was ended by its limit of {what}");
    Finding::error(Code::LimitReached, text, ranks, last).note(LAST_CALLS)
}

/// Says which calls a finding about a run that was ended shows.
const LAST_CALLS: &str = "the calls shown are the last ones that the ranks made";

/// Adds to the finding about an execution of a check that it had this many events, where others end after at most `longest`,
/// which is 0 if none has ended.
pub fn explain(finding: &mut Finding, events: u64, longest: u64) {
    let events = count(events);
    if longest > 0 {
        finding.notes.push(format!(
            "it was ended after {events} events; executions that end by themselves have at most {}",
            count(longest)
        ));
        return;
    }
    finding.notes.push(format!("it was ended after {events} events, with no end in sight"));
    let help = "look for what is to end it; if it is only long, check a smaller problem, or allow more (`--max-events`)";
    finding.help.get_or_insert_with(|| help.into());
}

/// Adds to the finding about an execution of a check that was stopped how long it had computed, where others take at most
/// `longest`.
pub fn explain_time(finding: &mut Finding, took: Duration, longest: Duration) {
    let seconds = |time: Duration| format!("{:.3} s", time.as_secs_f64());
    finding.notes.push(format!(
        "it had taken {} of processor time without an end; executions that end by themselves take at most {}",
        seconds(took),
        seconds(longest)
    ));
    let help = "look for what is to end the loop in the line of the rank that was running";
    finding.help.get_or_insert_with(|| help.into());
}

/// Adds to the finding about an execution without an end that those with another buffering end.
pub fn with_one_buffering(finding: Finding) -> Finding {
    finding.note(
        "with another amount of buffering it ends; a standard send may wait for its receive, or not (MPI 5.0, 3.4, 3.5)",
    )
}

/// Returns the finding about a run in which a rank has sent this many messages that another one has not
/// received, with their last calls.
pub fn flooded((source, target): (u32, u32), count: u64, places: [Option<CallSite>; 2]) -> Finding {
    let text =
        format!("rank {source} has sent {count} messages that rank {target} has not received");
    let sites = places.into_iter().flatten().collect();
    Finding::error(Code::LimitReached, text, vec![source, target], sites)
        .note("the execution was ended: no system has room for ever more messages")
        .help("receive them, or let the sender wait for an answer now and then")
}

/// Returns the label of the last call of a rank.
pub fn was_here(rank: u32) -> String {
    format!("rank {rank} was here")
}

/// Returns the finding about a run that was stopped from outside, with the ranks that had not
/// ended and the last calls of some of them.
pub fn interrupted(ranks: Vec<u32>, last: Vec<CallSite>) -> Finding {
    let text = "the run was stopped before its end, by a signal or by --max-wall";
    Finding::error(Code::LimitReached, text, ranks, last).note(LAST_CALLS)
}

/// Returns the finding about a check that was stopped before it could reach a verdict.
pub fn too_few(made: usize, least: usize) -> Finding {
    let message = format!("the check was stopped after {made} of its {least} first executions");
    Finding::error(Code::LimitReached, message, Vec::new(), Vec::new())
        .note("nothing was found in them, but they are too few to call the program safe")
        .help("give it more time (--max-wall), or a smaller problem")
}

/// Returns the finding about an execution that the system refused.
pub fn refused(why: &str) -> Finding {
    let message = format!("the system refused an execution: {why}");
    Finding::error(Code::LimitReached, message, Vec::new(), Vec::new())
        .help("give it more memory or processes (`ulimit -a`)")
}

/// Returns the note about an execution that watches memory and was ended by this finding, which no other execution
/// has.
pub fn unwatched(ended_by: &Finding) -> Finding {
    let message = "accesses to memory that operations use were looked for in part only";
    Finding::error(Code::LimitReached, message, ended_by.ranks.clone(), ended_by.sites.clone())
        .at_most(Severity::Note)
        .note(format!("the execution that looks for them was ended: {}", ended_by.message))
        .note("no other execution was ended by that, so that it may be a fault of the simulator")
}

/// Returns the finding about an execution that was stopped.
pub fn stopped() -> Finding {
    let message = "an execution had no time to end";
    Finding::error(Code::LimitReached, message, Vec::new(), Vec::new())
}
