//! The result of a finished simulation.

use network_models::{Cost, LinkUsage, Method, PacketLosses};
use serde::{Deserialize, Serialize};
use sim_core::{SimDuration, SimTime};

use crate::{
    call::Site,
    finding::{CallSite, Finding},
    settings::WildcardId,
    text::{Text, interned},
};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// Every rank ended.
    Completed,
    /// Nothing could happen any more and some rank was blocked.
    Stalled,
    /// An error, a panic, an abort or a limit ended the run.
    Failed,
}

impl Ending {
    /// Returns the name used in machine-readable output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Stalled => "stalled",
            Self::Failed => "failed",
        }
    }
}

/// The simulated time and traffic of one rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankTotals {
    /// Time outside MPI.
    pub compute: SimDuration,
    /// Processor time inside MPI.
    pub overhead: SimDuration,
    /// Time blocked in MPI.
    pub waiting: SimDuration,
    /// The part of this time in which it was blocked for the file system.
    pub files: SimDuration,
    /// Time at which the rank ended, or the run stopped.
    pub finish: SimTime,
    /// Number of messages it sent.
    pub messages: u64,
    /// Bytes of data it sent.
    pub bytes: u64,
    /// Largest number of bytes of its standard sends that the system buffered at the same time.
    pub peak_buffered: u64,
}

/// What one server of the file system has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerLoad {
    /// Number of requests.
    pub requests: u64,
    /// Bytes that were read from it.
    pub read: u64,
    /// Bytes that were written to it.
    pub written: u64,
    /// Time in which it moved bytes or, as the server of metadata, worked on requests.
    pub busy: SimDuration,
}

impl ServerLoad {
    /// Returns the percentage of a run of this length in which it worked.
    pub fn busy_percent(&self, makespan: SimTime) -> f64 {
        match makespan.as_ps() {
            0 => 0.0,
            whole => self.busy.as_ps() as f64 * 100.0 / whole as f64,
        }
    }
}

/// What the servers of the file system have done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerLoads {
    /// The servers of data; empty if no data were moved.
    pub data: Vec<ServerLoad>,
    /// The server of metadata.
    pub metadata: ServerLoad,
}

/// Most ranks whose blocked calls a result tells.
pub const BLOCKED_MAX: usize = 256;

/// A call in which a rank, or a thread of it, is blocked for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    /// The call.
    pub site: CallSite,
    /// Which thread of the rank is blocked, as in `thread 1 of rank 0`; `None` where the rank has only one.
    pub thread: Option<String>,
    /// The ranks that it waits for.
    pub partners: Vec<u32>,
    /// Whether it needs all of them, or any one.
    pub all: bool,
}

/// One free choice of the run (a wildcard's match, a wait for any, the order of wildcards).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Index of the alternative that was taken, from 0.
    pub taken: u32,
    /// Number of alternatives; 1 where the order of two wildcards made no difference.
    pub alternatives: u32,
    /// The call that had the choice; `None` where wildcards of several ranks could go first, and where it
    /// was whether messages are buffered.
    pub by: Option<Chosen>,
    /// The message that was taken, if the choice was among messages.
    pub took: Option<Took>,
    /// The message that the first alternative is, if another one was taken.
    pub instead: Option<Took>,
    /// The call whose messages the system buffers from here on, if that was chosen.
    pub buffers: Option<Chosen>,
    /// The requests that a wait or test for any or some has reported: bit `i` is the request at position `i` of the
    /// call's list, from 0. Positions from 64 on are not kept.
    pub reported: Option<u64>,
    /// Whether it was made because a [plan](crate::settings::Plan) says so.
    pub planned: bool,
}

/// Matches and buffered messages of an execution that make another one of its choices worthwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Late {
    /// Number of the choice whether a wildcard lets others go first, from 0.
    pub choice: usize,
    /// The matches that a message needs which came too late for the wildcard, and the match of both: wildcards and the
    /// ranks of the senders in their communicators, or the positions of requests in the lists of waits.
    pub matches: Vec<(WildcardId, u32)>,
    /// The waits in standard sends that have to end before, since the system buffers the messages: ranks and their
    /// events.
    pub releases: Vec<(u32, u32)>,
}

