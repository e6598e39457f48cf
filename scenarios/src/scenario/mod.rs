//! Scenarios: one program on one modelled machine, checked and resolved.

mod choice;
mod digests;
mod memory;
mod nics;
mod overload;
mod parts;
mod run;
mod stack;
mod variation;

use std::{rc::Rc, sync::Arc};

use mpi_api::{
    collective::select::Selector,
    finding::Verdict,
    noise::Noise,
    object::representation::Representation,
    outcome::RunResult,
    policy::{Policies, Strictness},
    run::Program,
    settings::{Buffering, Environment, Filesystem},
    trace::TraceSink,
};
use network_models::{
    BackgroundPlan, Catalog, Faulty, LinkFault, ModelKind, NodeId, NodeShape, RankSockets, Topology,
};
use sim_core::SimTime;

use self::choice::{placement, unknown_policy};
pub use self::{
    memory::{Estimate, Need, Part, Watching},
    variation::{Aspect, Variation},
};
use crate::{
    computing::{Choice, Clock, Clocks, Recording as Durations, Source},
    error::Error,
    machine::{Adjustment, Machine},
    networks::{fitting_model, topology},
    options::{self, RankCount},
    program::{self, Parameters, Volume},
    safety::schedule::Schedule,
    traffic::targets_on,
};

/// A scenario as the user asks for it; the machine supplies what is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Name of a built-in program.
    pub program: String,
    /// Number of ranks.
    pub ranks: u32,
    /// Parameters of a built-in program.
    pub parameters: Parameters,
    /// Name of the machine, or path of its file.
    pub machine: String,
    /// Numbers of the machine that are changed.
    pub adjustments: Vec<Adjustment>,
    /// Topology, such as `torus:4x2`; `None` for the machine's.
    pub topology: Option<String>,
    /// Name of the network model; `None` for the machine's.
    pub network: Option<String>,
    /// Placement of ranks on nodes.
    pub placement: String,
    /// Number of ranks on each node.
    pub ranks_per_node: u32,
    /// Whether ranks of several nodes may share memory: nobody has said how many ranks a node has, and a
    /// program that needs shared memory is started where there is some.
    pub shares_across_nodes: bool,
    /// Number of ranks on each socket of a node; `None` divides those of a node equally.
    pub ranks_per_socket: Option<u32>,
    /// Buffering of standard sends.
    pub buffering: options::Buffering,
    /// Longest message that is sent eagerly, in bytes; `None` for the machine's.
    pub eager_limit: Option<u64>,
    /// Progress of one-sided communication.
    pub progress: options::Progress,
    /// Choices of collective algorithms: `NAME=ALGORITHM` or a selector.
    pub collectives: Vec<String>,
    /// Policies where editions of the standard disagree, each `NAME=VALUE`.
    pub policies: Vec<String>,
    /// How strictly a run follows the standard where MPI libraries do not; `None` is strictest.
    pub strictness: Option<Strictness>,
    /// Number of ranks that share an address space.
    pub ranks_per_process: u32,
    /// Number of ranks that may exist at once if the program starts others (`MPI_UNIVERSE_SIZE`).
    pub universe: Option<u32>,
    /// Folder that holds the files of MPI's input and output.
    pub files: Option<String>,
    /// The file system: a name that the machine gives it, or a JSON file; `None` for the machine's usual one.
    pub filesystem: Option<String>,
    /// Time of reading and writing files without MPI.
    pub io: options::Io,
    /// Seed of all random streams.
    pub seed: u64,
    /// Largest number of events of a run; [`Request::EVENTS_MAX`] if not asked for, and less in a check.
    pub max_events: Option<u64>,
    /// Largest simulated time of a run.
    pub max_time: SimTime,
    /// Stack of each rank in bytes; [`Request::stack_bytes`] gives the default.
    pub stack_size: Option<u64>,
    /// Arguments of the program, without its name.
    pub arguments: Vec<String>,
    /// The verdict that a check is expected to give.
    pub expect: Option<Verdict>,
    /// What the run varies, as one execution of a check did.
    pub schedule: Option<Schedule>,
    /// Source of the computing times between calls.
    pub compute: Choice,
    /// Data of messages that are carried.
    pub data: options::Data,
    /// Noise of the operating system.
    pub noise: Option<options::Noise>,
    /// Links that fail.
    pub faults: Vec<options::Fault>,
    /// Traffic of others on the network.
    pub background: Option<options::BackgroundTraffic>,
    /// What differs from the machine as its file describes it.
    pub variation: Variation,
    /// Clock that measures them, if they are measured.
    pub clock: Option<Clock>,
    /// Clocks that the program sees.
    pub clocks: Clocks,
    /// Topologies and network models that names refer to.
    pub catalog: Catalog,
    /// Why the program itself may give another result each time; set when it is resolved.
    pub unrepeatable: Option<&'static str>,
}

