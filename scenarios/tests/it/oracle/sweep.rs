//! One plan on many machines, and what must be true of all these runs.

use std::{
    fmt,
    panic::{self, AssertUnwindSafe},
    sync::Arc,
};

use mpi_api::{
    collective::select::{Selector, SelectorName},
    finding::{Code, Verdict},
    outcome::{Ending, RunResult},
    settings::{Buffering, Matching, Pool, Settings, Synchronisation},
};
use scenarios::{
    machine::Machine,
    safety::{self, Report},
    scenario::{Request, Scenario},
};
use sim_core::TieBreak;

use super::{
    interpret::Interpreted,
    plan::{Fault, Plan},
    reference::Expected,
};

/// How much of the product of all choices is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thoroughness {
    /// Every value of every choice once.
    Quick,
    /// Every combination of network, buffering and selector.
    Full,
}

/// Network models with a topology each.
const NETWORKS: [(&str, &str); 6] = [
    ("constant", "crossbar"),
    ("loggp", "crossbar"),
    ("link", "torus"),
    ("link", "fat-tree"),
    ("link", "hypercube"),
    ("link", "ring"),
];

/// Most events of one run: far more than any plan needs.
const EVENTS_MAX: u64 = 5_000_000;

fn bufferings() -> [Buffering; 6] {
    let of = |eager_limit, pool| Buffering { eager_limit, pool };
    [
        Buffering::zero(),
        Buffering::infinite(),
        of(16, Pool::Unlimited),
        of(u64::MAX, Pool::Bytes(24)),
        of(40, Pool::Bytes(100)),
        of(0, Pool::Unlimited),
    ]
}

/// What went wrong.
#[derive(Clone, Debug)]
pub(crate) struct Complaint {
    /// Which machine or check.
    machine: String,
    /// What came out.
    what: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.machine, self.what)
    }
}

/// Runs the plan everywhere; says how many runs that took.
///
/// # Errors
/// The first run that does not give what it must. A panic of the simulator is one, too.
pub(crate) fn examine(plan: &Plan, how: Thoroughness) -> Result<u64, Complaint> {
    let ran = panic::catch_unwind(AssertUnwindSafe(|| run_everywhere(plan, how)));
    ran.unwrap_or_else(|_| {
        Err(Complaint { machine: "any".into(), what: "the simulator panicked".into() })
    })
}

fn run_everywhere(plan: &Plan, how: Thoroughness) -> Result<u64, Complaint> {
    let plan = Arc::new(plan.clone());
    let expected = Arc::new(Expected::of(&plan));
    let scenarios: Vec<Scenario> =
        (0..NETWORKS.len()).map(|network| scenario(&plan, &expected, network)).collect();
    let mut runs = 0;
    for (number, choice) in choices(plan.seed, how).into_iter().enumerate() {
        let scenario = &scenarios[choice.network];
        let settings = choice.settings(scenario, number as u64);
        let result = scenario.run_with(settings.clone());
        let complain = |what: String| Complaint { machine: format!("{choice:?}"), what };
        judge(&plan, &result, &settings.buffering).map_err(complain)?;
        runs += 1;
        if how == Thoroughness::Quick || number % 7 == 0 {
            let again = scenario.run_with(settings);
            runs += 1;
            if again.digest != result.digest {
                return Err(complain("the digest of a second run differs".into()));
            }
        }
    }
    let report = safety::check(&scenarios[plan.seed as usize % NETWORKS.len()]);
    runs += report.runs.len() as u64;
    let machine = "check".to_string();
    conclude(&plan, &report).map_err(|what| Complaint { machine, what })?;
    Ok(runs)
}

fn scenario(plan: &Arc<Plan>, expected: &Arc<Expected>, network: usize) -> Scenario {
    let program = Arc::new(Interpreted::new(Arc::clone(plan), Arc::clone(expected)));
    let machines: Vec<&str> = Machine::names().collect();
    let (model, topology) = NETWORKS[network];
    let placement = if plan.seed % 5 == 1 { "random" } else { "in-order" };
    let request = Request {
        machine: machines[(plan.seed as usize / 4) % machines.len()].into(),
        topology: Some(topology.into()),
        network: Some(model.into()),
        placement: placement.into(),
        ranks_per_node: 1 + u32::from(plan.seed % 3 == 2),
        seed: plan.seed,
        max_events: EVENTS_MAX,
        ..Request::new("oracle", plan.ranks)
    };
    request.resolve_program(program).expect("a request of ours is right")
}