/// A message that was taken where there were several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Took {
    /// World rank of its sender.
    pub source: u32,
    /// Tag of the message.
    pub tag: i32,
    /// Place of the send.
    pub site: Site,
}

/// A call that had a free choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// World rank.
    pub rank: u32,
    /// Name of the call, such as `receive`.
    #[serde(deserialize_with = "interned")]
    pub call: Text,
    /// Place of the call.
    pub site: Site,
    /// What the call chose among.
    pub among: Among,
}

/// What a call with a free choice chooses among.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Among {
    /// Messages that match (MPI 5.0, 3.5).
    Messages,
    /// Requests that are complete, of which a call reports any or some (MPI 5.0, 3.7.5).
    Requests,
    /// Groups that wait at a port (MPI 5.0, 11.9.2).
    Groups,
    /// Threads of a rank, which call MPI in any order (MPI 5.0, 11.6).
    Threads,
    /// Whether an operation is cancelled or completes (MPI 5.0, 3.8.4).
    Cancellation,
    /// Atomic accesses and requests of locks on their way to a window (MPI 5.0, 12.5.3 and 12.7.1).
    Accesses,
}

/// A communicator created with `reorder` (MPI section 8.5), whose ranks may be renumbered to bring
/// communication partners close together, on a network where this makes a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reordering {
    /// Place of the call that created it.
    pub site: Site,
    /// Kind and size of the topology, such as `torus 8x8`.
    pub topology: String,
    /// Number of ranks of the communicator.
    pub ranks: u32,
    /// The method that found the numbering.
    pub method: Method,
    /// Cost of one message along each edge, weighted, if ranks kept their order.
    pub before: Cost,
    /// The same cost with the numbering that was chosen.
    pub after: Cost,
}

/// Ranks that the program started during the run (MPI section 11.8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// Number of the first of them in the run.
    pub first: u32,
    /// Number of ranks; their numbers are consecutive.
    pub ranks: u32,
    /// The rank that was the root of the spawn.
    pub by: u32,
    /// Place of the root's call.
    pub site: Site,
    /// Time at which they began.
    pub time: SimTime,
}

impl Started {
    /// Returns a description of the ranks and their origin.
    pub fn describe(&self) -> String {
        let (first, by) = (self.first, self.by);
        let place = self.site.known().map(|site| format!(", {}:{}", site.file, site.line));
        let place = place.unwrap_or_default();
        match self.ranks {
            1 => format!("rank {first} was started by rank {by}{place}"),
            many => {
                let last = first + many - 1;
                format!("ranks {first} to {last} were started by rank {by}{place}")
            }
        }
    }
}

