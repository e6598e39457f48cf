//! Runs one program on one modelled machine. The result is a pure function of the arguments.

use std::{rc::Rc, sync::Arc};

use network_models::Network;
use sim_core::{
    Access, Crash, Limit, Limits, Outcome, Port, ProcessId, RunStats, Script, SimTime, Simulation,
    signal_cause, signal_name,
};

pub use crate::settings::RANKS_MAX;
use crate::{
    api::{self, topology::take_by_node},
    call::{Call, CommId, CommInfo, Reply, ThreadBody},
    check,
    finding::{CallSite, Finding},
    kernel::{
        MpiKernel,
        process::exit::{Exit, exit_findings},
        thread::threads::Further,
    },
    object::op,
    outcome::{Ending, RunResult, Started},
    portability::Portability,
    settings::{Environment, Reversed, Settings},
    spawn::{AddressSpace, RankBody},
    trace::TraceSink,
    window_memory,
};

/// A rank that was ended in the middle of its program.
#[derive(Clone, Copy, Debug)]
pub struct Struck {
    /// The rank.
    pub rank: u32,
    /// Address of its next instruction, or of the one that raised the signal.
    pub address: usize,
    /// The signal, if it was ended by one.
    pub signal: Option<i32>,
    /// The access to memory for which the signal was raised, if it was.
    pub access: Option<Access>,
}

/// The calls of one rank as a state machine, which needs no stack.
pub type RankScript = Box<dyn Script<Call, Reply>>;

/// A simulated program: a closure, or code that has to be set up and torn down around the ranks.
pub trait Body: Send + Sync {
    /// Called on the simulating thread before a run of `ranks` ranks.
    fn start(&self, ranks: u32) {
        let _ = ranks;
    }

    /// The code that every rank runs; it gets its `MPI_COMM_WORLD` from [`api::initialize`].
    fn rank(&self);

    /// Returns what a rank does as a script, if the program is one without code to run, such as a
    /// recording; then [`Body::rank`] is not called for it.
    fn script(&self, rank: u32) -> Option<RankScript> {
        let _ = rank;
        None
    }

    /// Called after the run; `struck` is the rank that a signal has ended.
    fn finish(&self, result: &mut RunResult, struck: Option<Struck>) {
        let _ = (result, struck);
    }

    /// Returns why two runs with the same settings may differ, if the program itself is the reason.
    fn irreproducible(&self) -> Option<&'static str> {
        None
    }

    /// Reports whether its executions in this process have left nothing there that another one could notice, so that
    /// they may follow each other in one process as if each had its own.
    fn is_contained(&self) -> bool {
        false
    }

    /// Returns the address space that one rank takes in addition to its stack, bytes.
    fn image_bytes(&self) -> u64 {
        0
    }

    /// Returns the limits that the program needs, given those that were requested.
    fn limits(&self, asked: Limits) -> Limits {
        asked
    }
}

impl<F: Fn() + Send + Sync> Body for F {
    fn rank(&self) {
        self();
    }
}

/// A program that is shared by all ranks.
pub type Program = Arc<dyn Body>;

/// Runs `program` on every rank. Returns the trace sink, if one was given, with its records.
///
/// Determinism: the result depends on nothing but the arguments.
pub fn run(
    settings: Settings,
    network: Box<dyn Network>,
    program: &Program,
    sink: Option<Box<dyn TraceSink>>,
) -> (RunResult, Option<Box<dyn TraceSink>>) {
    let size = settings.nodes.len() as u32;
    let limits = program.limits(settings.limits.clone());
    let (tie_break, late) = (settings.tie_break, settings.late);
    let mut environment = settings.environment.clone();
    environment.universe.get_or_insert(size);
    environment.reversed = Reversed::of(tie_break);
    let environment = Rc::new(environment);
    let Environment { computing, recorder, .. } = settings.environment.clone();
    let kernel = MpiKernel::new(settings, network, sink);
    let body = beginning(program, &kernel, &environment);
    let further = further(&kernel, &environment);
    let mut simulation = Simulation::new(kernel, limits, tie_break);
    simulation.seed(environment.seed);
    if let Some(computing) = computing {
        simulation.meter(computing.0);
    }
    if let Some(recorder) = recorder {
        simulation.tap(recorder.0);
    }
    let portability = environment.notes_portability.then(|| Rc::new(Portability::new(size)));
    if let Some(portability) = &portability {
        simulation.tap(Rc::clone(portability) as _);
    }
    simulation.children(further);
    api::address_space::forget();
    forget_functions();
    program.start(size);
    for rank in 0..size {
        let start = match late {
            Some((r, delay)) if r == rank => SimTime::ZERO + delay,
            _ => SimTime::ZERO,
        };
        match program.script(rank) {
            Some(script) => simulation.spawn_script_at(start, script),
            None => simulation.spawn_at(start, Rc::clone(&body)),
        };
    }
    let (outcome, kernel, stats) = simulation.run();
    let struck = struck(&outcome, &kernel);
    let (mut result, sink) = result_of(&outcome, kernel, &stats);
    program.finish(&mut result, struck);
    forget_functions();
    result.findings.extend(portability.into_iter().flat_map(|noted| noted.take()));
    result.findings.iter_mut().for_each(|finding| tell_origin(finding, &result.started));
    result.findings.sort_by_key(|finding| finding.verdict());
    (result, sink)
}

