//! The settings of a run, besides the program and the network.

use std::{collections::BTreeSet, fmt, rc::Rc, sync::Arc};

use network_models::{ByteTime, NodeId, RankSockets};
use serde::{Deserialize, Serialize};
use sim_core::{Limits, Meter, SimDuration, Tap, TieBreak};

use crate::{
    call::{Call, Reply, Site},
    collective::select::Selector,
    cost::Costs,
    noise::SeededNoise,
    object::representation::Representation,
    policy::{Policies, Policy},
};

/// Maximum number of ranks of one run, including those started during the run and those that have
/// ended.
pub const RANKS_MAX: u32 = 1 << 22;

/// System buffering of standard sends, a modelled resource (MPI section 3.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffering {
    /// Largest message that a standard send may buffer in the system, bytes. At 0, empty messages
    /// are still buffered unless the pool is empty.
    pub eager_limit: u64,
    /// Buffer space for such messages, per sending rank.
    pub pool: Pool,
}

/// Buffer space per sending rank. A message occupies its size, and at least one byte, from the
/// completion of its send to its match. A send that does not fit blocks until space is freed or the
/// matching receive is posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pool {
    /// Unlimited space.
    Unlimited,
    /// This many bytes for each rank; 0 makes every standard send synchronous.
    Bytes(u64),
    /// Bytes by world rank; unlimited for ranks beyond the end of the list.
    PerRank(Rc<[u64]>),
    /// No space by itself: where the choices of an execution say so, a message gets some after its sender has
    /// blocked. This needs [`Matching::Explore`] or [`Matching::Sampled`].
    ByChoice,
}

impl Buffering {
    /// Returns settings under which every standard send is buffered.
    pub fn infinite() -> Self {
        Self { eager_limit: u64::MAX, pool: Pool::Unlimited }
    }

    /// Returns settings under which every standard send is synchronous.
    pub fn zero() -> Self {
        Self { eager_limit: 0, pool: Pool::Bytes(0) }
    }
}

/// How far collective operations synchronise their ranks (MPI section 6.1 leaves it open).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectiveSynchronization {
    /// As the chosen algorithm does.
    Algorithm,
    /// No rank leaves before all have entered.
    Full,
    /// As little as the operation's data flow allows: direct messages, no relays.
    Minimal,
}

/// How the kernel chooses where the standard allows several matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matching {
    /// The earliest arrival is taken.
    Arrival,
    /// Drawn from this seed among the messages that have arrived. Drawn are also how long atomic accesses to windows and
    /// requests of locks wait before they depart, and how often polls that could succeed fail.
    Seeded(u64),
    /// Wildcards wait until nothing else can happen, so that every message that could match has
    /// arrived; the choices are taken from the list, and are 0 after its end.
    Explore(Vec<u32>),
    /// The same, and certain wildcards take the messages of certain senders.
    Planned(Arc<Plan>),
    /// Wildcards wait as with [`Matching::Explore`], and the choices are drawn.
    Sampled(Arc<Sample>),
}

/// The beginning of an order of matches, and matches that follow.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Plan {
    /// The first choices.
    pub choices: Vec<u32>,
    /// Matches that are made after them, in ascending order.
    pub matches: Vec<PlannedMatch>,
    /// Sends that are buffered after them where buffering is chosen, in ascending order.
    pub releases: Vec<PlannedRelease>,
}

/// A match that is made in an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PlannedMatch {
    /// Number of the choice that it follows from, from 0.
    pub from: usize,
    /// The receive, probe or wait.
    pub wildcard: WildcardId,
    /// Rank of the sender in the communicator; for a wait, the position of the request in its list.
    pub source: u32,
}

/// A wait of a rank in standard sends that the system ends in an execution, since it buffers their messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PlannedRelease {
    /// Number of the choice that it follows from, from 0.
    pub from: usize,
    /// World rank.
    pub rank: u32,
    /// Number of the rank's event in which it waits.
    pub event: u32,
}

/// What a rank does that leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WildcardKind {
    /// A receive from any source.
    Receive,
    /// A probe for any source.
    Probe,
    /// A wait for any of several requests.
    Wait,
}

