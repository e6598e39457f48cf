//! The verdict on the executions of a check.

use mpi_api::{
    check::{
        buffering_dependence, limit_reached, livelock, message_race, unreceived_message,
        window_race,
    },
    finding::{CallSite, Code, Finding, Severity, Verdict},
    outcome::{Among, Chosen, Ending},
    settings::{CollectiveSynchronization, Matching, OneSided, Polls},
};

use super::{
    Minimum, PolicyRun, Report, Space, Variation,
    buffering::{depends, smallest},
    causes::{self, leads_to, same},
    execution::Executions,
    explore::shorter,
    late::peak,
    order, report,
    run::most_ranks,
};

/// Most output lines of a failed execution that a finding shows.
const PRINTED_MAX: usize = 8;

/// Derives the report from the executions; fewer than `least` are not enough to call a program
/// safe.
pub(super) fn conclude(
    executions: &Executions<'_>,
    mut runs: Vec<PolicyRun>,
    least: usize,
) -> Report {
    let stopped = executions.workers.stopped();
    if stopped.is_some() && runs.iter().any(|run| !was_stopped(run)) {
        // An execution that was stopped says nothing about the program, unless it was much longer than others.
        runs.retain(|run| !was_stopped(run) || executions.exceeds(run));
    }
    runs.extend(executions.take_unasked());
    runs.iter_mut().for_each(|run| executions.tell_length(run));
    // What weak progress alone brings about is no choice of matches.
    let only_weak = |run: &PolicyRun| run.policy.varies(Variation::WeakProgress);
    let (weak, mut runs): (Vec<_>, Vec<_>) = runs.into_iter().partition(only_weak);
    let (mut findings, minimum) = of_stalls(executions, &runs);
    // Findings of watched executions contain more detail about the same fault.
    let (watched, plain): (Vec<_>, Vec<_>) = runs.iter().partition(|run| run.watches_memory());
    let plain = plain.into_iter().filter(|run| !run.is_stuck());
    for run in watched.into_iter().chain(plain) {
        for finding in &run.result.findings {
            let told = racing(run, &runs, finding);
            match findings.iter_mut().find(|known| same(known, &told)) {
                Some(known) if told.severity < known.severity => {
                    *known = in_full(executions, (run, finding), &told, &runs);
                }
                // The ranks of a cycle belong to one run and are not merged.
                Some(known) if known.cycle.is_empty() => known.name_ranks(&told.ranks),
                Some(_) => {}
                None => findings.push(in_full(executions, (run, finding), &told, &runs)),
            }
        }
    }
    weak.iter().for_each(|run| add_weak(&mut findings, run));
    runs.extend(weak);
    causes::explain(&mut findings);
    if stopped.is_some() && runs.len() < least && findings.is_empty() {
        findings.push(limit_reached::too_few(runs.len(), least));
    }
    report(findings, minimum, runs, stopped)
}

/// Adds what only an execution with weak progress shows. If a race of accesses was found, other faults are what
/// it leads to.
fn add_weak(findings: &mut Vec<Finding>, run: &PolicyRun) {
    for finding in &run.result.findings {
        if findings.iter().any(|known| same(known, finding) || leads_to(known, finding)) {
            continue;
        }
        let race = findings.iter_mut().find(|known| known.code == Code::WindowRace);
        let follows = !matches!(finding.code, Code::WindowRace | Code::Livelock);
        match race.filter(|_| follows) {
            Some(race) => {
                let text = format!("in the execution `{}`: {}", run.policy, finding.message);
                race.notes.push(text);
            }
            None => findings.push(scheduled(livelock::with_weak_progress(finding.clone()), run)),
        }
    }
}

/// Returns what is found of executions that stall, and the smallest buffering that is enough if they
/// stall without any only.
fn of_stalls(executions: &Executions<'_>, runs: &[PolicyRun]) -> (Vec<Finding>, Option<Minimum>) {
    let stalled =
        |space| runs.iter().find(|run| run.policy.space() == Some(space) && run.is_stuck());
    match (stalled(Space::Infinite), stalled(Space::Zero)) {
        (Some(run), _) => match stalled_by_choice(runs, Space::Infinite) {
            Some(run) => (of_choice(executions, run, runs), None),
            None => (of_deadlock(run, runs), None),
        },
        (None, Some(run)) if is_endless(runs) => (of_deadlock(run, runs), None),
        (None, Some(run)) => {
            let stalled = (&run.settings, most_ranks(runs));
            let enough = smallest(executions, stalled, peak(runs));
            let pairs = executions.pairs(&Matching::Arrival);
            // What the ranks that ended have leaked is told of the executions that complete.
            let leaks = |finding: &&Finding| finding.verdict() == Verdict::ResourceLeak;
            let stalls = run.result.findings.iter().filter(|finding| !leaks(finding));
            let findings = stalls.map(|finding| match is_why_it_stalls(finding) {
                true => depends(finding, enough, &pairs),
                false => finding.clone(),
            });
            (findings.collect(), enough)
        }
        (None, None) => (of_partial_stalls(executions, runs), None),
    }
}

