//! Errors that an MPI call raises and no error handler returns: WT0010, WT0011, WT0013, WT0014 and WT0033.

use std::collections::BTreeSet;

use crate::{
    error::{ErrorClass, ErrorHandler, MpiError, Origin},
    finding::{CallPlace, CallSite, Code, Finding, Severity},
};

/// Returns the code of an error that ends the program.
fn code(class: ErrorClass) -> Code {
    match class {
        ErrorClass::Truncate => Code::Truncation,
        ErrorClass::Request => Code::RequestMisuse,
        ErrorClass::Buffer => Code::BufferOverflow,
        ErrorClass::RmaSync => Code::EpochMisuse,
        _ => Code::InvalidArgument,
    }
}

/// What `MPI_UNDEFINED` means as a count.
const UNDEFINED_COUNT: &str = "MPI_Get_count gives MPI_UNDEFINED (-32766) where the bytes of the message are no whole \
                               number of elements of its datatype (MPI 5.0, 3.2.5)";

/// How a count that is `MPI_UNDEFINED` is mended.
const COUNT_BY_ITS_TYPE: &str = "give MPI_Get_count the datatype that the message is sent with, or test its count for \
                                 MPI_UNDEFINED before it is used";

/// What the value of a status that MPI has not set means.
const UNSET_STATUS: &str = "the value is that of a status which MPI has not set: where the flag of a test or probe is \
                            false, its status is undefined (MPI 5.0, 3.7.3 and 3.8.1)";

/// How the use of such a status is mended.
const STATUS_BY_ITS_FLAG: &str = "use the status only where the flag is true";

/// Returns the finding about a call that failed.
fn failed(place: CallSite, error: &MpiError) -> Finding {
    let (rank, call) = (place.rank, place.call);
    let message = format!("{call} on rank {rank} failed with {error}");
    let finding = Finding::error(code(error.class), message, vec![rank], vec![place]);
    match error.origin {
        Some(Origin::UndefinedCount) => finding.note(UNDEFINED_COUNT).help(COUNT_BY_ITS_TYPE),
        Some(Origin::UnsetStatus) => finding.note(UNSET_STATUS).help(STATUS_BY_ITS_FLAG),
        None => finding,
    }
}

/// Returns the finding about a call that failed under an error handler that ends the program.
pub fn fatal(place: CallSite, (error, handler): (&MpiError, ErrorHandler)) -> Finding {
    let name =
        if handler == ErrorHandler::Abort { "MPI_ERRORS_ABORT" } else { "MPI_ERRORS_ARE_FATAL" };
    failed(place, error).note(format!("{name} is in force: an error ends the program"))
}

/// Reports whether an error shows that the call was wrong: others a program may provoke to learn what there is.
pub fn is_of_call(class: ErrorClass) -> bool {
    use ErrorClass::{
        Arg, Assert, Base, Buffer, Comm, Count, Dims, Disp, Group, Locktype, Op, Rank, Request,
        RmaAttach, RmaConflict, RmaRange, RmaSync, Root, Size, Tag, Topology, Truncate, Type, Win,
    };
    matches!(
        class,
        Arg | Assert
            | Base
            | Buffer
            | Comm
            | Count
            | Dims
            | Disp
            | Group
            | Locktype
            | Op
            | Rank
            | Request
            | RmaAttach
            | RmaConflict
            | RmaRange
            | RmaSync
            | Root
            | Size
            | Tag
            | Topology
            | Truncate
            | Type
            | Win
    )
}

/// What follows from an error handler that returns.
const LEFT_TO_PROGRAM: &str = "the error handler leaves it to the program to look at the error code; the call had no effect that it can rely on (MPI 5.0, 9.3)";

/// Returns what is told of a wrong call whose error the program has chosen to handle. Whether it does is not known: many
/// look at the error codes of a few calls only.
pub fn left_to_program(place: CallSite, error: &MpiError) -> Finding {
    failed(place, error).at_most(Severity::Note).note(LEFT_TO_PROGRAM)
}

/// Reports whether a code is one of [`code`].
fn is_raised(code: Code) -> bool {
    matches!(
        code,
        Code::Truncation
            | Code::RequestMisuse
            | Code::BufferOverflow
            | Code::EpochMisuse
            | Code::InvalidArgument
    )
}

/// Reports whether a finding is one of [`left_to_program`].
fn is_left_to_program(finding: &Finding) -> bool {
    is_raised(finding.code) && finding.severity == Severity::Note
}

/// Says in errors which earlier call of the same rank returned an error: a program that does not look at the error code
/// goes on with what the call has not made, and the first error of a rank is a likely reason for the next one.
pub fn point_at_left(findings: &mut Vec<Finding>) {
    let may_follow = |finding: &Finding| {
        let code = finding.code;
        let stands = matches!(code, Code::DeadlockCycle | Code::NeverMatched | Code::Signal);
        finding.severity == Severity::Error && (is_raised(code) || stands)
    };
    let (left, mut rest): (Vec<_>, Vec<_>) = findings.drain(..).partition(is_left_to_program);
    for left in left {
        let concerns = |error: &&mut Finding| {
            may_follow(error) && left.ranks.iter().any(|rank| error.ranks.contains(rank))
        };
        match rest.iter_mut().find(concerns) {
            Some(error) => point_at(error, &left),
            None => {
                let told = told_of_missed(&mut rest, left);
                rest.extend(told);
            }
        }
    }
    *findings = rest;
}