/// The result of one simulation. The same inputs give the same value, bit for bit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunResult {
    /// How the run ended.
    pub ending: Ending,
    /// Time at which the last rank ended, or the run stopped.
    pub makespan: SimTime,
    /// The run's digest.
    pub digest: u64,
    /// Number of events that the engine handled.
    pub events: u64,
    /// Number of messages sent, including those inside collective operations.
    pub messages: u64,
    /// Bytes of data in these messages.
    pub bytes: u64,
    /// How long these messages take at most, one after the other, on a network that carries nothing else; `None` if that
    /// is not known.
    pub messages_alone: Option<SimDuration>,
    /// One entry per rank, including ranks started during the run.
    pub ranks: Vec<RankTotals>,
    /// Usage of each directed link; empty for networks without links.
    pub links: Vec<LinkUsage>,
    /// What happened to packets, on networks that drop packets.
    pub losses: Option<PacketLosses>,
    /// Findings, most severe first.
    pub findings: Vec<Finding>,
    /// The calls in which ranks are blocked for ever, of at most [`BLOCKED_MAX`] ranks.
    pub blocked: Vec<Blocked>,
    /// Free choices in the order in which they were made.
    pub choices: Vec<Choice>,
    /// After how many choices the execution became one that another order of choices leads to as well, if it did.
    pub repeats: Option<usize>,
    /// Places of receives and probes for any source, each with the world rank of a sender whose message it took; only if
    /// the run was one of a search of orders.
    pub matched: Vec<(Site, u32)>,
    /// What must be matched for choices between wildcards to matter. Where nothing is said about such a choice with two
    /// alternatives, that is not known.
    pub late: Vec<Late>,
    /// Whether matches of a [plan](crate::settings::Plan) could not be made.
    pub unmet: bool,
    /// Communicators created with `reorder`, in order of creation.
    pub reorderings: Vec<Reordering>,
    /// Ranks that were started during the run, in order.
    pub started: Vec<Started>,
    /// Remarks about this ending by a program that may legally end in several ways; usually empty.
    pub declared: Vec<String>,
    /// Exit code chosen by a rank: that of the first rank that aborted, else of the lowest rank
    /// that failed, as a shell reports it.
    pub exit_code: Option<i32>,
    /// Whether the program calls tests or probes that do not wait.
    pub polled: bool,
    /// Whether the program has created windows.
    pub one_sided: bool,
    /// Whether it made atomic accesses to windows or asked for locks, whose order may decide.
    pub competes: bool,
    /// What the servers of the file system have done; `None` if the program has not used files of MPI.
    pub servers: Option<ServerLoads>,
    /// Whether a compiled program refers to `MPI_Win_sync`, as those do that poll memory of their windows.
    pub syncs: bool,
    /// Whether a compiled program refers to `MPI_Win_shared_query`, as those do that use memory of other ranks directly.
    pub shares: bool,
    /// Whether operations own memory of the program that can be watched.
    pub owns: bool,
    /// Whether buffers of the program can be compared with the variables and heap blocks that hold them.
    pub comparable: bool,
    /// Number of accesses of the program to pages with watched memory.
    pub accesses: u64,
    /// Whether further accesses to watched memory were not looked at, since there are too many.
    pub watched_in_part: bool,
    /// Whether the program frees requests of operations that may be under way.
    pub freed: bool,
    /// Whether the program splits communicators by node (`MPI_COMM_TYPE_SHARED`).
    pub splits_by_node: bool,
    /// Whether threads of ranks began in reverse order, as they do in drawn orders of simultaneous events.
    pub reverses_threads: bool,
    /// The first call that cancels an operation under way, which may come too late for that.
    pub cancels: Option<Chosen>,
    /// Whether the run was stopped from outside before its end.
    pub interrupted: bool,
    /// Whether the run was ended by its limit of events.
    pub endless: bool,
    /// Whether the run was stopped because this process used more memory than it may.
    pub out_of_memory: bool,
}

impl RunResult {
    /// Creates the result of a run of which only the failure is known.
    pub fn of_failure(ranks: u32, finding: Finding) -> Self {
        Self {
            ending: Ending::Failed,
            makespan: SimTime::ZERO,
            digest: 0,
            events: 0,
            messages: 0,
            bytes: 0,
            messages_alone: None,
            ranks: vec![RankTotals::default(); ranks as usize],
            links: Vec::new(),
            losses: None,
            findings: vec![finding],
            blocked: Vec::new(),
            choices: Vec::new(),
            repeats: None,
            matched: Vec::new(),
            late: Vec::new(),
            unmet: false,
            reorderings: Vec::new(),
            started: Vec::new(),
            declared: Vec::new(),
            exit_code: None,
            polled: false,
            one_sided: false,
            competes: false,
            servers: None,
            syncs: false,
            shares: false,
            owns: false,
            comparable: false,
            accesses: 0,
            watched_in_part: false,
            freed: false,
            splits_by_node: false,
            reverses_threads: false,
            cancels: None,
            interrupted: false,
            endless: false,
            out_of_memory: false,
        }
    }
}