impl Request {
    /// Largest number of events of a run for which no other is asked.
    pub const EVENTS_MAX: u64 = 2_000_000_000;

    /// Sets the number of ranks on each node: those of several nodes share no memory then.
    pub fn set_ranks_per_node(&mut self, ranks: u32) {
        self.ranks_per_node = ranks;
        self.shares_across_nodes = false;
    }

    /// Creates a request with defaults for everything but the program and the number of ranks.
    pub fn new(program: impl Into<String>, ranks: u32) -> Self {
        Self {
            program: program.into(),
            ranks,
            parameters: Parameters::new(),
            machine: "ideal".into(),
            adjustments: Vec::new(),
            topology: None,
            network: None,
            placement: "in-order".into(),
            ranks_per_node: 1,
            shares_across_nodes: true,
            ranks_per_socket: None,
            buffering: options::Buffering::System,
            eager_limit: None,
            progress: options::Progress::Strong,
            collectives: Vec::new(),
            policies: Vec::new(),
            strictness: None,
            ranks_per_process: 1,
            universe: None,
            files: None,
            filesystem: None,
            io: options::Io::Free,
            seed: 0,
            max_events: None,
            max_time: SimTime::MAX,
            stack_size: None,
            arguments: Vec::new(),
            expect: None,
            schedule: None,
            compute: Choice::Modelled,
            data: options::Data::All,
            noise: None,
            faults: Vec::new(),
            background: None,
            variation: Variation::default(),
            clock: None,
            clocks: Clocks::Simulated,
            catalog: Catalog::standard(),
            unrepeatable: None,
        }
    }

    /// Returns why two runs may differ, or `None` if every run gives the same result.
    pub fn irreproducible(&self) -> Option<&'static str> {
        match (&self.compute, self.clocks) {
            (Choice::Measured(_), _) => Some("computing was measured on this host"),
            (_, Clocks::Host) => Some("the program sees the clocks of this host"),
            _ => self.unrepeatable,
        }
    }
}

/// A scenario that can be run.
pub struct Scenario {
    /// Request that was resolved.
    pub request: Request,
    /// Machine of the run.
    pub machine: Machine,
    /// Topology of the run.
    pub topology: Arc<Topology>,
    /// Whether a size of the topology was left out: it is the smallest that holds the ranks.
    pub topology_grows: bool,
    /// Name of the network model.
    pub network: String,
    model: Arc<dyn ModelKind>,
    program: Program,
    nodes: Vec<NodeId>,
    /// Sockets of the nodes and socket of each rank, if nodes have sockets.
    sockets: Option<RankSockets>,
    buffering: Buffering,
    selector: Selector,
    environment: Environment,
    filesystem: Filesystem,
    computing: Source,
    noise: Option<Noise>,
    volume: Volume,
    faults: Vec<LinkFault>,
    /// Traffic of others on the network, with its targets.
    background: Option<BackgroundPlan>,
}

/// The output of a run.
pub struct Ran {
    /// Result of the run.
    pub result: RunResult,
    /// The given trace sink with its records.
    pub sink: Option<Box<dyn TraceSink>>,
    /// Computing times of the program, if they are to be recorded.
    pub durations: Option<Durations>,
}

