//! The safety check: one program under several policies, and what their outcomes together mean.
//!
//! A program is safe if it completes with zero and with unlimited buffering, under synchronising
//! and non-synchronising collectives, and in every match order explored (MPI section 3.5).

use mpi_api::{
    finding::{Code, Finding, Severity, Verdict},
    outcome::{Ending, RunResult},
    settings::{Buffering, Matching, Pool, Settings, Synchronisation},
};
use sim_core::TieBreak;

use crate::scenario::Scenario;

/// One of the runs behind a verdict.
pub struct PolicyRun {
    /// What was varied.
    pub policy: String,
    /// What came out.
    pub result: RunResult,
}

/// How little buffering is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimum {
    /// The same for each rank.
    pub bytes_per_rank: u64,
    /// Summed over ranks, when each gets its own.
    pub total_bytes: u64,
    /// How many ranks need any.
    pub ranks: u32,
    /// Most that one rank filled when it was unlimited.
    pub peak_bytes: u64,
}

/// What the check found.
pub struct Report {
    /// The most severe finding's verdict.
    pub verdict: Verdict,
    /// All findings, most severe first.
    pub findings: Vec<Finding>,
    /// How little buffering is enough, where buffering decides.
    pub minimum: Option<Minimum>,
    /// The runs.
    pub runs: Vec<PolicyRun>,
    /// Whether every match order was explored.
    pub exhaustive: bool,
}

/// Most match orders explored for one buffering policy.
const EXPLORED_MAX: usize = 64;

/// Checks a scenario.
///
/// Order: a fixed list of runs; equal scenarios give equal reports.
pub fn check(scenario: &Scenario) -> Report {
    let mut runs = Vec::new();
    for (name, buffering) in [("zero", Buffering::zero()), ("infinite", Buffering::infinite())] {
        for (suffix, synchronisation) in
            [("", Synchronisation::Least), ("+synchronising", Synchronisation::Full)]
        {
            let settings =
                Settings { buffering: buffering.clone(), synchronisation, ..scenario.settings() };
            runs.push(go(scenario, format!("{name}{suffix}"), settings));
        }
        let ties = Settings {
            buffering: buffering.clone(),
            synchronisation: Synchronisation::Least,
            tie_break: TieBreak::Seeded(scenario.request.seed),
            matching: Matching::Seeded(scenario.request.seed),
            ..scenario.settings()
        };
        runs.push(go(scenario, format!("{name}+seeded"), ties));
    }
    let exhaustive = explore(scenario, &mut runs);
    conclude(scenario, runs, exhaustive)
}

fn go(scenario: &Scenario, policy: String, settings: Settings) -> PolicyRun {
    PolicyRun { policy, result: scenario.run_with(settings) }
}

/// Follows every choice of matches, depth first, as long as the budget lasts.
fn explore(scenario: &Scenario, runs: &mut Vec<PolicyRun>) -> bool {
    let mut exhaustive = true;
    for (name, buffering) in [("zero", Buffering::zero()), ("infinite", Buffering::infinite())] {
        let mut prefix: Vec<u32> = Vec::new();
        for count in 0.. {
            if count == EXPLORED_MAX {
                exhaustive = false;
                break;
            }
            let settings = Settings {
                buffering: buffering.clone(),
                synchronisation: Synchronisation::Least,
                matching: Matching::Explore(prefix.clone()),
                ..scenario.settings()
            };
            let run = go(scenario, format!("{name}+order{count}"), settings);
            let mut choices = run.result.choices.clone();
            if count > 0 || !choices.is_empty() {
                runs.push(run);
            }
            while choices.last().is_some_and(|choice| choice.taken + 1 >= choice.alternatives) {
                choices.pop();
            }
            let Some(last) = choices.last_mut() else { break };
            last.taken += 1;
            prefix = choices.iter().map(|choice| choice.taken).collect();
        }
    }
    exhaustive
}