/// Returns the result of a run that has ended, and the trace sink, if it had one.
fn result_of(
    outcome: &Outcome,
    mut kernel: MpiKernel,
    stats: &RunStats,
) -> (RunResult, Option<Box<dyn TraceSink>>) {
    let (ending, extra) = judge(outcome, &kernel);
    let end = stats.end;
    let makespan = match ending {
        Ending::Completed => kernel.last_finish(),
        Ending::Stalled | Ending::Failed => {
            kernel.stop(end);
            end
        }
    };
    let blocked = match ending {
        Ending::Stalled => kernel.blocked_calls(),
        Ending::Completed | Ending::Failed => Vec::new(),
    };
    let mut remains = kernel.into_parts();
    let mut findings = remains.findings;
    findings.extend(remains.leaks.findings());
    findings.extend(extra);
    let mut result = RunResult {
        ending,
        makespan,
        digest: stats.digest,
        events: stats.events,
        messages: remains.messages,
        bytes: remains.bytes,
        messages_alone: None,
        ranks: remains.totals,
        links: remains.wire.link_usage(makespan),
        losses: remains.wire.losses(),
        findings: findings.into_vec(),
        blocked,
        choices: remains.choices,
        repeats: remains.repeats,
        matched: remains.matched,
        late: remains.late,
        unmet: remains.unmet,
        reorderings: remains.reorderings,
        started: remains.started,
        declared: Vec::new(),
        exit_code: remains.exit_code,
        polled: remains.polled,
        one_sided: remains.one_sided,
        competes: remains.competes,
        servers: remains.servers,
        syncs: false,
        shares: false,
        owns: false,
        comparable: false,
        accesses: 0,
        watched_in_part: false,
        freed: remains.freed,
        splits_by_node: take_by_node(),
        reverses_threads: remains.reverses_threads,
        cancels: remains.cancels,
        interrupted: matches!(outcome, Outcome::Interrupted { .. }),
        endless: matches!(outcome, Outcome::LimitReached(Limit::Events)),
        out_of_memory: matches!(outcome, Outcome::LimitReached(Limit::Memory)),
    };
    end_by_codes(&mut result, &remains.exits);
    (result, remains.sink)
}

/// Drops the functions of calls that were never executed.
fn forget_functions() {
    op::forget();
    ThreadBody::forget();
    RankBody::forget();
    window_memory::clear();
    take_by_node();
}

/// Adds what follows from ranks that have ended with an exit code.
fn end_by_codes(result: &mut RunResult, exits: &[Exit]) {
    let failed = exits.iter().filter(|exit| exit.code != 0);
    if let Some(first) = failed.clone().next() {
        result.exit_code.get_or_insert(first.code);
        result.ending = Ending::Failed;
    }
    if failed.clone().next().is_some() {
        result.findings.retain(|finding| !finding.code.follows_from_an_early_end());
    }
    result.findings.extend(exit_findings(exits));
}

/// Returns the rank that a signal struck or that had to be abandoned.
fn struck(outcome: &Outcome, kernel: &MpiKernel) -> Option<Struck> {
    let (process, address, signal, access) = match outcome {
        Outcome::Signal { process, address, signal, access } => {
            (process, address, Some(*signal), *access)
        }
        Outcome::StackOverflow { process, address: Some(address) }
        | Outcome::Interrupted { running: Some((process, address)) } => {
            (process, address, None, None)
        }
        Outcome::Completed
        | Outcome::Stalled
        | Outcome::Panicked(_)
        | Outcome::StackOverflow { address: None, .. }
        | Outcome::LimitReached(_)
        | Outcome::Interrupted { running: None }
        | Outcome::Stopped => return None,
    };
    Some(Struck { rank: kernel.rank_of(*process), address: *address, signal, access })
}

/// Returns the function of the processes that exist at the start of the run.
fn beginning(
    program: &Program,
    kernel: &MpiKernel,
    environment: &Rc<Environment>,
) -> Rc<dyn Fn(Port<Call, Reply>)> {
    let nodes = kernel.settings.nodes.clone();
    let (size, each) = (nodes.len() as u32, environment.ranks_per_process.max(1));
    let group = kernel.world(0).group;
    let (program, environment) = (Arc::clone(program), Rc::clone(environment));
    // Apart, so that this frame is gone while the rank runs.
    let enter = move |port: Port<Call, Reply>| {
        let rank = port.process().0;
        let group = group.clone();
        let world =
            CommInfo { id: CommId::WORLD, rank, group, remote: None, cart: None, neighbors: None };
        let number = rank / each;
        api::enter(api::Entry {
            port,
            number: rank,
            world,
            parent: None,
            application: 0,
            node: nodes[rank as usize].0,
            space: AddressSpace { number, ranks: each.min(size - number * each) },
            environment: Rc::clone(&environment),
        });
    };
    Rc::new(move |port| {
        apart(|| enter(port));
        program.rank();
    })
}