/// Returns the largest number of ranks that share a node.
fn most_on_a_node(nodes: &[NodeId]) -> u32 {
    let mut sorted = nodes.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(|one, other| one == other).map(|same| same.len() as u32).max().unwrap_or(0)
}

impl Request {
    /// Checks the request and fills in defaults.
    ///
    /// # Errors
    /// Returns the first error that is found.
    pub fn resolve(self) -> Result<Scenario, Error> {
        let (program, volume) = program::find(&self.program, self.ranks, &self.parameters)?;
        Ok(Scenario { volume, ..self.resolve_program(program)? })
    }

    /// Like [`Request::resolve`], for a program of the user.
    ///
    /// # Errors
    /// Returns the first error that is found.
    pub fn resolve_program(self, program: Program) -> Result<Scenario, Error> {
        let machine = self.changed_machine()?;
        self.resolve_on(machine, program)
    }

    /// Like [`Request::resolve_program`], on a machine that need not be in a file; the name of the
    /// machine in the request is not used.
    ///
    /// # Errors
    /// Returns the first error that is found.
    pub fn resolve_on(mut self, machine: Machine, program: Program) -> Result<Scenario, Error> {
        self.unrepeatable = program.irreproducible();
        let machine = match &self.filesystem {
            Some(name) => machine.with_filesystem(name)?,
            None => machine,
        };
        let machine = self.variation.of(machine);
        RankCount::new("the number of ranks", self.ranks)?;
        RankCount::new("the number of ranks on a node", self.ranks_per_node)?;
        let most = self.universe.unwrap_or(self.ranks);
        if most < self.ranks || most > RankCount::MAX {
            return Err(Error::BadValue {
                what: "the size of the universe".into(),
                value: most.to_string(),
                allowed: format!("{}, the number of ranks, to {}", self.ranks, RankCount::MAX),
            });
        }
        self.check_stack(&*program)?;
        let text = self.topology.as_ref().unwrap_or(&machine.default_topology);
        let needed = most.div_ceil(self.ranks_per_node);
        let spec = topology(text, &self.catalog)?;
        let topology = Arc::new(nics::build(&spec, needed, &machine)?);
        let network = self.network.clone().unwrap_or_else(|| machine.default_network.clone());
        let drawn = (&self.catalog, self.seed);
        let model = fitting_model(&network, drawn, &machine.hardware(), &topology)?;
        let faults = self.faults.iter().map(|fault| fault.on(&topology));
        let faults = faults.collect::<Result<Vec<LinkFault>, Error>>()?;
        let faults = self.variation.faults(faults, &topology)?;
        Faulty::check((&*model, &self.catalog), &machine.hardware(), &topology, &faults)?;
        let background = self.background(&*model, &machine, &topology)?;
        let placement = placement(&self.placement, self.seed)?;
        let nodes = placement.place(self.ranks, self.ranks_per_node, &topology)?;
        let sockets = self.sockets(&machine, &nodes)?;
        let mut buffering = self.buffering.on(&machine);
        if let Some(limit) = self.eager_limit {
            buffering.eager_limit = limit;
        }
        let selector = self.selector()?;
        let nodes_of_machine = topology.machine_nodes();
        let environment = Environment {
            nodes: nodes_of_machine,
            processors: machine.processors_of_rank(self.ranks_per_node),
            ..self.environment(machine.representations(nodes_of_machine))?
        };
        let filesystem = machine.filesystem(nodes_of_machine)?;
        let noise = self.noise.as_ref().map(options::Noise::read).transpose()?;
        let computing = Source::of(&self.compute, self.clock, self.ranks)?;
        let mut scenario = Scenario {
            request: self,
            machine,
            topology,
            topology_grows: spec.grows(),
            network,
            model,
            program,
            nodes,
            sockets,
            buffering,
            selector,
            environment,
            filesystem,
            computing,
            noise,
            volume: Volume::default(),
            faults,
            background,
        };
        scenario.idealise_sockets();
        Ok(scenario)
    }

    fn ranks_on_socket(&self, shape: &NodeShape) -> u32 {
        self.ranks_per_socket.unwrap_or(self.ranks_per_node.div_ceil(shape.sockets))
    }

