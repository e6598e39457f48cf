//! One program on one modelled machine, checked and resolved.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use mpi_api::{
    collective::select::{Selector, SelectorError},
    object::representation::Representation,
    outcome::RunResult,
    policy::{Policies, Policy, PolicyError},
    run::{Program, run},
    settings::{Buffering, Computing, Environment, Matching, Pool, Settings, Synchronisation},
    trace::{Record, TraceSink},
};
use network_models::{
    Constant, Links, LogGp, Network, NodeId, PlacementSpec, Recording, Topology, TopologySpec,
    models, topologies,
};
use sim_core::{Limits, SimTime, TieBreak};

use crate::{
    computing::{Choice, Clock, Clocks, Recording as Durations, Source},
    conformance,
    error::Error,
    json,
    machine::Machine,
    occupancy::{Occupied, Watched},
    program::{self, Parameters},
};

/// A scenario as asked for; what is left out is the machine's default.
#[derive(Clone, Debug)]
pub struct Request {
    /// Name of a built-in program.
    pub program: String,
    /// Number of ranks.
    pub ranks: u32,
    /// Program parameters.
    pub parameters: Parameters,
    /// Machine name or file.
    pub machine: String,
    /// Topology.
    pub topology: Option<String>,
    /// Network model.
    pub network: Option<String>,
    /// Placement.
    pub placement: String,
    /// Ranks on a node.
    pub ranks_per_node: u32,
    /// `system`, `infinite`, `zero` or bytes for each rank.
    pub buffering: String,
    /// Overrides the machine's.
    pub eager_limit: Option<u64>,
    /// `NAME=ALGORITHM` or a selector.
    pub collectives: Vec<String>,
    /// Where editions of the standard disagree, each `NAME=VALUE`.
    pub policies: Vec<String>,
    /// How many ranks share an address space.
    pub ranks_per_process: u32,
    /// How many ranks there may be at once when the program starts others (`MPI_UNIVERSE_SIZE`).
    pub universe: Option<u32>,
    /// Seed of everything random.
    pub seed: u64,
    /// Most events.
    pub max_events: u64,
    /// Most simulated time.
    pub max_time: SimTime,
    /// How long programs compute between calls.
    pub compute: Choice,
    /// What measures that, where it is to be measured.
    pub clock: Option<Clock>,
    /// Which clocks a compiled program sees.
    pub clocks: Clocks,
}

impl Request {
    /// A program with everything else as it is when left out.
    pub fn new(program: impl Into<String>, ranks: u32) -> Self {
        Self {
            program: program.into(),
            ranks,
            parameters: Parameters::new(),
            machine: "ideal".into(),
            topology: None,
            network: None,
            placement: "in-order".into(),
            ranks_per_node: 1,
            buffering: "system".into(),
            eager_limit: None,
            collectives: Vec::new(),
            policies: Vec::new(),
            ranks_per_process: 1,
            universe: None,
            seed: 0,
            max_events: 2_000_000_000,
            max_time: SimTime::MAX,
            compute: Choice::Modelled,
            clock: None,
            clocks: Clocks::Simulated,
        }
    }

    /// Why no two runs need be alike; `None` if each is the same ever after.
    pub fn irreproducible(&self) -> Option<&'static str> {
        match (&self.compute, self.clocks) {
            (Choice::Measured(_), _) => Some("computing was measured on this host"),
            (_, Clocks::Host) => Some("the program sees the clocks of this host"),
            _ => None,
        }
    }
}

/// A scenario that can be run.
pub struct Scenario {
    /// As asked for.
    pub request: Request,
    /// The machine.
    pub machine: Machine,
    /// The topology it took.
    pub topology: Arc<Topology>,
    /// The network model it took.
    pub network: String,
    program: Program,
    nodes: Vec<NodeId>,
    buffering: Buffering,
    selector: Selector,
    environment: Environment,
    computing: Source,
}

/// What a run leaves.
pub struct Ran {
    /// The result.
    pub result: RunResult,
    /// The sink it was given, with its records.
    pub sink: Option<Box<dyn TraceSink>>,
    /// How long the program computed, where that is to be recorded.
    pub durations: Option<Durations>,
}

/// Most ranks of one run.
const RANKS_MAX: u32 = 1 << 22;