/// Identifies a receive or probe for any source, or a wait for any request, across executions: the same id means the same call
/// wherever the history of its rank up to it is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WildcardId {
    /// World rank.
    pub rank: u32,
    /// Number of its rank's event in which the receive begins, or in which the probe or the wait waits.
    pub event: u32,
    /// What it is.
    pub kind: WildcardKind,
}

/// An execution of [`Matching::Sampled`] draws a choice uniformly among all alternatives with probability 1/`OPEN_ONE_IN`,
/// independently for each choice; otherwise it prefers alternatives that were not seen.
pub const OPEN_ONE_IN: u32 = 4;

/// How the choices of an execution are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Seed of the draws.
    pub seed: u64,
    /// Whether ranks have drawn priorities, which change at drawn choices (Burckhardt et al., ASPLOS
    /// 2010); otherwise each choice is drawn for itself.
    pub priorities: bool,
    /// Pairs of a receive's place and a sender that other executions have seen: others are preferred.
    pub seen: BTreeSet<(Site, u32)>,
}

/// How tests and immediate probes report what is complete or has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polls {
    /// They report it at the first call.
    Prompt,
    /// The first successful test or probe is reported as unsuccessful once; a correct program must
    /// cope, since arrival times are not guaranteed.
    Reluctant,
}

/// When one-sided accesses take effect within what the standard allows (MPI section 12.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneSided {
    /// They depart at once.
    Prompt,
    /// They depart when a synchronisation of their origin completes them. Those with a request depart
    /// at once.
    Late,
}

/// How accesses to the memory of windows are compared: those to the same bytes that nothing orders are
/// reported (MPI section 12.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Races {
    /// Those are compared that belong to one epoch or overlap in time.
    Overlapping,
    /// All are compared, by what happened before what: whatever the timing of the run, those count as
    /// ordered that messages, collectives and synchronisation order. Takes memory and time for each message
    /// from the first window on.
    Causal,
}

/// When one-sided accesses and requests for locks are served at their target (MPI section 12.7.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// When they arrive, without the target's processor.
    #[default]
    Strong,
    /// While the target is in a call of MPI, whose processor they take.
    Weak,
}

/// The modelled file system. Files are striped over the servers; each server does one thing
/// after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filesystem {
    /// Number of servers; at least 1.
    pub servers: u32,
    /// Bytes of a stripe; at least 1.
    pub stripe: u64,
    /// Time from a request to the beginning of its transfer.
    pub latency: SimDuration,
    /// Time that a server takes for a byte.
    pub byte_time: ByteTime,
    /// Time that an operation on names or attributes takes, or one on a shared file pointer: opening,
    /// closing, deleting, changing the size.
    pub metadata: SimDuration,
    /// Number of servers that hold one file, unless its hints say otherwise; `None` for all.
    pub stripe_count: Option<u32>,
    /// The nodes at which the servers are, in turn: then requests, data and answers pass the network. Empty
    /// if the servers have a network of their own, which takes no time.
    pub server_nodes: Rc<[NodeId]>,
    /// The cache of each node; `None` if nodes have none.
    pub cache: Option<ClientCache>,
}

/// The memory of a node that holds bytes of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientCache {
    /// Its size in bytes. Written bytes that servers do not have yet take no more than this.
    pub bytes: u64,
    /// Time of a byte that is copied from or to it.
    pub byte_time: ByteTime,
}

impl Default for Filesystem {
    /// Returns four servers of 2 GB/s with stripes of 1 MiB, as a small parallel file system has.
    fn default() -> Self {
        Self {
            servers: 4,
            stripe: 1 << 20,
            latency: SimDuration::from_us(200),
            byte_time: ByteTime::from_fs(500_000),
            metadata: SimDuration::from_us(500),
            stripe_count: None,
            server_nodes: Rc::default(),
            cache: None,
        }
    }
}