/// Reports whether a finding of an execution that stalls says why it does: for others it plays no part how much is buffered.
fn is_why_it_stalls(finding: &Finding) -> bool {
    let is_of_waiting = matches!(finding.verdict(), Verdict::Deadlock | Verdict::CallOrdering)
        || matches!(finding.code, Code::CommunicatorMismatch | Code::ArgumentMismatch);
    // A message that was taken and never received is at fault itself.
    finding.severity == Severity::Error && is_of_waiting && finding.code != Code::UnreceivedMessage
}

/// Returns what is found of executions that stall if some messages are buffered and others are not, where none
/// stalls with no buffering or with unlimited buffering.
fn of_partial_stalls(executions: &Executions<'_>, runs: &[PolicyRun]) -> Vec<Finding> {
    let is_partial = |run: &&PolicyRun| run.policy.space() == Some(Space::Partial);
    let Some(run) = runs.iter().filter(is_partial).find(|run| run.is_stuck()) else {
        return Vec::new();
    };
    let mut findings = match stalled_by_choice(runs, Space::Partial) {
        Some(run) => of_choice(executions, run, runs),
        None => of_deadlock(run, runs),
    };
    if let Some(first) = findings.first_mut() {
        first.notes.push(buffering_dependence::PARTIAL.into());
    }
    findings
}

/// Returns whether no buffering is enough, because the executions with unlimited buffering had to be ended.
fn is_endless(runs: &[PolicyRun]) -> bool {
    let mut buffered = runs.iter().filter(|run| run.policy.space() == Some(Space::Infinite));
    let is_limited = |run: &PolicyRun| {
        run.result.findings.iter().any(|finding| finding.code == Code::LimitReached)
    };
    buffered.clone().any(is_limited) && !buffered.any(|run| run.result.ending == Ending::Completed)
}

/// Returns the findings of an execution that stalls where others with the same buffering complete.
fn of_choice(executions: &Executions<'_>, run: &PolicyRun, runs: &[PolicyRun]) -> Vec<Finding> {
    let is_stall = |finding: &Finding| {
        use Verdict::{CallOrdering, Deadlock, ParameterMatching};
        matches!(finding.verdict(), Deadlock | CallOrdering | ParameterMatching)
    };
    let stall = run.result.findings.iter().find(|finding| is_stall(finding));
    let fewer =
        stall.and_then(|stall| shorter(executions, run, |other: &Finding| same(other, stall)));
    let run = fewer.as_ref().unwrap_or(run);
    let told = run.result.findings.iter().map(|finding| match is_stall(finding) {
        true => scheduled(as_race(run, runs, finding.clone()), run),
        false => finding.clone(),
    });
    told.collect()
}

/// Says what lets others finish than this execution, which stalls.
fn way_out(run: &PolicyRun, runs: &[PolicyRun]) -> &'static str {
    let (space, plainly) = (run.policy.space(), Variation::Plain);
    let is_alike =
        |other: &PolicyRun| other.policy.varies(plainly) && other.policy.space() == space;
    let synchronises = run.policy.varies(Variation::Synchronising);
    let finishes = |other: &PolicyRun| other.result.ending == Ending::Completed;
    if synchronises && runs.iter().any(|other| is_alike(other) && finishes(other)) {
        return "it finishes if its collective operations do not wait for all ranks, on which a program cannot rely (MPI 5.0, 6.14)";
    }
    "other orders of messages or more buffering let it finish"
}

/// Returns the findings of an execution that stalls, as all with the same buffering and synchronisation
/// do.
fn of_deadlock(run: &PolicyRun, runs: &[PolicyRun]) -> Vec<Finding> {
    let always = !runs.iter().any(|run| run.result.ending == Ending::Completed);
    let told = run.result.findings.iter().map(|finding| {
        // A message that a matched probe has taken keeps ranks waiting, whatever is buffered.
        let mut finding = match finding.code {
            Code::UnreceivedMessage => unreceived_message::as_deadlock(finding.clone()),
            _ => finding.clone(),
        };
        if !always {
            finding.notes.push(way_out(run, runs).into());
            let alike = |other: &&PolicyRun| {
                other.is_stuck() && other.result.findings.iter().any(|f| same(f, &finding))
            };
            let all = std::iter::once(run).chain(runs.iter().filter(alike));
            let told = all.map(|run| order::notes(&run.result)).find(|told| !told.is_empty());
            finding.notes.extend(told.unwrap_or_default());
        }
        scheduled(finding, run)
    });
    told.collect()
}

