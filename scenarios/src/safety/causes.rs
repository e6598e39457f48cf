//! Findings that follow from others: one fault is told once, by its cause.

use std::collections::BTreeSet;

use mpi_api::{
    call::Site,
    check::{request_leak, unreceived_message},
    finding::{CallSite, Code, Finding},
};

/// Removes findings that follow from others, which say what they lead to.
pub(super) fn explain(findings: &mut Vec<Finding>) {
    explain_strikes(findings);
    explain_foreign_memory(findings);
    explain_accesses(findings);
    explain_waiting_senders(findings);
    explain_thread_misuse(findings);
    put_accesses_first(findings);
}

/// Returns the line of a call, if it is known.
fn place(call: &CallSite) -> Option<Site> {
    call.site.map(same_place)
}

/// Returns the line of the first call of a finding.
fn first_place(finding: &Finding) -> Option<Site> {
    finding.sites.first().and_then(place)
}

/// Returns the line of a call without the calls that led to it or, without debug information, the
/// call itself.
fn same_place(site: Site) -> Site {
    if site.line > 0 { Site::at(site.file, site.line, site.column) } else { site }
}

/// Returns the fault of a finding: of a race, what it leads to.
fn fault_of(finding: &Finding) -> Code {
    finding.outcome.unwrap_or(finding.code)
}

/// Returns whether two findings of different runs or ranks are the same fault: the same code at the
/// same first line, or at the same set of lines.
pub(super) fn same(one: &Finding, other: &Finding) -> bool {
    one.code == other.code && is_at_places_of(one, other)
}

/// Returns whether a race leads to a fault, which other executions find without a choice.
pub(super) fn leads_to(race: &Finding, fault: &Finding) -> bool {
    race.outcome == Some(fault.code) && is_at_places_of(race, fault)
}

fn is_at_places_of(one: &Finding, other: &Finding) -> bool {
    let places = |finding: &Finding| {
        finding.sites.iter().map(|site| site.site.map(same_place)).collect::<Vec<_>>()
    };
    let (mut mine, mut theirs) = (places(one), places(other));
    let first = mine.first() == theirs.first();
    mine.sort_unstable();
    theirs.sort_unstable();
    // A store whose line is not known is the one of another execution that knows it.
    let less = one.code == Code::WindowRace && other.sites.len() == 1;
    let within = less && theirs.iter().all(|place| mine.contains(place));
    // Where a program without an end is ended says nothing about it, whatever decides that it has none.
    let endless = [one, other].map(fault_of) == [Code::LimitReached; 2];
    first || mine == theirs || within || endless || is_same_loop(one, other)
}

/// Reports whether in both findings the same ranks poll in the same functions: which call of a loop each is in when it is seen
/// to go on for ever is chance.
fn is_same_loop(one: &Finding, other: &Finding) -> bool {
    let functions = |finding: &Finding| -> BTreeSet<(&str, &str)> {
        let sites = finding.sites.iter().filter_map(|call| call.site);
        sites.map(|site| (site.file, site.function())).collect()
    };
    let are_known = functions(one).iter().all(|(file, _)| !file.is_empty());
    [one, other].map(fault_of) == [Code::Livelock; 2]
        && one.ranks == other.ranks
        && are_known
        && functions(one) == functions(other)
}

/// Removes signals that struck a program which uses memory behind its buffers, or releases the buffer of an operation:
/// where it is struck says nothing about the fault.
fn explain_strikes(findings: &mut Vec<Finding>) {
    if !findings.iter().any(|finding| finding.code == Code::Signal) {
        return;
    }
    let causes = [
        (Code::ShortBuffer, "memory outside of its objects is used"),
        (Code::BufferConflict, "the memory of a buffer is released"),
    ];
    let mut known = causes.into_iter().filter_map(|(code, why)| {
        Some((findings.iter().position(|finding| finding.code == code)?, why))
    });
    if let Some((cause, why)) = known.next() {
        let note = format!("a signal struck the program in some executions, as it may when {why}");
        findings[cause].notes.push(note);
        findings.retain(|finding| finding.code != Code::Signal);
    }
}

/// Removes what follows from a buffer that is not all in the program's memory: that it overlaps another buffer of its call,
/// and accesses to it, which whoever the rest belongs to makes.
fn explain_foreign_memory(findings: &mut Vec<Finding>) {
    let is_short = |finding: &&Finding| finding.code == Code::ShortBuffer;
    let short: Vec<_> = findings.iter().filter(is_short).filter_map(first_place).collect();
    findings.retain(|finding| {
        let follows = first_place(finding).is_some_and(|place| short.contains(&place));
        !matches!(finding.code, Code::BufferOverflow | Code::BufferConflict) || !follows
    });
}

/// Reports whether a finding is about an access of the program itself to the buffer of an operation, or its release.
fn is_access(finding: &Finding) -> bool {
    let is_call = |call: &CallSite| call.site.is_some_and(|site| site.call().is_some());
    finding.code == Code::BufferConflict && !finding.sites.iter().skip(1).any(is_call)
}