/// All settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Node of each world rank; the length of the list is the number of ranks.
    pub nodes: Vec<NodeId>,
    /// The sockets of the nodes and the socket of each world rank; `None` leaves messages within a
    /// node to the network.
    pub sockets: Option<RankSockets>,
    /// Processor costs of MPI calls.
    pub costs: Costs,
    /// System buffering.
    pub buffering: Buffering,
    /// Synchronisation of collective operations.
    pub synchronisation: CollectiveSynchronization,
    /// Choice of algorithms for collective operations.
    pub selector: Selector,
    /// Choice among several possible matches.
    pub matching: Matching,
    /// Results of tests and immediate probes.
    pub polls: Polls,
    /// Departure of one-sided accesses.
    pub one_sided: OneSided,
    /// Progress of one-sided accesses.
    pub progress: Progress,
    /// Comparison of one-sided accesses.
    pub races: Races,
    /// The servers of files.
    pub filesystem: Filesystem,
    /// Order of simultaneous events.
    pub tie_break: TieBreak,
    /// Limits of the run.
    pub limits: Limits,
    /// Most messages that may be under way or wait for their receives at once; with more the run ends.
    /// `None` sets no limit.
    pub unreceived_max: Option<u32>,
    /// Number of unsuccessful polls in a row, with nothing under way in between, after which the run is
    /// a livelock. Of atomic reads of windows that find the same, a tenth of it.
    pub idle_polls_max: u64,
    /// A rank that begins late, and its delay. A rank that is started during the run leaves its
    /// initialization late instead.
    pub late: Option<(u32, SimDuration)>,
    /// Noise of the operating system; `None` leaves processors to the program.
    pub noise: Option<SeededNoise>,
    /// Settings that programs can observe.
    pub environment: Environment,
}

impl Settings {
    /// The usual number of polls: far more than a program makes that gives up after some.
    pub const IDLE_POLLS_MAX: u64 = 500_000;

    /// Returns the settings of ranks on these nodes whose MPI calls cost no processor time, with
    /// defaults for everything else.
    pub fn free(nodes: Vec<NodeId>, buffering: Buffering) -> Self {
        Self {
            nodes,
            sockets: None,
            costs: Costs::free(),
            buffering,
            synchronisation: CollectiveSynchronization::Algorithm,
            selector: Selector::default_choice(),
            matching: Matching::Arrival,
            one_sided: OneSided::Prompt,
            progress: Progress::Strong,
            races: Races::Overlapping,
            filesystem: Filesystem::default(),
            tie_break: TieBreak::InsertionOrder,
            limits: Limits::standard(),
            unreceived_max: None,
            idle_polls_max: Self::IDLE_POLLS_MAX,
            polls: Polls::Prompt,
            late: None,
            noise: None,
            environment: Environment::default(),
        }
    }
}

/// Settings of a run that programs can observe.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Policies on which editions of the standard disagree.
    pub policies: Policies,
    /// Number of ranks that share an address space; these are neighbours in rank.
    pub ranks_per_process: u32,
    /// Data representation of each node; `None` if all nodes use the same.
    pub representations: Option<Rc<[Representation]>>,
    /// Maximum number of ranks at the same time (`MPI_UNIVERSE_SIZE`); `None` reports the number
    /// the run begins with and sets no limit.
    pub universe: Option<u32>,
    /// Whether `MPI_Win_allocate_shared` may be called by ranks of several nodes.
    pub shares_across_nodes: bool,
    /// Number of nodes of the machine; nodes that hold no rank at the start are used for ranks
    /// started during the run.
    pub nodes: u32,
    /// Number of processors that each rank may use, as its program sees it; `None` if the machine
    /// does not say.
    pub processors: Option<u32>,
    /// Seed of random choices of the implementation: the search for a good numbering of ranks.
    pub seed: u64,
    /// Arguments, without the program's name, for a program that is a Rust function.
    pub arguments: Rc<[String]>,
    /// Whether the standard library's clocks and sleeps are simulated in ranks that are Rust
    /// functions.
    pub simulated_clocks: bool,
    /// The meter that determines how long programs compute between their calls; with `None` they
    /// compute as long as they declare. Process numbers below the number of ranks are ranks;
    /// threads and ranks that begin later follow.
    pub computing: Option<Computing>,
    /// The largest number of bytes of a message, or of a block of a collective operation, whose data
    /// are carried; of larger ones only the size is simulated. `None` carries all data.
    pub carried: Option<u64>,
    /// The recorder of the calls of all ranks and the replies to them.
    pub recorder: Option<Recorder>,
    /// The folder that holds the files of MPI's input and output; `None` leaves their names as the
    /// program gives them.
    pub files: Option<Rc<str>>,
    /// Whether reading and writing files by the language of a compiled program takes simulated time, as by MPI
    /// ([`Settings::filesystem`]).
    pub models_io: bool,
    /// The memory of compiled programs that is watched for their own accesses. Slow; used for runs that
    /// serve only to find such accesses.
    pub watched: Watched,
    /// Whether the buffers of compiled programs are compared with the variables and heap blocks that
    /// hold them: their size, and their type as the debug information tells it.
    pub compares_buffers: bool,
    /// Whether calls are noted that not every library provides for ([`Code::Portability`]); there is no
    /// recorder then.
    ///
    /// [`Code::Portability`]: crate::finding::Code::Portability
    pub notes_portability: bool,
    /// The ranks whose threads and tasks begin in reverse order; [`run`](crate::run::run) sets it.
    pub reversed: Reversed,
}