impl Request {
    /// Checks everything and resolves what was left out.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn resolve(mut self) -> Result<Scenario, Error> {
        if let Some(case) = conformance::find(&self.program)? {
            if let Some(key) = self.parameters.keys().next() {
                return Err(Error::unknown("parameter of an example", key, []));
            }
            let program = conformance::prepare(case, &mut self);
            return self.resolve_program(program);
        }
        let program = program::find(&self.program, self.ranks, &self.parameters)?;
        self.resolve_program(program)
    }

    /// As [`Request::resolve`], for a program of the user's own.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn resolve_program(self, program: Program) -> Result<Scenario, Error> {
        if self.ranks == 0 || self.ranks > RANKS_MAX {
            return Err(number("the number of ranks", self.ranks));
        }
        if self.ranks_per_node == 0 || self.ranks_per_node > RANKS_MAX {
            return Err(number("the number of ranks on a node", self.ranks_per_node));
        }
        let most = self.universe.unwrap_or(self.ranks);
        if most < self.ranks || most > RANKS_MAX {
            return Err(Error::BadValue {
                what: "the size of the universe".into(),
                value: most.to_string(),
                allowed: format!("{}, the number of ranks, to {RANKS_MAX}", self.ranks),
            });
        }
        let machine = Machine::load(&self.machine)?;
        let text = self.topology.as_ref().unwrap_or(&machine.default_topology);
        let topology = topology(text)?.build(most.div_ceil(self.ranks_per_node.max(1)))?;
        let network = self.network.clone().unwrap_or_else(|| machine.default_network.clone());
        if !models().iter().any(|(name, ..)| *name == network) {
            let names = models().map(|(name, ..)| name);
            return Err(Error::unknown("network model", &network, names));
        }
        let placement = placement(&self.placement, self.seed)?;
        let nodes = placement.place(self.ranks, self.ranks_per_node, &topology)?;
        let mut buffering = buffering(&self.buffering, &machine)?;
        if let Some(limit) = self.eager_limit {
            buffering.eager_limit = limit;
        }
        let mut selector = Selector::default_choice();
        for choice in &self.collectives {
            selector.set(choice).map_err(unknown_choice)?;
        }
        let nodes_of_machine = topology.nodes();
        let environment = Environment {
            nodes: nodes_of_machine,
            ..self.environment(machine.representations(nodes_of_machine))?
        };
        let computing = Source::of(&self.compute, self.clock, self.ranks)?;
        Ok(Scenario {
            request: self,
            machine,
            topology: Arc::new(topology),
            network,
            program,
            nodes,
            buffering,
            selector,
            environment,
            computing,
        })
    }

    /// What is around the ranks.
    fn environment(
        &self,
        representations: Option<Rc<[Representation]>>,
    ) -> Result<Environment, Error> {
        if self.ranks_per_process == 0 || self.ranks_per_process > RANKS_MAX {
            return Err(number("the number of ranks in an address space", self.ranks_per_process));
        }
        let mut policies = Policies::default();
        for text in &self.policies {
            policies.set(text).map_err(unknown_policy)?;
        }
        let ranks_per_process = self.ranks_per_process;
        let seed = self.seed;
        Ok(Environment {
            policies,
            ranks_per_process,
            representations,
            universe: self.universe,
            seed,
            ..Environment::default()
        })
    }
}

fn unknown_policy(error: PolicyError) -> Error {
    match error {
        PolicyError::Form(given) => Error::BadValue {
            what: "a policy".into(),
            value: given,
            allowed: "NAME=VALUE; see `windtunnel list policies`".into(),
        },
        PolicyError::Name(given) => {
            Error::unknown("policy", &given, Policy::ALL.iter().map(|policy| policy.name()))
        }
        PolicyError::Value { given, allowed, .. } => {
            Error::unknown("value of this policy", &given, allowed.iter().copied())
        }
    }
}

fn unknown_choice(error: SelectorError) -> Error {
    match error {
        SelectorError::Selector { given, allowed } => {
            let others = ["COLLECTIVE=ALGORITHM"];
            Error::unknown("selector", &given, allowed.split(", ").chain(others))
        }
        SelectorError::Collective { given, allowed } => {
            Error::unknown("collective", &given, allowed.split(", "))
        }
        SelectorError::Algorithm { given, allowed, .. } => {
            Error::unknown("algorithm of this collective", &given, allowed.split(", "))
        }
    }
}

fn number(what: &str, value: u32) -> Error {
    let allowed = format!("1 to {RANKS_MAX}");
    Error::BadValue { what: what.into(), value: value.to_string(), allowed }
}

fn topology(text: &str) -> Result<TopologySpec, Error> {
    let Some(path) = text.strip_prefix("file:") else {
        let name = text.split(':').next().unwrap_or(text);
        let names: Vec<&str> = topologies().iter().map(|(name, ..)| *name).collect();
        if !names.contains(&name) {
            return Err(Error::unknown("topology", name, names.into_iter().chain(["file:PATH"])));
        }
        return Ok(text.parse()?);
    };
    let bad = |reason: String| Error::BadFile { path: path.into(), reason };
    let lines = json::text_of(path)?;
    TopologySpec::from_edge_list(&lines)
        .map_err(|line| bad(format!("line {line}: expected two different node numbers")))
}

