//! The safety check: runs one program under several policies and derives a verdict from the
//! outcomes.
//!
//! A program is safe if it completes with zero and with unlimited buffering, under synchronising
//! and non-synchronising collectives, and in every match order explored (MPI section 3.5).

mod budget;
mod buffering;
mod execution;
mod explore;
mod late;
mod order;
mod policy;
mod schedule;

pub use self::{
    budget::Budget,
    execution::broken_off,
    explore::Followed,
    policy::{Policy, Space, Variation},
    schedule::Schedule,
};
use mpi_api::{
    call::Site,
    check::{limit_reached, message_race, window_race},
    finding::{CallSite, Code, Finding, Verdict},
    outcome::{Chosen, Ending, RunResult},
    settings::{
        Buffering, Environment, Matching, OneSided, Polls, Settings, Synchronisation, Watched,
    },
};
use sim_core::TieBreak;
use workers::{Stop, Workers};

use self::{
    buffering::{depends, smallest},
    execution::Executions,
    explore::{explore, shorter},
    late::{late_runs, peak},
};
use crate::scenario::Scenario;

/// One of the executions behind a verdict.
pub struct PolicyRun {
    /// What was varied.
    pub policy: Policy,
    /// Settings of the execution.
    pub settings: Settings,
    /// Result of the execution.
    pub result: RunResult,
    /// The last part of what the process printed; empty if executions share a process.
    pub output: String,
}

impl PolicyRun {
    /// Returns whether the run reached a state without further progress: all ranks blocked, or
    /// polling forever.
    fn is_stuck(&self) -> bool {
        self.result.ending == Ending::Stalled
            || self.result.findings.iter().any(|finding| finding.code == Code::Livelock)
    }
}

impl PolicyRun {
    /// Returns whether the run completed without findings.
    fn is_clean(&self) -> bool {
        self.result.ending == Ending::Completed && self.result.findings.is_empty()
    }

    /// Returns whether this run shows that `failed` need not have failed: it completed, or got
    /// stuck at another place although only orders were different.
    fn shows_another_way(&self, failed: &Self) -> bool {
        self.result.ending == Ending::Completed
            || self.is_stuck()
                && self.settings.buffering == failed.settings.buffering
                && self.settings.synchronisation == failed.settings.synchronisation
    }
}

/// The smallest buffering that is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimum {
    /// Bytes per rank if all ranks have the same amount.
    pub bytes_per_rank: u64,
    /// Bytes summed over ranks if each rank has its own amount.
    pub total_bytes: u64,
    /// Number of ranks that need any buffering.
    pub ranks: u32,
    /// Most bytes that one sending rank occupied when space was unlimited, over the runs behind the
    /// verdict and runs in which one rank starts only when the others cannot progress. Observed in
    /// an execution, so never larger than the true worst case.
    pub peak_bytes: u64,
}

/// The result of a safety check.
pub struct Report {
    /// Verdict of the most severe finding.
    pub verdict: Verdict,
    /// All findings, the most severe first.
    pub findings: Vec<Finding>,
    /// Smallest buffering that is enough, if the program depends on buffering.
    pub minimum: Option<Minimum>,
    /// Executions behind the verdict.
    pub runs: Vec<PolicyRun>,
    /// How far match orders were explored, with each buffering.
    pub followed: Vec<(Space, Followed)>,
    /// Whether every match order was explored.
    pub exhaustive: bool,
    /// Why the check was stopped early, if it was: the verdict then rests on the executions made
    /// until then.
    pub stopped: Option<Stop>,
}

/// Number of seeded orders of simultaneous events for each buffering policy.
const SEEDS: u64 = 2;

/// Most output lines of a failed execution that a finding shows.
const PRINTED_MAX: usize = 8;

/// Checks a scenario. All executions run in this process, one after the other.
///
/// Later executions see what earlier ones left in static variables, files and the like.
///
/// Order: a fixed list of runs; equal scenarios give equal reports.
pub fn check(scenario: &Scenario) -> Report {
    check_with(scenario, &Workers::in_process(), Budget::Usual)
}

