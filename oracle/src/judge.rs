//! The properties that a run, and the report of the safety check, must have.

use std::collections::BTreeSet;

use mpi_api::{
    finding::{Code, Verdict},
    outcome::{Ending, RunResult},
    settings::{Buffering, CollectiveSynchronization, Matching, Pool, Settings},
};
use scenarios::{
    safety::{Policy, Report, Space, Variation},
    scenario::Scenario,
};
use sim_core::{SimTime, TieBreak};

use super::{
    plan::{Fault, Plan, Step, Wrong},
    reference::Expected,
};

/// Checks the result of a single run.
///
/// # Errors
/// Returns a description of the first wrong result.
pub(super) fn judge(plan: &Plan, result: &RunResult, settings: &Settings) -> Result<(), String> {
    if let Some(difference) = result.declared.get(1) {
        return Err(format!("{} differences: {difference}", result.declared.len() - 1));
    }
    let first = result.findings.first().map(|finding| finding.code);
    let stuck = result.ending == Ending::Stalled || first == Some(Code::Livelock);
    let completed = result.ending == Ending::Completed && result.findings.is_empty();
    let failed = |code| result.ending == Ending::Failed && first == Some(code);
    let completed_with = |code| {
        result.ending == Ending::Completed
            && result.findings.iter().all(|finding| finding.code == code)
    };
    let allowed = match plan.fault {
        // Operations of the interpretation own copies of their buffers.
        None | Some(Fault::Window(Wrong::Buffers)) => completed,
        // A run reports what happens to overlap.
        Some(Fault::Window(Wrong::Order)) => completed_with(Code::WindowRace),
        // Uses of memory are told in some runs only.
        Some(Fault::Window(Wrong::Stored)) => completed_with(Code::EpochMisuse),
        Some(Fault::Window(Wrong::Epochs)) => failed(Code::EpochMisuse),
        Some(Fault::SendCycle | Fault::AcrossBarrier) => match &settings.buffering {
            free if *free == Buffering::infinite() => completed,
            none if *none == Buffering::zero() => stuck,
            _ => stuck || completed,
        },
        Some(Fault::Crossed) if settings.synchronisation == CollectiveSynchronization::Full => {
            stuck
        }
        Some(Fault::Stolen | Fault::Crossed) => stuck || completed,
        Some(Fault::SynchronousCycle | Fault::ReceiveCycle | Fault::Missing(_)) => stuck,
        Some(Fault::Short) => failed(Code::Truncation),
        Some(Fault::Mistyped) => failed(Code::TypeMismatch),
    };
    if !allowed {
        let said: Vec<&str> = result.findings.iter().map(|one| one.message.as_str()).collect();
        return Err(format!("{:?} with {said:?}", result.ending));
    }
    if completed { accounts(result, settings) } else { Ok(()) }
}

/// Checks that the activities of each rank add up to its time, and that no pool holds more than its
/// size.
fn accounts(result: &RunResult, settings: &Settings) -> Result<(), String> {
    for (rank, totals) in (0..).zip(&result.ranks) {
        let late = settings.late.filter(|(late, _)| *late == rank).map(|(_, delay)| delay);
        let start = SimTime::ZERO + late.unwrap_or_default();
        let spent = start + totals.compute + totals.overhead + totals.waiting;
        if spent != totals.finish {
            return Err(format!("rank {rank} accounts for {spent:?} of {:?}", totals.finish));
        }
        let room = match &settings.buffering.pool {
            Pool::Unlimited | Pool::ByChoice => u64::MAX,
            Pool::Bytes(bytes) => *bytes,
            Pool::PerRank(list) => list[rank as usize],
        };
        if totals.peak_buffered > room {
            return Err(format!("rank {rank} holds {} of {room} bytes", totals.peak_buffered));
        }
    }
    let sent: (u64, u64) = result
        .ranks
        .iter()
        .fold((0, 0), |(messages, bytes), rank| (messages + rank.messages, bytes + rank.bytes));
    if sent != (result.messages, result.bytes) {
        return Err(format!("{sent:?} instead of {} and {}", result.messages, result.bytes));
    }
    Ok(())
}

