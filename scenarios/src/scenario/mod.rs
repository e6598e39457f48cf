//! One program on one modelled machine, checked and resolved.

mod choice;
mod memory;
mod run;
mod stack;

use std::{rc::Rc, sync::Arc};

use mpi_api::{
    collective::select::Selector,
    object::representation::Representation,
    outcome::RunResult,
    policy::{Policies, Strictness},
    run::Program,
    settings::{Buffering, Environment},
    trace::TraceSink,
};
use network_models::{Catalog, ModelKind, NodeId, Topology};
use sim_core::SimTime;

use self::choice::{
    buffering, number, placement, topology, unknown_choice, unknown_model, unknown_policy,
};
pub use self::memory::Need;
use crate::{
    computing::{Choice, Clock, Clocks, Recording as Durations, Source},
    conformance,
    error::Error,
    machine::Machine,
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
    /// How far a run follows the standard where MPI libraries do not; if nothing is said, all the way.
    pub strictness: Option<Strictness>,
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
    /// Stack of each rank, bytes; see [`Request::stack_bytes`] for when it is left out.
    pub stack_size: Option<u64>,
    /// Arguments of the program, those that follow its name.
    pub arguments: Vec<String>,
    /// How long programs compute between calls.
    pub compute: Choice,
    /// What measures that, where it is to be measured.
    pub clock: Option<Clock>,
    /// Which clocks the program sees.
    pub clocks: Clocks,
    /// The topologies and network models that names refer to.
    pub catalog: Catalog,
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
            strictness: None,
            ranks_per_process: 1,
            universe: None,
            seed: 0,
            max_events: 2_000_000_000,
            max_time: SimTime::MAX,
            stack_size: None,
            arguments: Vec::new(),
            compute: Choice::Modelled,
            clock: None,
            clocks: Clocks::Simulated,
            catalog: Catalog::standard(),
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
    model: Arc<dyn ModelKind>,
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
        self.check_stack()?;
        let machine = Machine::load_with(&self.machine, &self.catalog)?;
        let text = self.topology.as_ref().unwrap_or(&machine.default_topology);
        let topology =
            topology(text, &self.catalog)?.build(most.div_ceil(self.ranks_per_node.max(1)))?;
        let network = self.network.clone().unwrap_or_else(|| machine.default_network.clone());
        let model = self.catalog.model(&network).map_err(unknown_model)?;
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
            model,
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
        let mut policies = Policies::of(self.strictness.unwrap_or_default());
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
            arguments: self.arguments.as_slice().into(),
            simulated_clocks: self.clocks == Clocks::Simulated,
            ..Environment::default()
        })
    }
}