/// Checks a scenario with `workers`, which run the executions. Match orders are explored within the
/// budget.
///
/// Order: as in [`check`], however many executions run at once, unless the budget is a time.
pub fn check_with(scenario: &Scenario, workers: &Workers, budget: Budget) -> Report {
    let executions = Executions { scenario, workers };
    let wanted = basic(scenario);
    let least = wanted.len();
    let mut runs = executions.run(wanted);
    if workers.stopped().is_some() {
        return conclude(&executions, runs, least);
    }
    if runs.iter().any(|run| run.result.polled) {
        runs.extend(executions.run(reluctant(scenario)));
    }
    if runs.iter().any(|run| run.result.one_sided) {
        runs.extend(executions.run(late_accesses(scenario)));
    }
    if runs.iter().any(|run| run.result.owns) {
        runs.extend(watched_run(&executions, Watched::Owned, Code::BufferConflict));
    }
    if runs.iter().any(|run| run.result.one_sided && run.result.owns) {
        runs.extend(watched_run(&executions, Watched::Windows, Code::WindowRace));
    }
    let late = executions.run(late_runs(scenario, &runs));
    runs.extend(late);
    let followed = explore(&executions, budget, &mut runs);
    let report = conclude(&executions, runs, least);
    Report {
        exhaustive: followed.iter().all(|space| space.all) && report.stopped.is_none(),
        followed: Space::BOTH.into_iter().zip(followed).collect(),
        ..report
    }
}

/// Runs the one execution that the scenario's schedule describes, with `workers`. Its findings decide
/// the verdict.
pub fn check_schedule(scenario: &Scenario, schedule: &Schedule, workers: &Workers) -> Report {
    let executions = Executions { scenario, workers };
    let policy = Policy::Varied(schedule.space(), Variation::Scheduled);
    let runs: Vec<PolicyRun> =
        executions.run_one(policy, scenario.settings()).into_iter().collect();
    let stopped = workers.stopped();
    let findings: Vec<Finding> = runs.iter().flat_map(|run| run.result.findings.clone()).collect();
    report(findings, None, runs, stopped)
}

/// Sorts the findings of a check; the most severe one gives the verdict.
fn report(
    mut findings: Vec<Finding>,
    minimum: Option<Minimum>,
    runs: Vec<PolicyRun>,
    stopped: Option<Stop>,
) -> Report {
    findings.sort_by_key(Finding::verdict);
    let verdict = findings.first().map_or(Verdict::Ok, Finding::verdict);
    let followed = Vec::new();
    Report { verdict, findings, minimum, runs, followed, exhaustive: false, stopped }
}

/// Returns the executions that every check begins with.
fn basic(scenario: &Scenario) -> Vec<(Policy, Settings)> {
    let mut wanted = Vec::new();
    for space in Space::BOTH {
        let buffering = space.buffering();
        for (variation, synchronisation) in [
            (Variation::Plain, Synchronisation::Least),
            (Variation::Synchronising, Synchronisation::Full),
        ] {
            let settings =
                Settings { buffering: buffering.clone(), synchronisation, ..scenario.settings() };
            wanted.push((Policy::Varied(space, variation), settings));
        }
        for round in 0..SEEDS {
            let seed = scenario.request.seed.wrapping_mul(SEEDS).wrapping_add(round);
            let ties = Settings {
                buffering: buffering.clone(),
                synchronisation: Synchronisation::Least,
                tie_break: TieBreak::Seeded(seed),
                matching: Matching::Seeded(seed),
                ..scenario.settings()
            };
            wanted.push((Policy::Varied(space, Variation::Seeded(round)), ties));
        }
    }
    wanted
}

/// Returns executions in which the first test or probe that could succeed is reported as
/// unsuccessful.
fn reluctant(scenario: &Scenario) -> Vec<(Policy, Settings)> {
    let settings = |space: Space| {
        let settings = Settings {
            buffering: space.buffering(),
            synchronisation: Synchronisation::Least,
            polls: Polls::Reluctant,
            ..scenario.settings()
        };
        (Policy::Varied(space, Variation::Polls), settings)
    };
    Space::BOTH.into_iter().map(settings).collect()
}

/// Returns executions in which one-sided accesses depart as late as the standard allows.
fn late_accesses(scenario: &Scenario) -> Vec<(Policy, Settings)> {
    let settings = |space: Space| {
        let settings = Settings {
            buffering: space.buffering(),
            synchronisation: Synchronisation::Least,
            one_sided: OneSided::Late,
            ..scenario.settings()
        };
        (Policy::Varied(space, Variation::LateAccesses), settings)
    };
    Space::BOTH.into_iter().map(settings).collect()
}