/// Checks the report of the safety check.
///
/// # Errors
/// Returns a description of the first wrong result.
pub(super) fn conclude(
    plan: &Plan,
    expected: &Expected,
    scenario: &Scenario,
    report: &Report,
) -> Result<(), String> {
    for run in &report.runs {
        if let Some(difference) = run.result.declared.get(1) {
            return Err(format!("{}: {difference}", run.policy));
        }
    }
    let wanted = match plan.fault {
        None | Some(Fault::Window(Wrong::Buffers)) => Verdict::Ok,
        Some(Fault::Window(wrong)) => verdict_of(wrong),
        Some(Fault::SendCycle | Fault::AcrossBarrier) => Verdict::Buffering,
        Some(Fault::Stolen) if report.verdict == Verdict::Ok && !report.exhaustive => return Ok(()),
        Some(Fault::Short | Fault::Mistyped) => Verdict::ParameterMatching,
        // Whether some order completes depends on what else competes.
        Some(Fault::Stolen) if report.verdict == Verdict::MessageRace => return Ok(()),
        // Ranks that call alike collectives in another order are in them on different communicators.
        Some(Fault::Crossed) if report.verdict == Verdict::ParameterMatching => return Ok(()),
        Some(_) => Verdict::Deadlock,
    };
    if report.verdict != wanted {
        let said: Vec<String> =
            report.findings.iter().map(|f| format!("{}: {}", f.code.name(), f.message)).collect();
        let (is, should) = (report.verdict.word(), wanted.word());
        return Err(format!("{is} instead of {should}: {said:?}"));
    }
    match wanted {
        Verdict::Buffering => enough(plan, scenario, report),
        Verdict::Ok if report.exhaustive => all_orders(expected, report),
        _ => Ok(()),
    }
}

/// Returns the verdict of a check on a wrong use of windows.
pub(crate) fn verdict_of(wrong: Wrong) -> Verdict {
    match wrong {
        Wrong::Epochs | Wrong::Stored => Verdict::EpochLifecycle,
        Wrong::Buffers => Verdict::LocalConcurrency,
        Wrong::Order => Verdict::GlobalConcurrency,
    }
}

/// Checks that an exhaustive exploration found every order that is possible.
fn all_orders(expected: &Expected, report: &Report) -> Result<(), String> {
    for space in Space::BOTH {
        let of_order = |policy: &Policy| match policy {
            Policy::Varied(of, Variation::Order(_)) => *of == space,
            Policy::Varied(..) | Policy::Watched(..) | Policy::Search => false,
        };
        let runs = report.runs.iter().filter(|run| of_order(&run.policy));
        let found: BTreeSet<&String> = runs.filter_map(|run| run.result.declared.first()).collect();
        let (found, all) = (found.len() as u64, expected.orders());
        if all > 1 && found != all {
            return Err(format!("{found} of {all} orders are explored as {space}+order"));
        }
    }
    Ok(())
}

/// Checks that the smallest buffering is enough, and that less is not.
fn enough(plan: &Plan, scenario: &Scenario, report: &Report) -> Result<(), String> {
    // Without space for the smallest message of the cycle, the cycle stays blocked.
    let least = plan.planted.iter().map(|id| plan.messages[*id].sent_from.bytes().max(1)).min();
    let (Some(least), Some(minimum)) = (least, report.minimum) else {
        return Err("no minimum is told".into());
    };
    if minimum.bytes_per_rank < least || minimum.total_bytes < least || minimum.ranks < 1 {
        return Err(format!("{minimum:?} for a cycle whose smallest message has {least} bytes"));
    }
    let ending = |bytes, tie_break| {
        let buffering = Buffering { eager_limit: u64::MAX, pool: Pool::Bytes(bytes) };
        let settings = Settings {
            buffering,
            tie_break,
            matching: Matching::Arrival,
            synchronisation: CollectiveSynchronization::Minimal,
            ..scenario.settings()
        };
        scenario.run_with(settings).ending
    };
    for tie_break in [TieBreak::InsertionOrder, TieBreak::Seeded(1), TieBreak::Seeded(2)] {
        if ending(minimum.bytes_per_rank, tie_break) != Ending::Completed {
            return Err(format!("{minimum:?} is not enough with {tie_break:?}"));
        }
    }
    let wild = plan
        .steps
        .iter()
        .any(|step| matches!(step, Step::Burst(_) | Step::Post(_) | Step::Serve(_)));
    let less = ending(minimum.bytes_per_rank - 1, TieBreak::InsertionOrder);
    if !wild && less == Ending::Completed {
        return Err(format!("less than {minimum:?} is enough"));
    }
    Ok(())
}