/// Returns a finding of a run with all that is to be said of it. `told` is the finding as what it is: a
/// race is told of the shortest way to it.
fn in_full(
    executions: &Executions<'_>,
    (run, finding): (&PolicyRun, &Finding),
    told: &Finding,
    runs: &[PolicyRun],
) -> Finding {
    let is_same = |other: &Finding| same(other, finding) && other.severity == finding.severity;
    let is_race = told.code == Code::MessageRace;
    let run = if is_race { in_order(run, runs, is_same) } else { run };
    let fewer = is_race.then(|| shorter(executions, run, is_same)).flatten();
    let run = fewer.as_ref().unwrap_or(run);
    let again = run.result.findings.iter().find(|other| is_same(other));
    let mut told = racing(run, runs, again.unwrap_or(finding));
    if run.watches() && matches!(run.settings.matching, Matching::Explore(_)) {
        told.notes.extend(order::notes(&run.result));
    }
    scheduled(seen_in(polling(run, told), run, runs), run)
}

/// Returns an execution of a listed order with the same finding, if there is one: it tells what was chosen, and can
/// be made shorter. A drawn order tells neither.
fn in_order<'a>(
    run: &'a PolicyRun,
    runs: &'a [PolicyRun],
    is_same: impl Fn(&Finding) -> bool,
) -> &'a PolicyRun {
    let is_drawn = |run: &PolicyRun| match run.settings.matching {
        Matching::Seeded(_) | Matching::Sampled(_) => true,
        Matching::Arrival | Matching::Explore(_) | Matching::Planned(_) => false,
    };
    if !is_drawn(run) {
        return run;
    }
    let listed = runs.iter().filter(|run| matches!(run.settings.matching, Matching::Explore(_)));
    let mut alike = listed.filter(|run| {
        run.result.ending == Ending::Failed && run.result.findings.iter().any(&is_same)
    });
    alike.next().unwrap_or(run)
}

/// Adds to a finding the schedule of its execution, if that is more than a buffering.
fn scheduled(finding: Finding, run: &PolicyRun) -> Finding {
    let schedule = run.schedule().filter(|schedule| !schedule.is_plain());
    Finding { schedule: schedule.map(|schedule| schedule.to_string()), ..finding }
}

/// Returns whether an execution was ended from outside.
fn was_stopped(run: &PolicyRun) -> bool {
    run.result.interrupted
}

/// Adds to a failure of the program itself in which executions it occurred, and what was printed.
fn seen_in(finding: Finding, run: &PolicyRun, runs: &[PolicyRun]) -> Finding {
    if finding.verdict() != Verdict::Error {
        return finding;
    }
    // An execution that watches memory tells nothing else.
    let runs = || runs.iter().filter(|run| !run.watches());
    let has = |other: &&PolicyRun| other.result.findings.iter().any(|f| f.code == finding.code);
    let (count, all) = (runs().filter(has).count(), runs().count());
    let mut finding = finding;
    if (1..all).contains(&count) {
        let text = format!("in {count} of {all} executions, first in `{}`", run.policy);
        finding.notes.push(text);
    }
    let printed = run.output.trim_end();
    if !printed.is_empty() {
        let lines: Vec<&str> = printed.lines().collect();
        let last = lines[lines.len().saturating_sub(PRINTED_MAX)..].join("\n");
        finding.notes.push(format!("it had printed:\n{last}"));
    }
    finding
}

/// Returns a call that had a choice of matches: the last one of the failed run, otherwise of another run
/// that ended like it, otherwise of any.
fn chooser(failed: &PolicyRun, runs: &[PolicyRun]) -> Option<Chosen> {
    let free = |run: &PolicyRun| {
        let choices = run.result.choices.iter().rev();
        choices.filter(|choice| choice.alternatives > 1).find_map(|choice| choice.by)
    };
    let alike = runs.iter().filter(|run| run.result.ending == failed.result.ending);
    free(failed).or_else(|| alike.chain(runs).find_map(free))
}