impl Environment {
    /// Reports whether types with the same representation match under different names. They do not
    /// where nodes represent data differently, since conversion needs the names.
    pub(crate) fn matches_representations(&self) -> bool {
        self.policies.differs(Policy::EqualRepresentations) && self.representations.is_none()
    }
}

/// The ranks whose threads begin and wake in reverse order, and whose OpenMP tasks and sections do, of those that can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reversed {
    /// None.
    Nobody,
    /// All.
    Everybody,
    /// Those with odd numbers, so that ranks differ.
    Odd,
}

impl Reversed {
    /// Returns the ranks of a run: none unless the order of simultaneous events is drawn.
    pub fn of(tie_break: TieBreak) -> Self {
        match tie_break {
            TieBreak::InsertionOrder => Self::Nobody,
            TieBreak::Seeded(seed) if seed.is_multiple_of(2) => Self::Everybody,
            TieBreak::Seeded(_) => Self::Odd,
        }
    }

    /// Returns whether a rank is one of them.
    pub fn contains(self, rank: u32) -> bool {
        match self {
            Self::Nobody => false,
            Self::Everybody => true,
            Self::Odd => rank % 2 == 1,
        }
    }
}

/// Memory that is watched for accesses of the program itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// None.
    Nothing,
    /// That which pending operations own: the program must not touch it.
    Owned,
    /// Like `Owned`, as before MPI 2.2: the program must not even read what pending operations send.
    OwnedAlone,
    /// That of windows, whose bytes may not be in use by accesses of other ranks.
    Windows {
        /// Whether the program may poll: then loads of words that others update atomically are taken
        /// for polls.
        polls: bool,
    },
}

impl Watched {
    /// Reports whether the memory of windows is watched.
    pub fn is_of_windows(self) -> bool {
        match self {
            Self::Windows { .. } => true,
            Self::Nothing | Self::Owned | Self::OwnedAlone => false,
        }
    }
}

/// A meter of computing, shared by the engine and the code that starts ranks.
#[derive(Clone)]
pub struct Computing(pub Rc<dyn Meter<Call>>);

impl fmt::Debug for Computing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Computing")
    }
}

/// A recorder of the calls of a run.
#[derive(Clone)]
pub struct Recorder(pub Rc<dyn Tap<Call, Reply>>);

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Recorder")
    }
}

impl Default for Environment {
    fn default() -> Self {
        Self {
            policies: Policies::default(),
            ranks_per_process: 1,
            representations: None,
            universe: None,
            shares_across_nodes: false,
            nodes: 0,
            processors: None,
            seed: 0,
            arguments: Rc::default(),
            simulated_clocks: false,
            computing: None,
            carried: None,
            recorder: None,
            files: None,
            models_io: false,
            watched: Watched::Nothing,
            compares_buffers: false,
            notes_portability: false,
            reversed: Reversed::Nobody,
        }
    }
}
