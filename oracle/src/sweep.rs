//! Runs of one plan on many machines, and the checks of all these runs.

use std::{
    collections::BTreeMap,
    fmt,
    panic::{self, AssertUnwindSafe},
    sync::Arc,
};

use mpi_api::{
    collective::{
        algorithm::{CHOOSABLE, algorithms},
        select::{Selector, SelectorName},
    },
    outcome::Ending,
    settings::{
        Buffering, CollectiveSynchronization, Matching, OneSided, Pool, Progress, Settings,
    },
};
use scenarios::{
    machine::Machine,
    safety,
    scenario::{Request, Scenario},
};
use sim_core::{SimDuration, TieBreak};

use super::{
    interpret::Interpreted,
    judge::{conclude, judge},
    plan::{Plan, window::Flavor},
    reference::Expected,
};

/// The part of all combinations that is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thoroughness {
    /// Every value of every choice at least once.
    Quick,
    /// Every combination of network, buffering and selector.
    Full,
}

/// Network models, each with a topology.
pub(crate) const NETWORKS: [(&str, &str); 6] = [
    ("constant", "crossbar"),
    ("loggp", "crossbar"),
    ("link", "torus"),
    ("link", "fat-tree"),
    ("link", "hypercube"),
    ("link", "ring"),
];

/// Largest number of events of one run, far more than any plan needs.
pub(crate) const EVENTS_MAX: u64 = 5_000_000;

fn bufferings(ranks: u32) -> [Buffering; 7] {
    let of = |eager_limit, pool| Buffering { eager_limit, pool };
    [
        Buffering::zero(),
        Buffering::infinite(),
        of(16, Pool::Unlimited),
        of(u64::MAX, Pool::Bytes(24)),
        of(40, Pool::Bytes(100)),
        of(0, Pool::Unlimited),
        of(u64::MAX, Pool::PerRank((0..u64::from(ranks)).map(|rank| rank * 30).collect())),
    ]
}

/// A failure of a plan.
#[derive(Clone, Debug)]
pub struct Complaint {
    /// Machine or check that failed.
    machine: String,
    /// Description of the result.
    what: String,
}

impl Complaint {
    /// Creates a complaint from a machine or optimisation level, and the result there.
    pub(crate) fn new(machine: impl Into<String>, what: String) -> Self {
        Self { machine: machine.into(), what }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.machine, self.what)
    }
}

/// Runs the plan on all machines, and returns the number of runs.
///
/// # Errors
/// Returns the first run with a wrong result. A panic of the simulator counts as one.
pub fn examine(plan: &Plan, how: Thoroughness) -> Result<u64, Complaint> {
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
    let mut traffic: BTreeMap<(usize, u64), (u64, u64)> = BTreeMap::new();
    for (number, choice) in choices(plan.seed, how).into_iter().enumerate() {
        let number = number as u64;
        let scenario = &scenarios[choice.network];
        let settings = choice.settings(scenario, number);
        let result = scenario.run_with(settings.clone());
        let complain = |what: String| Complaint { machine: format!("{number}, {choice:?}"), what };
        judge(&plan, &result, &settings).map_err(complain)?;
        runs += 1;
        if how == Thoroughness::Quick || number.is_multiple_of(7) {
            // A second run, with tracing, must give the same result.
            let (again, records) = scenario.trace_with(settings);
            runs += 1;
            if again.digest != result.digest || again.makespan != result.makespan {
                return Err(complain("a second run is another one".into()));
            }
            // What is under way when a run fails is not recorded.
            let complete = result.ending == Ending::Completed;
            if complete && records.is_empty() && result.messages > 0 {
                return Err(complain("no message is recorded".into()));
            }
        }
        // Network and buffering change when messages travel, but not which ones.
        let key = (choice.selector, number % CHOICES_OF_SETTINGS);
        let sent = (result.messages, result.bytes);
        if result.ending == Ending::Completed && *traffic.entry(key).or_insert(sent) != sent {
            return Err(complain(format!("{sent:?} instead of {:?}", traffic[&key])));
        }
    }
    let scenario = &scenarios[plan.seed as usize % NETWORKS.len()];
    let report = safety::check(scenario);
    runs += report.runs.len() as u64;
    let machine = "check".to_string();
    conclude(&plan, &expected, scenario, &report).map_err(|what| Complaint { machine, what })?;
    Ok(runs)
}

