//! The safety check: runs one program under several policies and derives a verdict from the
//! outcomes.
//!
//! A program is safe if it completes with zero and with unlimited buffering, under synchronising
//! and non-synchronising collectives, and in every match order explored (MPI section 3.5).

mod budget;
mod buffering;
mod execution;
mod explore;
mod frontier;
mod late;
mod order;
mod policy;
mod portability;
mod run;
pub(crate) mod schedule;
mod settings;
mod verdict;

pub use self::{
    budget::Budget,
    execution::broken_off,
    explore::Followed,
    order::requests,
    policy::{Policy, Space, Variation},
    portability::portability,
    run::{Minimum, PolicyRun},
    schedule::Schedule,
};
use mpi_api::{
    check::limit_reached,
    finding::{Code, Finding, Verdict},
    outcome::{Ending, RunResult},
    settings::{Matching, OneSided, Polls, Progress, Settings, Synchronisation, Watched},
};
use sim_core::TieBreak;
use workers::{Stop, Workers};

use self::{
    execution::{Executions, Foreseen},
    explore::explore,
    late::late_runs,
    settings::settings_with,
    verdict::conclude,
};
use crate::scenario::Scenario;

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
    /// How far match orders were explored with each buffering: none, unlimited, and, if buffering makes other
    /// matches possible, that of some messages.
    pub followed: Vec<(Space, Followed)>,
    /// Whether every match order was explored.
    pub exhaustive: bool,
    /// Why the check was stopped early, if it was: the verdict then rests on the executions made
    /// until then.
    pub stopped: Option<Stop>,
}

impl Report {
    /// Returns a bound for the probability that the drawn executions miss a fault which some outcomes of this many
    /// choices lead to, with the buffering for which it is largest; see [`Followed::missed`].
    pub fn missed(&self, choices: u32) -> f64 {
        let each = self.followed.iter().map(|(_, followed)| followed.missed(choices));
        each.fold(0.0, f64::max)
    }
}

/// Number of seeded orders of simultaneous events for each buffering policy.
const SEEDS: u64 = 2;

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
    let executions = Executions::new(scenario, workers);
    let wanted = basic(scenario);
    let least = wanted.len();
    let (mut runs, mut foreseen) = begin(&executions, wanted);
    if workers.stopped().is_some() || runs.iter().any(|run| run.result.out_of_memory) {
        return conclude(&executions, runs, least);
    }
    if runs.iter().any(|run| run.result.polled) {
        runs.extend(executions.run(reluctant(scenario)));
    }
    if runs.iter().any(|run| run.result.one_sided) {
        runs.extend(executions.run(late_accesses(scenario)));
        runs.extend(executions.run(weak_progress(scenario)));
    }
    // What a program owned that was struck by a signal is not known.
    let struck = |finding: &Finding| finding.code == Code::Signal;
    let may_own = |run: &PolicyRun| run.result.owns || run.result.findings.iter().any(struck);
    if runs.iter().any(may_own) {
        runs.extend(watched_run(&executions, &runs, Watched::Owned, &[Code::BufferConflict]));
    }
    let uses_windows =
        |run: &PolicyRun| run.result.one_sided && (run.result.owns || run.result.shares);
    if runs.iter().any(uses_windows) {
        let polls = runs.iter().any(|run| run.result.syncs || run.result.polled);
        let watched = Watched::Windows { polls };
        let seen = [Code::WindowRace, Code::EpochMisuse];
        runs.extend(watched_run(&executions, &runs, watched, &seen));
    }
    let late = late_runs(scenario, &runs);
    runs.extend(executions.complete(&mut foreseen, late));
    let followed = explore(&executions, &mut foreseen, budget, &mut runs);
    let report = conclude(&executions, runs, least);
    Report {
        exhaustive: followed.iter().all(|(_, space)| space.all) && report.stopped.is_none(),
        followed,
        ..report
    }
}

/// Makes the first executions, in their order. If the plain ones are clean, others that are wanted later are made with
/// them.
fn begin(
    executions: &Executions<'_>,
    wanted: Vec<(Policy, Settings)>,
) -> (Vec<PolicyRun>, Foreseen) {
    let order: Vec<Policy> = wanted.iter().map(|(policy, _)| *policy).collect();
    let is_plain = |(policy, _): &(Policy, Settings)| policy.varies(Variation::Plain);
    let (plain, others): (Vec<_>, Vec<_>) = wanted.into_iter().partition(is_plain);
    let mut runs = executions.run_plain(plain);
    let mut foreseen = Foreseen::default();
    if runs.iter().all(PolicyRun::is_clean) {
        let late = late_runs(executions.scenario, &runs);
        let orders = Space::BOTH.into_iter().map(|space| explore::first(executions, space));
        let all: Vec<_> = others.iter().cloned().chain(late).chain(orders).collect();
        foreseen = executions.foresee(&all);
    }
    runs.extend(executions.complete(&mut foreseen, others));
    executions.bound(&runs);
    runs.sort_by_key(|run| order.iter().position(|policy| *policy == run.policy));
    (runs, foreseen)
}