/// One combination.
#[derive(Clone, Copy, Debug)]
struct Choice {
    network: usize,
    buffering: usize,
    selector: usize,
}

fn choices(seed: u64, how: Thoroughness) -> Vec<Choice> {
    let (networks, buffers, rules) = (NETWORKS.len(), bufferings().len(), SelectorName::ALL.len());
    let shift = seed as usize;
    match how {
        Thoroughness::Quick => (0..networks)
            .map(|at| Choice {
                network: at,
                buffering: (at + shift) % buffers,
                selector: (at + shift / 3) % rules,
            })
            .collect(),
        Thoroughness::Full => (0..networks * buffers * rules)
            .map(|at| Choice {
                network: at % networks,
                buffering: at / networks % buffers,
                selector: at / networks / buffers,
            })
            .collect(),
    }
}

impl Choice {
    fn settings(self, scenario: &Scenario, number: u64) -> Settings {
        let mut selector = Selector::default_choice();
        selector.set(SelectorName::ALL[self.selector].name()).expect("its own name");
        let seed = scenario.request.seed.wrapping_mul(1000).wrapping_add(number);
        let (tie_break, matching) = match number % 3 {
            0 => (TieBreak::InsertionOrder, Matching::Arrival),
            1 => (TieBreak::Seeded(seed), Matching::Arrival),
            _ => (TieBreak::Seeded(seed), Matching::Seeded(seed)),
        };
        let synchronisation = match number % 5 {
            3 => Synchronisation::Full,
            4 => Synchronisation::Least,
            _ => Synchronisation::Algorithm,
        };
        Settings {
            buffering: bufferings()[self.buffering].clone(),
            selector,
            tie_break,
            matching,
            synchronisation,
            ..scenario.settings()
        }
    }
}

/// What may come out of a single run.
fn judge(plan: &Plan, result: &RunResult, buffering: &Buffering) -> Result<(), String> {
    let said: Vec<&str> = result.findings.iter().map(|one| one.message.as_str()).collect();
    if let Some(difference) = result.declared.first() {
        return Err(format!("{} differences: {difference}", result.declared.len()));
    }
    let polls = result.findings.iter().any(|finding| finding.code == Code::Livelock);
    let stuck = result.ending == Ending::Stalled || polls;
    let completed = result.ending == Ending::Completed && result.findings.is_empty();
    let allowed = match plan.fault {
        None => completed,
        Some(Fault::SendCycle | Fault::AcrossBarrier) => match buffering {
            free if *free == Buffering::infinite() => completed,
            none if *none == Buffering::zero() => stuck,
            _ => stuck || completed,
        },
        Some(Fault::Stolen) => stuck || completed,
        Some(Fault::SynchronousCycle | Fault::ReceiveCycle | Fault::Missing(_)) => stuck,
    };
    if allowed {
        return Ok(());
    }
    Err(format!("{:?} with {said:?}", result.ending))
}

/// What must come out of the safety check.
fn conclude(plan: &Plan, report: &Report) -> Result<(), String> {
    for run in &report.runs {
        if let Some(difference) = run.result.declared.first() {
            return Err(format!("{}: {difference}", run.policy));
        }
    }
    let wanted = match plan.fault {
        None => Verdict::Ok,
        Some(Fault::SendCycle | Fault::AcrossBarrier) => Verdict::Buffering,
        Some(Fault::Stolen) if report.verdict == Verdict::Ok && !report.exhaustive => return Ok(()),
        Some(_) => Verdict::Deadlock,
    };
    if report.verdict != wanted {
        let said: Vec<String> =
            report.findings.iter().map(|f| format!("{}: {}", f.code.name(), f.message)).collect();
        let (is, should) = (report.verdict.word(), wanted.word());
        return Err(format!("{is} instead of {should}: {said:?}"));
    }
    if wanted == Verdict::Buffering {
        return enough(plan, report);
    }
    Ok(())
}

/// Without room for the smallest message of the cycle nothing gets out of it.
fn enough(plan: &Plan, report: &Report) -> Result<(), String> {
    let planted = &plan.planted;
    let least = planted.iter().map(|id| plan.messages[*id].sent_from.bytes().max(1)).min();
    let (Some(least), Some(minimum)) = (least, report.minimum) else {
        return Err("no minimum is told".into());
    };
    if minimum.bytes_per_rank >= least && minimum.total_bytes >= least && minimum.ranks >= 1 {
        return Ok(());
    }
    Err(format!("{minimum:?} for a cycle whose smallest message has {least} bytes"))
}