fn scenario(plan: &Arc<Plan>, expected: &Arc<Expected>, network: usize) -> Scenario {
    let program = Interpreted::new(Arc::clone(plan), Arc::clone(expected)).watched();
    let program = Arc::new(program);
    request(plan, network).resolve_program(program).expect("a request of ours is right")
}

/// Returns the machine of the plan with this network.
pub(crate) fn request(plan: &Plan, network: usize) -> Request {
    let machines: Vec<&str> = Machine::names().collect();
    let (model, topology) = NETWORKS[network];
    let placement = if plan.seed % 5 == 1 { "random" } else { "in-order" };
    let shared = plan.windows().any(|window| window.flavor == Flavor::Shared);
    // Memory can be shared by the ranks of one node only.
    let ranks_per_node = if shared { plan.ranks } else { 1 + u32::from(plan.seed % 3 == 2) };
    Request {
        machine: machines[(plan.seed as usize / 4) % machines.len()].into(),
        topology: Some(topology.into()),
        network: Some(model.into()),
        placement: placement.into(),
        ranks_per_node,
        seed: plan.seed,
        max_events: Some(EVENTS_MAX),
        ..Request::new("oracle", plan.ranks)
    }
}

/// One combination of choices.
#[derive(Clone, Copy, Debug)]
struct Choice {
    network: usize,
    buffering: usize,
    selector: usize,
}

fn choices(seed: u64, how: Thoroughness) -> Vec<Choice> {
    let (networks, buffers, rules) = (NETWORKS.len(), bufferings(1).len(), SelectorName::ALL.len());
    let shift = seed as usize;
    match how {
        Thoroughness::Quick => (0..networks + 1)
            .map(|at| Choice {
                network: at % networks,
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

/// Number of combinations of the choices other than network, buffering and selector.
const CHOICES_OF_SETTINGS: u64 = 60;

impl Choice {
    fn settings(self, scenario: &Scenario, number: u64) -> Settings {
        let seed = scenario.request.seed.wrapping_mul(1000).wrapping_add(number);
        let (tie_break, matching) = match number % 3 {
            0 => (TieBreak::InsertionOrder, Matching::Arrival),
            1 => (TieBreak::Seeded(seed), Matching::Arrival),
            _ => (TieBreak::Seeded(seed), Matching::Seeded(seed)),
        };
        let synchronisation = match number % 5 {
            3 => CollectiveSynchronization::Full,
            4 => CollectiveSynchronization::Minimal,
            _ => CollectiveSynchronization::Algorithm,
        };
        let ranks = scenario.request.ranks;
        let late = (number % 4 == 2)
            .then(|| (number as u32 / 4 % ranks, SimDuration::from_ns(number * 977)));
        Settings {
            buffering: bufferings(ranks)[self.buffering].clone(),
            selector: self.selector(number % CHOICES_OF_SETTINGS),
            tie_break,
            matching,
            synchronisation,
            late,
            one_sided: if number % 4 < 2 { OneSided::Prompt } else { OneSided::Late },
            progress: if number % 6 < 3 { Progress::Strong } else { Progress::Weak },
            ..scenario.settings()
        }
    }

    /// Returns the selector, sometimes with another algorithm for each collective.
    fn selector(self, number: u64) -> Selector {
        let mut selector = Selector::default_choice();
        selector.set(SelectorName::ALL[self.selector].name()).expect("its own name");
        if number % 4 == 1 {
            for (at, (kind, name)) in CHOOSABLE.into_iter().enumerate() {
                let all = algorithms(kind);
                let algorithm = all[(number as usize / 4 + at) % all.len()];
                selector.set(&format!("{name}={algorithm}")).expect("its own name");
            }
        }
        selector
    }
}