fn conclude(scenario: &Scenario, runs: Vec<PolicyRun>, exhaustive: bool) -> Report {
    let mut findings: Vec<Finding> = Vec::new();
    let stalled = |name: &str| {
        runs.iter().find(|run| run.policy.starts_with(name) && run.result.ending == Ending::Stalled)
    };
    let mut minimum = None;
    match (stalled("infinite"), stalled("zero")) {
        (Some(run), _) => findings.extend(run.result.findings.iter().cloned()),
        (None, Some(run)) => {
            let enough = smallest(scenario, &run.policy, peak(&runs));
            findings.extend(run.result.findings.iter().map(|f| buffering(f, enough)));
            minimum = Some(enough);
        }
        (None, None) => {}
    }
    for run in runs.iter().filter(|run| run.result.ending != Ending::Stalled) {
        for finding in &run.result.findings {
            if findings.iter().all(|known| known.code != finding.code) {
                findings.push(finding.clone());
            }
        }
    }
    findings.sort_by_key(Finding::verdict);
    let verdict = findings.first().map_or(Verdict::Ok, Finding::verdict);
    Report { verdict, findings, minimum, runs, exhaustive }
}

fn peak(runs: &[PolicyRun]) -> u64 {
    let infinite = runs.iter().filter(|run| run.policy.starts_with("infinite"));
    infinite
        .flat_map(|run| run.result.ranks.iter().map(|rank| rank.peak_buffered))
        .max()
        .unwrap_or(0)
}

/// Turns the deadlock of the zero-buffering run into what it means.
fn buffering(finding: &Finding, minimum: Minimum) -> Finding {
    let Minimum { bytes_per_rank, total_bytes, ranks, .. } = minimum;
    let mut finding = finding.clone();
    finding.code = Code::BufferingDependence;
    finding.severity = Severity::Error;
    finding.message = format!(
        "the program finishes only if the system buffers messages: {bytes_per_rank} bytes at \
         each rank are enough, or {total_bytes} bytes at {ranks} of them"
    );
    finding.notes.push(
        "a standard send may wait for its receive (MPI 3.4, 3.5); without buffer space these \
         calls wait for each other"
            .into(),
    );
    finding.help = Some(
        "send and receive at once with send_receive_into, or let even ranks send first and odd \
         ranks receive first, or use immediate_send and wait after the receive"
            .into(),
    );
    finding
}

/// The smallest buffering that finishes: equal for all ranks by bisection, then rank by rank.
fn smallest(scenario: &Scenario, policy: &str, peak: u64) -> Minimum {
    let synchronisation = if policy.ends_with("+synchronising") {
        Synchronisation::Full
    } else {
        Synchronisation::Least
    };
    let finishes = |pool: Pool| {
        let buffering = Buffering { eager_limit: u64::MAX, pool };
        let settings = Settings { buffering, synchronisation, ..scenario.settings() };
        scenario.run_with(settings).ending == Ending::Completed
    };
    let (mut short, mut enough) = (0, peak.max(1));
    while enough - short > 1 {
        let middle = short + (enough - short) / 2;
        if finishes(Pool::Bytes(middle)) {
            enough = middle;
        } else {
            short = middle;
        }
    }
    let size = scenario.request.ranks as usize;
    let mut each = vec![enough; size];
    let mut block = size.next_power_of_two();
    while block > 0 && size / block <= 512 {
        for start in (0..size).step_by(block) {
            let range = start..(start + block).min(size);
            if each[range.clone()].iter().all(|bytes| *bytes == 0) {
                continue;
            }
            let mut fewer = each.clone();
            fewer[range].fill(0);
            if finishes(Pool::PerRank(fewer.clone().into())) {
                each = fewer;
            }
        }
        block /= 2;
    }
    Minimum {
        bytes_per_rank: enough,
        total_bytes: each.iter().sum(),
        ranks: each.iter().filter(|bytes| **bytes > 0).count() as u32,
        peak_bytes: peak,
    }
}