/// Converts a fault that only some match orders cause to a race: the program relies on an order
/// that MPI does not guarantee.
fn racing(run: &PolicyRun, runs: &[PolicyRun], finding: &Finding) -> Finding {
    if is_without_end(run, finding, runs) {
        return limit_reached::with_one_buffering(finding.clone());
    }
    let ordered = runs.iter().any(PolicyRun::chose);
    let polls = |run: &PolicyRun| run.settings.polls == Polls::Reluctant;
    let threads = run.result.reverses_threads;
    let chosen = ordered || runs.iter().any(polls);
    let reluctant = polls(run) || !ordered && !threads;
    let finishes = runs.iter().any(|run| run.result.ending == Ending::Completed);
    let fault = match finding.verdict() {
        Verdict::Error => chosen || threads,
        // Ranks whose threads run in another order may begin other collective operations.
        Verdict::CallOrdering => threads,
        // Types and sizes are the program's own fault, unless another match was possible.
        Verdict::ParameterMatching => run.chose() || chosen && finishes || threads,
        Verdict::Deadlock
        | Verdict::InvalidArgument
        | Verdict::MessageRace
        | Verdict::Buffering
        | Verdict::RequestLifecycle
        | Verdict::EpochLifecycle
        | Verdict::LocalConcurrency
        | Verdict::GlobalConcurrency
        | Verdict::ResourceLeak
        | Verdict::Ok => false,
    };
    let fault = fault && run.result.ending == Ending::Failed;
    if !fault || !runs.iter().any(|other| other.shows_another_way(run)) {
        return finding.clone();
    }
    match reluctant {
        true => message_race::of_polls(finding.clone()),
        false => as_race(run, runs, finding.clone()),
    }
}

/// Reports whether no execution with the same buffering ends, though others do: it is not an order that decides.
fn is_without_end(run: &PolicyRun, finding: &Finding, runs: &[PolicyRun]) -> bool {
    let ended = |other: &PolicyRun| other.result.ending == Ending::Completed;
    let alike = |other: &&PolicyRun| other.policy.space() == run.policy.space();
    finding.code == Code::LimitReached
        && runs.iter().any(ended)
        && !runs.iter().filter(alike).any(ended)
}

/// Reports whether a program that polls goes wrong in all listed orders with this buffering: what its polls find decides,
/// not which message comes first.
fn polls_decide(run: &PolicyRun, runs: &[PolicyRun]) -> bool {
    let is_listed = |other: &&PolicyRun| {
        matches!(other.settings.matching, Matching::Explore(_))
            && !other.watches()
            && other.policy.space() == run.policy.space()
    };
    let mut listed = runs.iter().filter(is_listed).peekable();
    runs.iter().any(|other| other.settings.polls == Polls::Reluctant)
        && listed.peek().is_some()
        && !listed.any(|other| other.result.ending == Ending::Completed)
}

/// Converts a fault that occurs in this run but not in others with the same buffering to a race.
fn as_race(run: &PolicyRun, runs: &[PolicyRun], finding: Finding) -> Finding {
    if run.settings.polls == Polls::Reluctant || polls_decide(run, runs) {
        return message_race::of_polls(finding);
    }
    let cancels = || runs.iter().find_map(|run| run.result.cancels);
    let by = chooser(run, runs).or_else(cancels);
    // Where nothing else could be chosen, the order of threads or of accesses to windows differs between the executions.
    let otherwise = if runs.iter().any(|run| run.result.reverses_threads) {
        Among::Threads
    } else if runs.iter().any(|run| run.result.competes) {
        Among::Accesses
    } else {
        Among::Messages
    };
    let among = by.map_or(otherwise, |by| by.among);
    let choice = by.map(|by| {
        CallSite::new(by.rank, by.call, by.site.known(), message_race::choice(by.among).into())
    });
    message_race::of_orders(finding, among, order::notes(&run.result), choice)
}

/// Returns an execution with this buffering that is stuck although another one with the same
/// buffering and the same synchronisation of collectives completes: a free choice decides.
fn stalled_by_choice(runs: &[PolicyRun], space: Space) -> Option<&PolicyRun> {
    let is_like = |run: &&PolicyRun| {
        run.policy.space() == Some(space)
            && run.settings.synchronisation == CollectiveSynchronization::Minimal
            && run.settings.one_sided != OneSided::Late
    };
    let alike = || runs.iter().filter(is_like);
    if !alike().any(|run| run.result.ending == Ending::Completed) {
        return None;
    }
    let mut stuck = alike().filter(|run| run.is_stuck());
    let first = stuck.next()?;
    let told =
        std::iter::once(first).chain(stuck).find(|run| !order::notes(&run.result).is_empty());
    Some(told.unwrap_or(first))
}

/// Adds a note to a finding that occurs only if polls are unsuccessful at first, or only if one-sided
/// accesses take effect late.
fn polling(run: &PolicyRun, finding: Finding) -> Finding {
    if run.settings.one_sided == OneSided::Late && finding.verdict() == Verdict::Error {
        return window_race::with_late_accesses(finding);
    }
    if run.settings.polls == Polls::Prompt {
        return finding;
    }
    message_race::with_late_polls(finding)
}
