//! What a run is given besides the program and the network.

use std::{fmt, rc::Rc};

use network_models::NodeId;
use sim_core::{Limits, Meter, SimDuration, TieBreak};

use crate::{
    call::Call, collective::select::Selector, cost::Costs, object::representation::Representation,
    policy::Policies,
};

/// System buffering, a modelled resource (MPI section 3.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffering {
    /// Longest message a standard send may hand to the system, bytes; 0 still lets an empty
    /// message through unless the pool is empty.
    pub eager_limit: u64,
    /// Space for such messages, per sending rank.
    pub pool: Pool,
}

/// Buffer space per sending rank. A message takes its size, and at least one byte, from the
/// moment its send completes to the moment it is matched. When a send does not fit it waits: it
/// goes on as soon as space frees or the receive is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pool {
    /// Never full.
    Unlimited,
    /// This many bytes for each rank; 0 makes every standard send synchronous.
    Bytes(u64),
    /// Bytes by world rank; unlimited for those beyond.
    PerRank(Rc<[u64]>),
}

impl Buffering {
    /// Every standard send is buffered.
    pub fn infinite() -> Self {
        Self { eager_limit: u64::MAX, pool: Pool::Unlimited }
    }

    /// Every standard send is synchronous.
    pub fn zero() -> Self {
        Self { eager_limit: 0, pool: Pool::Bytes(0) }
    }
}

/// How far collective operations synchronise (MPI section 6.1 leaves it open).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Synchronisation {
    /// As the chosen algorithm happens to.
    Algorithm,
    /// Nobody leaves before all have entered.
    Full,
    /// As little as the operation's data flow allows: direct messages, no relays.
    Least,
}

/// How the kernel decides where the standard leaves several matches open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matching {
    /// The earliest arrival.
    Arrival,
    /// Drawn from a seed among what has arrived.
    Seeded(u64),
    /// Wildcards wait until nothing else can happen, so that every message that could match is
    /// there; the choices are taken from the list, then 0.
    Explore(Vec<u32>),
}

/// How tests and immediate probes go about what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polls {
    /// They find it.
    Prompt,
    /// They find it the second time they are asked: it may have come a little later.
    Reluctant,
}

/// Everything that shapes a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Node of each world rank; its length is the number of ranks.
    pub nodes: Vec<NodeId>,
    /// Processor prices.
    pub costs: Costs,
    /// System buffering.
    pub buffering: Buffering,
    /// Collectives' synchronisation.
    pub synchronisation: Synchronisation,
    /// Collectives' algorithms.
    pub selector: Selector,
    /// Free choices.
    pub matching: Matching,
    /// Outcomes of polls.
    pub polls: Polls,
    /// Order of simultaneous events.
    pub tie_break: TieBreak,
    /// Bounds of the run.
    pub limits: Limits,
    /// One rank that begins late, with its delay; of ranks that others start, one that leaves its
    /// initialization late.
    pub late: Option<(u32, SimDuration)>,
    /// What is around the ranks.
    pub environment: Environment,
}

/// What is around the ranks of a program.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Where editions of the standard disagree.
    pub policies: Policies,
    /// How many ranks share an address space; neighbours in rank do.
    pub ranks_per_process: u32,
    /// How each node represents data; none if all do it alike.
    pub representations: Option<Rc<[Representation]>>,
    /// How many ranks there may be at the same time (`MPI_UNIVERSE_SIZE`); none is as many as the
    /// run begins with, and no limit.
    pub universe: Option<u32>,
    /// How many nodes the machine has; those it has beyond the ranks' hold ranks that are started
    /// during the run.
    pub nodes: u32,
    /// Seed of what the implementation draws: the search for a good numbering of ranks.
    pub seed: u64,
    /// Arguments of a program that is a function, those that follow its name.
    pub arguments: Rc<[String]>,
    /// Whether the standard library's clocks and sleeps are simulated in ranks that are Rust
    /// functions.
    pub simulated_clocks: bool,
    /// What tells how long programs compute between their calls; none takes them to compute as
    /// long as they declare. Process numbers below the number of ranks are ranks; threads and
    /// ranks that begin later follow.
    pub computing: Option<Computing>,
    /// Whether compiled programs are watched for accesses to memory that operations own: slow, and
    /// for nothing else than to find them.
    pub watched: bool,
}

/// A meter of computing, shared by the engine and whoever prepares ranks.
#[derive(Clone)]
pub struct Computing(pub Rc<dyn Meter<Call>>);

impl fmt::Debug for Computing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Computing")
    }
}

impl Default for Environment {
    fn default() -> Self {
        Self {
            policies: Policies::default(),
            ranks_per_process: 1,
            representations: None,
            universe: None,
            nodes: 0,
            seed: 0,
            arguments: Rc::default(),
            simulated_clocks: false,
            computing: None,
            watched: false,
        }
    }
}