    /// Returns the sockets of the nodes and the socket of each rank, if nodes have sockets.
    fn sockets(&self, machine: &Machine, nodes: &[NodeId]) -> Result<Option<RankSockets>, Error> {
        let bad = |what: &str, value: u32, allowed: String| Error::BadValue {
            what: what.into(),
            value: value.to_string(),
            allowed,
        };
        let Some(shape) = machine.node_shape() else {
            return match self.ranks_per_socket {
                None => Ok(None),
                Some(ranks) => {
                    let reason = "none: the file of the machine has no section `node`";
                    Err(bad("the number of ranks on a socket", ranks, reason.into()))
                }
            };
        };
        // A file may place more of them on a node than are asked for.
        let together = self.ranks_per_node.max(most_on_a_node(nodes));
        if let Some(cores) = shape.cores().filter(|cores| together > *cores) {
            let allowed = format!("1 to {cores}, the cores of a node of this machine");
            return Err(bad("the number of ranks on a node", together, allowed));
        }
        let each = self.ranks_on_socket(&shape);
        let (most, which) = match shape.cores {
            Some(cores) if cores < together => (cores, "cores of a socket of this machine"),
            _ => (together, "ranks on a node"),
        };
        if !(1..=most).contains(&each) {
            let allowed = format!("1 to {most}, the {which}");
            return Err(bad("the number of ranks on a socket", each, allowed));
        }
        let of_ranks = shape.sockets_of(nodes, each);
        let ports = machine.nics().map(|nics| nics.ports(nodes, &of_ranks));
        Ok(Some(RankSockets { shape, of_ranks, ports }))
    }

    /// Returns the traffic of others.
    fn background(
        &self,
        model: &dyn ModelKind,
        machine: &Machine,
        topology: &Topology,
    ) -> Result<Option<BackgroundPlan>, Error> {
        let Some(traffic) = self.background else { return Ok(None) };
        if !model.shares() {
            let others = self.catalog.models().filter(|other| other.shares());
            let names: Vec<&str> = others.map(|other| other.description().name).collect();
            return Err(Error::BadValue {
                what: "the traffic of others".into(),
                value: traffic.to_string(),
                allowed: format!(
                    "none under network model `{}`, in which messages do not delay each other; it has an effect under {}",
                    model.description().name,
                    names.join(", ")
                ),
            });
        }
        let what = "the pattern of the background traffic";
        Ok(Some(BackgroundPlan {
            targets: targets_on(topology, traffic.pattern, (self.seed, false), what)?,
            nodes: topology.nodes(),
            bytes: traffic.bytes,
            rate: machine.hardware().injection,
            load: traffic.load,
            seed: self.seed,
        }))
    }

    /// Returns the absolute path of the folder for files, if there is one.
    ///
    /// # Errors
    /// Returns an error if something else has this name.
    pub fn folder_for_files(&self) -> Result<Option<String>, Error> {
        let Some(name) = &self.files else { return Ok(None) };
        let wrong = |allowed: &str| Error::BadValue {
            what: "the folder for files".into(),
            value: name.clone(),
            allowed: allowed.into(),
        };
        let path = std::path::absolute(name).map_err(|_| wrong("the name of a folder"))?;
        if path.exists() && !path.is_dir() {
            return Err(wrong("a folder, or a name that nothing has yet"));
        }
        let path = path.into_os_string().into_string();
        path.map(Some).map_err(|_| wrong("a name in UTF-8"))
    }

    /// Returns the environment of the ranks.
    fn environment(
        &self,
        representations: Option<Rc<[Representation]>>,
    ) -> Result<Environment, Error> {
        RankCount::new("the number of ranks in an address space", self.ranks_per_process)?;
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
            shares_across_nodes: self.shares_across_nodes,
            files: self.folder_for_files()?.map(Rc::from),
            seed,
            arguments: self.arguments.as_slice().into(),
            simulated_clocks: self.clocks == Clocks::Simulated,
            carried: self.data.limit(),
            models_io: self.io == options::Io::Modelled,
            ..Environment::default()
        })
    }
}
