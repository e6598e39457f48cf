//! The safety check: one program under several policies, and what their outcomes together mean.
//!
//! A program is safe if it completes with zero and with unlimited buffering, under synchronising
//! and non-synchronising collectives, and in every match order explored (MPI section 3.5).

use mpi_api::{
    call::Site,
    finding::{CallSite, Code, Finding, Severity, Verdict},
    outcome::{Ending, RunResult},
    settings::{Buffering, Matching, Pool, Settings, Synchronisation},
    trace::Record,
};
use sim_core::{SimDuration, TieBreak};

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
    /// Most that one rank can fill when it is unlimited, its partners being as late as may be.
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

/// Seeded orders of simultaneous events tried for each buffering policy.
const SEEDS: u64 = 2;

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
        for round in 0..SEEDS {
            let seed = scenario.request.seed.wrapping_mul(SEEDS).wrapping_add(round);
            let ties = Settings {
                buffering: buffering.clone(),
                synchronisation: Synchronisation::Least,
                tie_break: TieBreak::Seeded(seed),
                matching: Matching::Seeded(seed),
                ..scenario.settings()
            };
            runs.push(go(scenario, format!("{name}+seeded{round}"), ties));
        }
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
            let peak = worst_peak(scenario, peak(&runs));
            let enough = smallest(scenario, &run.policy, peak);
            let pairs = pairs(scenario);
            findings.extend(run.result.findings.iter().map(|f| buffering(f, enough, &pairs)));
            minimum = Some(enough);
        }
        (None, None) => {}
    }
    for run in runs.iter().filter(|run| run.result.ending != Ending::Stalled) {
        for finding in &run.result.findings {
            let finding = &racing(run, &runs, finding);
            if findings.iter().all(|known| known.code != finding.code) {
                findings.push(finding.clone());
            }
        }
    }
    findings.sort_by_key(Finding::verdict);
    let verdict = findings.first().map_or(Verdict::Ok, Finding::verdict);
    Report { verdict, findings, minimum, runs, exhaustive }
}

/// A fault that only some match orders lead to is a race: the program relies on an order that
/// nobody promised.
fn racing(run: &PolicyRun, runs: &[PolicyRun], finding: &Finding) -> Finding {
    let depends = runs.iter().any(|run| !run.result.choices.is_empty())
        && run.result.ending == Ending::Failed
        && finding.verdict() == Verdict::Error
        && runs.iter().any(|other| other.result.ending == Ending::Completed);
    let mut finding = finding.clone();
    if depends {
        finding.notes.insert(0, format!("in one order of messages: {}", finding.message));
        finding.code = Code::MessageRace;
        finding.message =
            "the program goes wrong when messages are received in another order".into();
        finding.notes.push(
            "a receive from any source takes whichever message is there first (MPI 3.5)".into(),
        );
        finding.help = Some("receive from named sources, or make every order right".into());
    }
    finding
}

fn peak(runs: &[PolicyRun]) -> u64 {
    let infinite = runs.iter().filter(|run| run.policy.starts_with("infinite"));
    infinite
        .flat_map(|run| run.result.ranks.iter().map(|rank| rank.peak_buffered))
        .max()
        .unwrap_or(0)
}

/// Ranks that are made late, one at a time, to see how much their partners send meanwhile.
const LATE_MAX: u32 = 32;

/// Most that one rank fills when buffering is unlimited: in an ordinary schedule, and in those in
/// which one rank begins only when nothing else can happen any more.
fn worst_peak(scenario: &Scenario, ordinary: u64) -> u64 {
    let ever = SimDuration::from_ps(u64::MAX / 4);
    let peaks = (0..scenario.request.ranks.min(LATE_MAX)).flat_map(|rank| {
        let settings = Settings {
            buffering: Buffering::infinite(),
            synchronisation: Synchronisation::Least,
            late: Some((rank, ever)),
            ..scenario.settings()
        };
        scenario.run_with(settings).ranks.into_iter().map(|rank| rank.peak_buffered)
    });
    peaks.max().unwrap_or(0).max(ordinary)
}

/// A send and the receive that takes its message when nothing stops it.
struct Pair {
    source: u32,
    target: u32,
    send: Site,
    call: &'static str,
    receive: Site,
}

/// What receives what when buffering is unlimited.
fn pairs(scenario: &Scenario) -> Vec<Pair> {
    let settings = Settings { buffering: Buffering::infinite(), ..scenario.settings() };
    let records = scenario.trace_with(settings).1;
    let pair = |record| match record {
        Record::Pair { source, target, send, call, receive } => {
            Some(Pair { source, target, send, call, receive })
        }
        _ => None,
    };
    records.into_iter().filter_map(pair).collect()
}

/// The receives that the blocked sends of a deadlock wait for and that are never reached.
fn unreached(finding: &Finding, pairs: &[Pair]) -> Vec<CallSite> {
    let mut found = Vec::new();
    for blocked in &finding.sites {
        let pair = pairs.iter().find(|pair| {
            pair.source == blocked.rank
                && Some(pair.send) == blocked.site
                && Some(pair.target) == blocked.peer
        });
        let Some(pair) = pair else { continue };
        found.push(CallSite {
            rank: pair.target,
            call: pair.call,
            site: Some(pair.receive).filter(|site| site.line > 0),
            peer: Some(pair.source),
            tag: blocked.tag,
            bytes: blocked.bytes,
            label: format!("rank {} never reaches this {}", pair.target, pair.call),
        });
    }
    found
}

/// Turns the deadlock of the zero-buffering run into what it means.
fn buffering(finding: &Finding, minimum: Minimum, pairs: &[Pair]) -> Finding {
    let Minimum { bytes_per_rank, total_bytes, ranks, .. } = minimum;
    let mut finding = finding.clone();
    let never = unreached(&finding, pairs);
    finding.sites.extend(never);
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
        "send and receive at once (MPI_Sendrecv, send_receive_into), or let even ranks send first \
         and odd ranks receive first, or send without blocking (MPI_Isend, immediate_send) and \
         wait after the receive"
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
