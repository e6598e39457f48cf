//! The safety check: runs one program under several policies and derives a verdict from the
//! outcomes.
//!
//! A program is safe if it completes with zero and with unlimited buffering, under synchronising
//! and non-synchronising collectives, and in every match order explored (MPI section 3.5).

mod budget;
mod buffering;
mod causes;
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
mod watched;

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
    finding::{Code, Finding, Verdict},
    outcome::RunResult,
    settings::{CollectiveSynchronization, Matching, OneSided, Polls, Progress, Settings},
};
use sim_core::TieBreak;
use workers::{Stop, Workers};

use self::{
    causes::same,
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
    /// Reports whether the program accesses watched memory more often than a check looks at.
    pub fn is_watched_in_part(&self) -> bool {
        self.runs.iter().any(|run| run.result.watched_in_part)
    }

    /// Returns the number of executions in which the order of atomic accesses to windows and of locks is drawn. That of messages
    /// is explored, that of these is not.
    pub fn drawn_window_orders(&self) -> usize {
        let is_drawn = |run: &&PolicyRun| {
            run.result.competes && matches!(run.settings.matching, Matching::Seeded(_))
        };
        self.runs.iter().filter(is_drawn).count()
    }

    /// Returns a bound for the probability that the drawn executions miss a fault which some outcomes of this many
    /// choices lead to, with the buffering for which it is largest; see [`Followed::missed`].
    pub fn missed(&self, choices: u32) -> f64 {
        let each = self.followed.iter().map(|(_, followed)| followed.missed(choices));
        each.fold(0.0, f64::max)
    }
}

/// Number of seeded orders of simultaneous events for each buffering policy.
const SEEDS: u64 = 2;

/// Number of further seeded orders for programs that poll or use windows: in each is drawn how often polls that could succeed fail,
/// and the order of atomic accesses and locks.
const MORE_SEEDS: u64 = 14;

/// Number of these for programs with threads that do neither: in each is drawn whether threads that wake others continue
/// before them.
const THREAD_SEEDS: u64 = 6;

/// Most events of a program for which those are made.
const EVENTS_OF_ORDERS_MAX: u64 = 1 << 18;

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
    if runs.iter().all(|run| run.result.events <= EVENTS_OF_ORDERS_MAX) {
        let more = SEEDS..SEEDS + more_seeds(&runs);
        let more = more.map(|round| seeded(scenario, Space::Infinite, round)).collect();
        runs.extend(executions.run(more));
    }
    let watches = watched::wanted(&runs);
    runs.extend(watched::ordinary(&executions, &watches, &runs));
    let late = late_runs(scenario, &runs);
    runs.extend(executions.complete(&mut foreseen, late));
    runs.extend(watched::late(&executions, &watches, &runs));
    let followed = explore(&executions, &mut foreseen, budget, &mut runs);
    runs.extend(watched::in_orders(&executions, &watches, &runs));
    let report = conclude(&executions, runs, least);
    Report {
        exhaustive: followed.iter().all(|(_, space)| space.all) && report.stopped.is_none(),
        followed,
        ..report
    }
}

/// Returns how many further seeded orders a program is worth that has made these executions.
fn more_seeds(runs: &[PolicyRun]) -> u64 {
    let any = |has: fn(&RunResult) -> bool| runs.iter().any(|run| has(&run.result));
    if any(|result| result.competes || result.polled) {
        MORE_SEEDS
    } else if any(|result| result.reverses_threads) {
        THREAD_SEEDS
    } else {
        0
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

/// Runs the one execution that the scenario's schedule describes, with `workers`, and of a compiled program again with its
/// memory watched and its buffers compared. Their findings decide the verdict.
pub fn check_schedule(scenario: &Scenario, schedule: &Schedule, workers: &Workers) -> Report {
    let executions = Executions::new(scenario, workers);
    let policy = Policy::Varied(schedule.space(), Variation::Scheduled);
    let settings = scenario.settings();
    let mut runs: Vec<PolicyRun> =
        executions.run_one(policy, settings.clone()).into_iter().collect();
    runs.extend(watched::scheduled(&executions, (schedule.space(), &settings), &runs));
    runs.iter_mut().for_each(|run| executions.tell_length(run));
    let stopped = workers.stopped();
    let mut findings: Vec<Finding> = Vec::new();
    for finding in runs.iter().flat_map(|run| &run.result.findings) {
        match findings.iter_mut().find(|known| same(known, finding)) {
            Some(known) if finding.severity < known.severity => *known = finding.clone(),
            Some(_) => {}
            None => findings.push(finding.clone()),
        }
    }
    report(findings, None, runs, stopped)
}

/// Sorts the findings of a check; the most severe one gives the verdict, and violations of the standard come before what is
/// only fragile.
fn report(
    mut findings: Vec<Finding>,
    minimum: Option<Minimum>,
    runs: Vec<PolicyRun>,
    stopped: Option<Stop>,
) -> Report {
    let is_cause = |finding: &Finding| finding.code.spoils_data();
    let causes = findings.iter().filter(|finding| is_cause(finding));
    let cause = causes.map(Finding::verdict).filter(|verdict| *verdict != Verdict::Ok).min();
    // What a call writes beyond its argument may be the variable that a loop depends on.
    let overwrites = findings.iter().any(|finding| finding.code == Code::ShortBuffer);
    let follows = |code: Code| code.is_end_of_program() || overwrites && code.is_without_end();
    let verdict = |finding: &Finding| match cause {
        Some(cause) if follows(finding.code) => cause,
        _ => finding.verdict(),
    };
    findings.sort_by_key(|finding| (finding.severity, verdict(finding), !is_cause(finding)));
    let verdict = findings.first().map_or(Verdict::Ok, Finding::verdict);
    let followed = Vec::new();
    Report { verdict, findings, minimum, runs, followed, exhaustive: false, stopped }
}

/// Returns the executions that every check begins with.
fn basic(scenario: &Scenario) -> Vec<(Policy, Settings)> {
    let mut wanted = Vec::new();
    for space in Space::BOTH {
        for (variation, synchronisation) in [
            (Variation::Plain, CollectiveSynchronization::Minimal),
            (Variation::Synchronising, CollectiveSynchronization::Full),
        ] {
            let mut settings = Settings { synchronisation, ..settings_with(space, scenario) };
            // One execution tells what a program's buffers are: that in which most calls are made.
            settings.environment.compares_buffers =
                space == Space::Infinite && variation == Variation::Plain;
            wanted.push((Policy::Varied(space, variation), settings));
        }
        wanted.extend((0..SEEDS).map(|round| seeded(scenario, space, round)));
    }
    wanted
}

/// Returns an execution in which the order of what is simultaneous is drawn, that of accesses to windows, and how often
/// polls fail.
fn seeded(scenario: &Scenario, space: Space, round: u64) -> (Policy, Settings) {
    let seed = scenario.request.seed.wrapping_mul(SEEDS + MORE_SEEDS).wrapping_add(round);
    let settings = Settings {
        tie_break: TieBreak::Seeded(seed),
        matching: Matching::Seeded(seed),
        ..settings_with(space, scenario)
    };
    (Policy::Varied(space, Variation::Seeded(round)), settings)
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