fn placement(text: &str, seed: u64) -> Result<PlacementSpec, Error> {
    let Some(path) = text.strip_prefix("file:") else {
        return PlacementSpec::parse(text, seed).map_err(|_| {
            Error::unknown(
                "placement",
                text,
                ["in-order", "random", "random:SEED", "gray", "file:PATH"],
            )
        });
    };
    let bad = |reason: String| Error::BadFile { path: path.into(), reason };
    let lines = json::text_of(path)?;
    let parse = |(number, line): (usize, &str)| {
        line.trim().parse().map_err(|_| bad(format!("line {}: expected a node number", number + 1)))
    };
    lines.lines().enumerate().map(parse).collect::<Result<_, _>>().map(PlacementSpec::List)
}

fn buffering(text: &str, machine: &Machine) -> Result<Buffering, Error> {
    match text {
        "system" => Ok(machine.buffering()),
        "infinite" => Ok(Buffering::infinite()),
        "zero" => Ok(Buffering::zero()),
        _ => match text.parse() {
            Ok(bytes) => Ok(Buffering { eager_limit: u64::MAX, pool: Pool::Bytes(bytes) }),
            Err(_) => Err(Error::BadValue {
                what: "the buffering".into(),
                value: text.into(),
                allowed: "system, infinite, zero, or a number of bytes for each rank".into(),
            }),
        },
    }
}

impl Scenario {
    /// The settings it asks for.
    pub fn settings(&self) -> Settings {
        Settings {
            nodes: self.nodes.clone(),
            costs: self.machine.costs(),
            buffering: self.buffering.clone(),
            synchronisation: Synchronisation::Algorithm,
            selector: self.selector.clone(),
            matching: Matching::Arrival,
            tie_break: TieBreak::InsertionOrder,
            limits: Limits {
                events: self.request.max_events,
                time: self.request.max_time,
                ..Limits::standard()
            },
            late: None,
            environment: self.environment.clone(),
        }
    }

    /// How many nodes hold a rank.
    pub fn nodes_used(&self) -> u32 {
        let mut nodes: Vec<NodeId> = self.nodes.clone();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.len() as u32
    }

    /// Runs it as asked. A sink is also told when each link was busy.
    ///
    /// # Errors
    /// If the program does not do what it did when its computing was recorded.
    pub fn run(&self, sink: Option<Box<dyn TraceSink>>) -> Result<Ran, Error> {
        let meter = self.computing.meter();
        let (result, sink) = self.run_metered(meter.computing(), sink);
        let durations = meter.finish(&self.request.program)?;
        Ok(Ran { result, sink, durations })
    }

    fn run_metered(
        &self,
        computing: Option<Computing>,
        sink: Option<Box<dyn TraceSink>>,
    ) -> (RunResult, Option<Box<dyn TraceSink>>) {
        let mut settings = self.settings();
        settings.environment.computing = computing;
        if sink.is_none() || self.network != "link" {
            let network = self.fresh_network(Recording::Off);
            return run(settings, network, &self.program, sink);
        }
        let occupied: Occupied = Rc::new(RefCell::new(Vec::new()));
        let network = Watched::new(self.fresh_network(Recording::On), Rc::clone(&occupied));
        let (result, mut sink) = run(settings, Box::new(network), &self.program, sink);
        if let Some(sink) = &mut sink {
            for busy in occupied.borrow().iter() {
                sink.record(Record::Link { link: busy.link, start: busy.start, end: busy.end });
            }
        }
        (result, sink)
    }

    /// The file that the next run's computing is to be recorded in.
    pub fn records_to(&self) -> Option<&str> {
        match (&self.request.compute, &self.computing) {
            (Choice::Recorded(path), Source::Measured { .. }) => Some(path),
            _ => None,
        }
    }

    /// Runs it with other settings; programs compute as long as they declare.
    pub fn run_with(&self, settings: Settings) -> RunResult {
        run(settings, self.fresh_network(Recording::Off), &self.program, None).0
    }

    /// As [`Scenario::run_with`], with the records of the run.
    pub fn trace_with(&self, settings: Settings) -> (RunResult, Vec<Record>) {
        let sink = Box::<mpi_api::trace::Recording>::default();
        let (result, sink) =
            run(settings, self.fresh_network(Recording::Off), &self.program, Some(sink));
        (result, sink.map(|sink| sink.finish()).unwrap_or_default())
    }

    fn fresh_network(&self, recording: Recording) -> Box<dyn Network> {
        let machine = &self.machine;
        let local = machine.local();
        match self.network.as_str() {
            "constant" => {
                let link = machine.link();
                Box::new(Constant::new(link.latency, link.injection, local))
            }
            "loggp" => Box::new(LogGp::new(machine.loggp(), self.topology.nodes(), local)),
            _ => {
                let topology = Arc::clone(&self.topology);
                Box::new(Links::new(topology, machine.link(), recording, local))
            }
        }
    }
}