/// Says in an error that a call has returned an error before.
fn point_at(error: &mut Finding, left: &Finding) {
    for place in left.sites.iter().take(1) {
        let label = format!("rank {}: returned an error before that: {}", place.rank, place.label);
        error.sites.push(CallSite { label, ..place.clone() });
    }
    error.notes.push(format!("{}, and {}", left.message, LEFT_TO_PROGRAM));
}

/// Looks for what follows from collective calls that have failed on some ranks only. What else would be told of these calls
/// is not.
pub fn point_at_missed(findings: &mut Vec<Finding>, left: impl Iterator<Item = Finding>) {
    for left in left {
        let told = told_of_missed(findings, left);
        findings.extend(told.filter(|told| told.severity == Severity::Error));
    }
}

/// Says in the errors of ranks that have met others in the wrong collective call which call before it has failed. Where the
/// others wait for a rank that has ended, its failed call is the error, and theirs what follows from it. Returns the
/// finding, unless another one says the same now.
fn told_of_missed(findings: &mut Vec<Finding>, left: Finding) -> Option<Finding> {
    let Some(at) = findings.iter().position(|error| is_missed(&left, error)) else {
        return Some(left);
    };
    if findings[at].code != Code::PeerFinished {
        point_at(&mut findings[at], &left);
        return None;
    }
    let waits = findings.remove(at);
    let call = left.sites.first().map_or("it", |place| place.call);
    let mut left = Finding { severity: waits.severity, ..left };
    left.notes.push(format!("the other ranks wait in {call} for ever"));
    left.sites.extend(waits.sites);
    Some(left)
}

/// Reports whether ranks are in a collective operation that failed on a rank which they wait for, or which has gone on to
/// another one.
fn is_missed(left: &Finding, error: &Finding) -> bool {
    let call = left.sites.first().map(|site| site.call);
    let is_in_it = |site: &CallSite| Some(site.call) == call && !left.ranks.contains(&site.rank);
    if error.code == Code::PeerFinished {
        return error.sites.first().is_some_and(is_in_it);
    }
    is_disagreement(error.code)
        && left.ranks.iter().any(|rank| error.ranks.contains(rank))
        && error.sites.iter().any(is_in_it)
}

/// Reports whether a code says that ranks disagree on the collective operation or its arguments.
fn is_disagreement(code: Code) -> bool {
    matches!(
        code,
        Code::CollectiveMismatch
            | Code::RootMismatch
            | Code::CountMismatch
            | Code::OperatorMismatch
            | Code::TypeMismatch
            | Code::ArgumentMismatch
            | Code::CommunicatorMismatch
    )
}

/// Replaces the ends of ranks that a call has left an error to: the error is why they end themselves, as programs do that
/// look at the error codes of all calls. The last error before the end is taken, but not one after which a rank of `gone_on`
/// has communicated: the program has dealt with it.
pub fn explain_ends(findings: &mut Vec<Finding>, gone_on: &BTreeSet<u32>) {
    let is_end =
        |finding: &Finding| matches!(finding.code, Code::Aborted | Code::ExitCode | Code::Panicked);
    let explains = |left: &Finding, end: &Finding| {
        let mut shared = left.ranks.iter().filter(|rank| end.ranks.contains(rank));
        is_left_to_program(left) && shared.any(|rank| !gone_on.contains(rank))
    };
    let mut at = 0;
    while at < findings.len() {
        if !is_end(&findings[at]) {
            at += 1;
            continue;
        }
        let end = findings.remove(at);
        match findings.iter_mut().rev().find(|left| explains(left, &end)) {
            Some(left) => {
                left.severity = end.severity;
                left.notes.push(end.message);
                left.notes.extend(end.notes);
            }
            None => {
                findings.insert(at, end);
                at += 1;
            }
        }
    }
}

/// Returns the finding about memory of `MPI_Alloc_mem` that a rank frees by another function.
pub fn freed_otherwise(rank: u32, freed: CallPlace, given: CallPlace) -> Finding {
    let message = format!("{} on rank {rank} is given memory of {}", freed.call, given.call);
    let sites = vec![
        CallSite::of(rank, freed, "the memory is freed here".into()),
        CallSite::of(rank, given, "it was allocated here".into()),
    ];
    Finding::error(Code::InvalidArgument, message, vec![rank], sites)
        .note("memory of MPI_Alloc_mem is freed by MPI_Free_mem (MPI 5.0, 9.2)")
        .help("free it by MPI_Free_mem, or allocate it by malloc")
}

/// Returns the finding about a wrong call that returned its error to a program that has chosen no error
/// handler for its files.
pub fn returned(place: CallSite, error: &MpiError) -> Finding {
    failed(place, error)
        .note("files begin with MPI_ERRORS_RETURN: the program goes on without the effect of this call (MPI 5.0, 14.7)")
}