/// Runs the one execution that the scenario's schedule describes, with `workers`. Its findings decide
/// the verdict.
pub fn check_schedule(scenario: &Scenario, schedule: &Schedule, workers: &Workers) -> Report {
    let executions = Executions::new(scenario, workers);
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
    // Memory that a call uses wrongly may be the cause of what is found besides.
    findings.sort_by_key(|finding| (finding.verdict(), finding.code != Code::ShortBuffer));
    let verdict = findings.first().map_or(Verdict::Ok, Finding::verdict);
    let followed = Vec::new();
    Report { verdict, findings, minimum, runs, followed, exhaustive: false, stopped }
}

/// Returns the executions that every check begins with.
fn basic(scenario: &Scenario) -> Vec<(Policy, Settings)> {
    let mut wanted = Vec::new();
    for space in Space::BOTH {
        for (variation, synchronisation) in [
            (Variation::Plain, Synchronisation::Least),
            (Variation::Synchronising, Synchronisation::Full),
        ] {
            let mut settings = Settings { synchronisation, ..settings_with(space, scenario) };
            // One execution tells what a program's buffers are: that in which most calls are made.
            settings.environment.compares_buffers =
                space == Space::Infinite && variation == Variation::Plain;
            wanted.push((Policy::Varied(space, variation), settings));
        }
        for round in 0..SEEDS {
            let seed = scenario.request.seed.wrapping_mul(SEEDS).wrapping_add(round);
            let ties = Settings {
                tie_break: TieBreak::Seeded(seed),
                matching: Matching::Seeded(seed),
                ..settings_with(space, scenario)
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
        let settings = Settings { polls: Polls::Reluctant, ..settings_with(space, scenario) };
        (Policy::Varied(space, Variation::Polls), settings)
    };
    Space::BOTH.into_iter().map(settings).collect()
}

/// Returns executions in which one-sided accesses depart as late as the standard allows.
fn late_accesses(scenario: &Scenario) -> Vec<(Policy, Settings)> {
    let settings = |space: Space| {
        let settings = Settings { one_sided: OneSided::Late, ..settings_with(space, scenario) };
        (Policy::Varied(space, Variation::LateAccesses), settings)
    };
    Space::BOTH.into_iter().map(settings).collect()
}

/// Returns an execution in which one-sided accesses are served only while their target is in a call of MPI,
/// unless all are like that.
fn weak_progress(scenario: &Scenario) -> Vec<(Policy, Settings)> {
    let usual = settings_with(Space::Infinite, scenario);
    if usual.progress == Progress::Weak {
        return Vec::new();
    }
    let settings = Settings { progress: Progress::Weak, ..usual };
    vec![(Policy::Varied(Space::Infinite, Variation::WeakProgress), settings)]
}

/// Runs an execution that only looks for accesses of the program to watched memory, whose findings have
/// one of these codes. A note says if it alone fails, since nothing is known of accesses after that.
fn watched_run(
    executions: &Executions<'_>,
    others: &[PolicyRun],
    watched: Watched,
    seen: &[Code],
) -> Option<PolicyRun> {
    let mut settings = settings_with(Space::Infinite, executions.scenario);
    settings.environment.watched = watched;
    let mut run = executions.run_one(Policy::Watched, settings)?;
    let note = fails_alone(&run.result, others);
    run.result.findings.retain(|finding| seen.contains(&finding.code));
    if run.result.findings.is_empty() {
        run.result.findings.extend(note);
    }
    Some(run)
}

/// Returns a note if of these executions only the one that watches memory has failed.
fn fails_alone(watching: &RunResult, others: &[PolicyRun]) -> Option<Finding> {
    let failed = |result: &RunResult| result.ending == Ending::Failed && !result.interrupted;
    let alone = failed(watching) && !others.iter().any(|run| failed(&run.result));
    watching.findings.first().filter(|_| alone).map(limit_reached::unwatched)
}

#[cfg(test)]
mod tests {
    use mpi_api::{check::signal, settings::Buffering};

    use super::*;

    #[test]
    fn a_note_says_if_only_the_execution_that_watches_memory_fails() {
        let killed = RunResult::of_failure(2, signal::killed(11));
        let run = |result: &RunResult| PolicyRun {
            policy: Policy::ORDINARY,
            settings: Settings::free(Vec::new(), Buffering::infinite()),
            result: result.clone(),
            output: String::new(),
        };
        let completed = RunResult { ending: Ending::Completed, ..killed.clone() };
        let note = fails_alone(&killed, &[run(&completed)]).expect("a note");
        assert_eq!(note.verdict(), Verdict::Ok);
        assert!(note.notes[0].ends_with(&killed.findings[0].message), "{:?}", note.notes);
        assert!(fails_alone(&completed, &[run(&completed)]).is_none());
        assert!(fails_alone(&killed, &[run(&completed), run(&killed)]).is_none());
        let stopped = RunResult { interrupted: true, ..killed.clone() };
        assert!(fails_alone(&stopped, &[run(&completed)]).is_none());
    }
}