/// Calls a function in a frame of its own.
#[inline(never)]
fn apart(work: impl FnOnce()) {
    work();
}

/// Returns the function of processes that begin during the run: it runs the body that the kernel
/// keeps for each.
fn further(kernel: &MpiKernel, environment: &Rc<Environment>) -> Rc<dyn Fn(Port<Call, Reply>)> {
    let (bodies, environment) = (kernel.bodies(), Rc::clone(environment));
    Rc::new(move |port| {
        let further = bodies.borrow_mut().remove(&port.process().0);
        match further {
            Some(Further::Thread(body)) => body.run(port),
            Some(Further::Rank(newcomer)) => {
                api::enter(api::Entry {
                    port,
                    number: newcomer.number,
                    world: newcomer.world,
                    parent: Some(newcomer.parent),
                    application: newcomer.application,
                    node: newcomer.node,
                    space: newcomer.space,
                    environment: Rc::clone(&environment),
                });
                (newcomer.body)();
            }
            None => {}
        }
    })
}

/// Adds to a finding which of its ranks were started during the run, and where.
fn tell_origin(finding: &mut Finding, started: &[Started]) {
    for family in started {
        let range = family.first..family.first + family.ranks;
        let peers = finding.sites.iter().filter_map(|site| site.peer.as_ref());
        if finding.ranks.iter().chain(peers).any(|rank| range.contains(rank)) {
            finding.notes.push(family.describe());
        }
    }
}

fn judge(outcome: &Outcome, kernel: &MpiKernel) -> (Ending, Vec<Finding>) {
    let left = || kernel.incomplete_calls().chain(kernel.unreceived().into_vec()).collect();
    match outcome {
        Outcome::Completed => (Ending::Completed, left()),
        Outcome::Stalled if kernel.all_others_finished() => (Ending::Failed, Vec::new()),
        Outcome::Stalled if kernel.all_finished() => (Ending::Completed, left()),
        Outcome::Stalled => (Ending::Stalled, vec![kernel.explain_stall()]),
        Outcome::Stopped => (Ending::Failed, Vec::new()),
        Outcome::Panicked(crash) => (Ending::Failed, vec![panicked(crash, kernel)]),
        Outcome::StackOverflow { process, .. } => {
            let name = kernel.name_of(*process);
            let (rank, last) = last_call(*process, kernel);
            (Ending::Failed, vec![check::stack_overflow::of_rank(&name, rank, last)])
        }
        Outcome::Signal { process, signal, access, .. } => {
            let name = kernel.name_of(*process);
            let signal_name =
                signal_name(*signal).map_or_else(|| format!("signal {signal}"), Into::into);
            let (cause, (rank, last)) =
                (signal_cause(*signal, *access), last_call(*process, kernel));
            let finding = check::signal::struck((&name, rank), &signal_name, cause, last);
            (Ending::Failed, vec![finding])
        }
        Outcome::Interrupted { .. } => {
            let (ranks, last) = last_calls(kernel);
            (Ending::Failed, vec![check::limit_reached::interrupted(ranks, last)])
        }
        Outcome::LimitReached(limit) => {
            let what = match limit {
                Limit::Events => "events",
                Limit::Time => "simulated time",
                Limit::Memory => "memory",
            };
            let (ranks, last) = last_calls(kernel);
            (Ending::Failed, vec![check::limit_reached::of_run(what, ranks, last)])
        }
    }
}

fn panicked(crash: &Crash, kernel: &MpiKernel) -> Finding {
    let name = kernel.name_of(crash.process);
    let location = crash.location.as_ref().map(|(file, line)| (file.as_str(), *line));
    let (rank, last) = last_call(crash.process, kernel);
    check::panicked::of_rank((&name, rank), &crash.message, location, last)
}

/// Maximum number of ranks whose last call is shown when a run is stopped.
const RANKS_SHOWN: u32 = 8;

/// Returns the ranks that had not ended when the run was stopped, and the last calls of the first of them.
fn last_calls(kernel: &MpiKernel) -> (Vec<u32>, Vec<CallSite>) {
    let ranks: Vec<u32> = (0..kernel.ranks.len() as u32)
        .filter(|rank| !kernel.ranks[*rank as usize].finished)
        .collect();
    let shown = ranks.iter().take(RANKS_SHOWN as usize);
    let was_here = |rank: &u32| kernel.last_site(*rank, check::limit_reached::was_here(*rank));
    let last = shown.filter_map(was_here).collect();
    (ranks, last)
}

/// Returns the rank of a process, and the last call that it made.
fn last_call(process: ProcessId, kernel: &MpiKernel) -> (u32, Option<CallSite>) {
    let rank = kernel.rank_of(process);
    (rank, kernel.last_site(rank, "the last call it made".into()))
}