/// Runs an execution that only looks for accesses of the program to watched memory, whose findings have
/// this code.
fn watched_run(executions: &Executions<'_>, watched: Watched, code: Code) -> Option<PolicyRun> {
    let settings = executions.scenario.settings();
    let environment = Environment { watched, ..settings.environment.clone() };
    let settings = Settings {
        buffering: Buffering::infinite(),
        synchronisation: Synchronisation::Least,
        environment,
        ..settings
    };
    let mut run = executions.run_one(Policy::Watched, settings)?;
    run.result.findings.retain(|finding| finding.code == code);
    Some(run)
}

/// Returns the largest number of ranks of a run, since a program may start some.
fn most_ranks(runs: &[PolicyRun]) -> usize {
    runs.iter().map(|run| run.result.ranks.len()).max().unwrap_or(0)
}

/// Returns whether the run had a choice between several matches.
fn chose(result: &RunResult) -> bool {
    result.choices.iter().any(|choice| choice.alternatives > 1)
}

/// Derives the report from the executions; fewer than `least` are not enough to call a program
/// safe.
fn conclude(executions: &Executions<'_>, mut runs: Vec<PolicyRun>, least: usize) -> Report {
    let stopped = executions.workers.stopped();
    if stopped.is_some() && runs.iter().any(|run| !was_stopped(run)) {
        // An execution that was stopped says nothing about the program.
        runs.retain(|run| !was_stopped(run));
    }
    let mut findings: Vec<Finding> = Vec::new();
    let stalled =
        |space| runs.iter().find(|run| run.policy.space() == Some(space) && run.is_stuck());
    let mut minimum = None;
    match (stalled(Space::Infinite), stalled(Space::Zero)) {
        (Some(_), _) if let Some(run) = stalled_by_choice(&runs) => {
            let is_stall = |finding: &Finding| {
                use Verdict::{CallOrdering, Deadlock, ParameterMatching};
                matches!(finding.verdict(), Deadlock | CallOrdering | ParameterMatching)
            };
            let stall = run.result.findings.iter().find(|finding| is_stall(finding));
            let fewer = stall
                .and_then(|stall| shorter(executions, run, |other: &Finding| same(other, stall)));
            let run = fewer.as_ref().unwrap_or(run);
            findings.extend(run.result.findings.iter().map(|finding| match is_stall(finding) {
                true => scheduled(as_race(run, &runs, finding.clone()), run),
                false => finding.clone(),
            }));
        }
        (Some(run), _) => {
            let always = !runs.iter().any(|run| run.result.ending == Ending::Completed);
            findings.extend(run.result.findings.iter().map(|finding| {
                let mut finding = finding.clone();
                if !always {
                    let note = "other orders of messages or more buffering let it finish";
                    finding.notes.push(note.into());
                    let alike = |other: &&PolicyRun| {
                        other.is_stuck() && other.result.findings.iter().any(|f| same(f, &finding))
                    };
                    let all = std::iter::once(run).chain(runs.iter().filter(alike));
                    let told =
                        all.map(|run| order::notes(&run.result)).find(|told| !told.is_empty());
                    finding.notes.extend(told.unwrap_or_default());
                }
                scheduled(finding, run)
            }));
        }
        (None, Some(run)) => {
            let stalled = (&run.settings, most_ranks(&runs));
            let enough = smallest(executions, stalled, peak(&runs));
            let pairs = executions.pairs(&Matching::Arrival);
            findings.extend(run.result.findings.iter().map(|f| match f.code {
                // A request that was never started is at fault, however much is buffered.
                Code::RequestMisuse => f.clone(),
                _ => depends(f, enough, &pairs),
            }));
            minimum = enough;
        }
        (None, None) => {}
    }
    // Findings of watched executions contain more detail about the same fault.
    let (watched, plain): (Vec<_>, Vec<_>) =
        runs.iter().partition(|run| run.settings.environment.watched != Watched::Nothing);
    let plain = plain.into_iter().filter(|run| !run.is_stuck());
    for run in watched.into_iter().chain(plain) {
        for finding in &run.result.findings {
            let told = racing(run, &runs, finding);
            match findings.iter_mut().find(|known| same(known, &told)) {
                // The ranks of a cycle belong to one run and are not merged.
                Some(known) if known.cycle.is_empty() => known.name_ranks(&told.ranks),
                Some(_) => {}
                None => {
                    let fewer = (told.code == Code::MessageRace)
                        .then(|| shorter(executions, run, |other: &Finding| same(other, finding)));
                    let fewer = fewer.flatten();
                    let run = fewer.as_ref().unwrap_or(run);
                    let again = run.result.findings.iter().find(|other| same(other, finding));
                    let told = racing(run, &runs, again.unwrap_or(finding));
                    let told = seen_in(polling(run, told), run, &runs);
                    findings.push(scheduled(told, run));
                }
            }
        }
    }
    if stopped.is_some() && runs.len() < least && findings.is_empty() {
        findings.push(limit_reached::too_few(runs.len(), least));
    }
    report(findings, minimum, runs, stopped)
}