/// Puts the program's own accesses to a buffer before calls that use it, too: memory that is released too early is given
/// out again, to whom another call may write.
fn put_accesses_first(findings: &mut [Finding]) {
    let is_use = |finding: &Finding| finding.code == Code::BufferConflict && !is_access(finding);
    for at in 0..findings.len() {
        if !is_use(&findings[at]) {
            continue;
        }
        let calls: Vec<Site> = findings[at].sites.iter().filter_map(place).collect();
        let of_owner = |finding: &Finding| {
            is_access(finding) && first_place(finding).is_some_and(|owner| calls.contains(&owner))
        };
        if let Some(behind) = findings[at..].iter().position(of_owner) {
            findings[at..=at + behind].rotate_right(1);
        }
    }
}

/// Removes accesses of the program to the buffer of an operation that is never completed: until then the buffer is not the
/// program's.
fn explain_accesses(findings: &mut Vec<Finding>) {
    let (accesses, mut others): (Vec<_>, Vec<_>) =
        std::mem::take(findings).into_iter().partition(is_access);
    for access in accesses {
        let owner = |lost: &&mut Finding| {
            lost.code == Code::RequestLeak
                && first_place(lost).is_some()
                && first_place(lost) == first_place(&access)
        };
        match others.iter_mut().find(owner) {
            Some(lost) => request_leak::add_access(lost, &access),
            None => others.push(access),
        }
    }
    *findings = others;
}

/// Removes that a program depends on buffering where the only senders that wait without it are those of messages which
/// nothing receives: whoever waits besides waits for them.
fn explain_waiting_senders(findings: &mut Vec<Finding>) {
    let (dependences, mut others): (Vec<_>, Vec<_>) = std::mem::take(findings)
        .into_iter()
        .partition(|finding| finding.code == Code::BufferingDependence);
    for waits in dependences {
        let lost = |finding: &&mut Finding| finding.code == Code::UnreceivedMessage;
        let is_lost = |send: &CallSite| {
            others.iter().any(|finding| {
                finding.code == Code::UnreceivedMessage
                    && finding.ranks.contains(&send.rank)
                    && finding.sites.iter().any(|known| is_of_line(send, known))
            })
        };
        // A call that waits for a send is elsewhere than the send.
        let waits_for_lost = |call: &CallSite| {
            let is_same = |send: &&CallSite| (send.rank, send.message) == (call.rank, call.message);
            waits.sites.iter().filter(is_same).any(is_lost)
        };
        let mut senders = waits.sites.iter().filter(|call| call.message.is_some()).peekable();
        if senders.peek().is_some() && senders.all(waits_for_lost) {
            for finding in others.iter_mut().filter(lost) {
                unreceived_message::add_waiting_sender(finding, &waits);
            }
        } else {
            others.push(waits);
        }
    }
    *findings = others;
}

/// Reports whether a rank sends a message at the line where `known` sends one, which is this message if it is of the same
/// rank: of several ranks, or several messages of a rank, a finding names the first.
fn is_of_line(send: &CallSite, known: &CallSite) -> bool {
    place(send).is_some()
        && place(send) == place(known)
        && (send.rank != known.rank || send.message == known.message)
}

/// Removes what follows where two threads of a rank are in MPI at the same time: that ranks disagree about collective operations
/// that these threads call, and that one of the calls uses the buffer of the other.
fn explain_thread_misuse(findings: &mut Vec<Finding>) {
    let is_misuse = |finding: &&Finding| finding.code == Code::ThreadMisuse;
    let calls = findings.iter().filter(is_misuse).flat_map(|finding| &finding.sites);
    let misused: Vec<_> = calls.filter_map(place).collect();
    if misused.is_empty() {
        return;
    }
    findings.retain(|finding| {
        let is_disagreement = matches!(
            fault_of(finding),
            Code::CollectiveMismatch
                | Code::RootMismatch
                | Code::CountMismatch
                | Code::OperatorMismatch
        );
        let follows = is_disagreement || finding.code == Code::BufferConflict;
        let is_misused = |call: &CallSite| place(call).is_some_and(|at| misused.contains(&at));
        !(follows && finding.sites.iter().all(is_misused))
    });
}

#[cfg(test)]
mod tests {
    use mpi_api::{
        call::Place,
        check::buffer_conflict::{Owner, Pending, Touch, shared, touched},
        finding::CallPlace,
    };

    use super::*;

    #[test]
    fn a_release_comes_before_the_calls_that_are_given_the_memory() {
        let at = |line| Site::at("a.c", line, 1);
        let call = |call, line| CallPlace {
            call,
            site: at(line).of(Place::kept(call, "main", Box::default())),
        };
        let pending = |line| Pending { kind: Owner::Communication, by: call("MPI_Isend", line) };
        let send = pending(3);
        let receive = shared(0, call("MPI_Recv", 6), send, None);
        let release = touched(0, send, Touch::Frees, Some(at(4)));
        let other = shared(0, call("MPI_Recv", 9), pending(8), None);
        let mut found = vec![other.clone(), receive.clone(), release.clone()];
        explain(&mut found);
        assert_eq!(found, [other, release, receive]);
    }
}