/// Adds to a finding the schedule of its execution, if that is more than a buffering.
fn scheduled(finding: Finding, run: &PolicyRun) -> Finding {
    let schedule = run.policy.space().map(|space| Schedule::of(space, &run.settings));
    let schedule = schedule.filter(|schedule| !schedule.is_plain());
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
    let has = |other: &&PolicyRun| other.result.findings.iter().any(|f| f.code == finding.code);
    let (count, all) = (runs.iter().filter(has).count(), runs.len());
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

/// Returns the line of a call without the calls that led to it or, without debug information, the
/// call itself.
fn same_place(site: Site) -> Site {
    if site.line > 0 { Site::at(site.file, site.line, site.column) } else { site }
}

/// Returns whether two findings of different runs or ranks are the same fault: the same code at the
/// same first line, or at the same set of lines.
fn same(one: &Finding, other: &Finding) -> bool {
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
    one.code == other.code && (first || mine == theirs || within)
}

/// Returns a call that had a choice of matches: the last one of the failed run, otherwise one of
/// another run.
fn chooser(failed: &PolicyRun, runs: &[PolicyRun]) -> Option<Chosen> {
    let free = |run: &PolicyRun| {
        let choices = run.result.choices.iter().rev();
        choices.filter(|choice| choice.alternatives > 1).find_map(|choice| choice.by)
    };
    free(failed).or_else(|| runs.iter().find_map(free))
}

/// Converts a fault that only some match orders cause to a race: the program relies on an order
/// that MPI does not guarantee.
fn racing(run: &PolicyRun, runs: &[PolicyRun], finding: &Finding) -> Finding {
    let ordered = runs.iter().any(|run| chose(&run.result));
    let polls = |run: &PolicyRun| run.settings.polls == Polls::Reluctant;
    let chosen = ordered || runs.iter().any(polls);
    let reluctant = polls(run) || !ordered;
    let finishes = runs.iter().any(|run| run.result.ending == Ending::Completed);
    let fault = match finding.verdict() {
        Verdict::Error => chosen,
        // Types and sizes are the program's own fault, unless another match was possible.
        Verdict::ParameterMatching => chose(&run.result) || chosen && finishes,
        _ => false,
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

/// Converts a fault that occurs in this run but not in others with the same buffering to a race.
fn as_race(run: &PolicyRun, runs: &[PolicyRun], finding: Finding) -> Finding {
    if run.settings.polls == Polls::Reluctant {
        return message_race::of_polls(finding);
    }
    let by = chooser(run, runs);
    let at_port = by.is_some_and(|by| by.at_port);
    let choice =
        by.map(|by| CallSite::new(by.rank, by.call, by.site.known(), message_race::CHOICE.into()));
    message_race::of_orders(finding, at_port, order::notes(&run.result), choice)
}

/// Returns an execution with unlimited buffering that is stuck although another one with the same
/// buffering and the same synchronisation of collectives completes: a free choice decides.
fn stalled_by_choice(runs: &[PolicyRun]) -> Option<&PolicyRun> {
    let is_like = |run: &&PolicyRun| {
        run.policy.space() == Some(Space::Infinite)
            && run.settings.synchronisation == Synchronisation::Least
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
