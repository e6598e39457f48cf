//! What the findings about a stall say of the ranks and threads that wait: WT0001, WT0002, WT0022.

use std::collections::BTreeSet;

use super::signal::bytes_text;
use crate::finding::{CallSite, ranks_text};

/// A node of the wait-for graph: a blocked thread and its partners.
pub(crate) struct Waiting {
    pub(crate) rank: u32,
    /// Number of the thread's process.
    pub(crate) process: u32,
    /// Name for texts: the rank, or one of its threads.
    pub(crate) name: String,
    /// The thread of its rank that it waits for, if it waits for nothing else.
    pub(crate) joined: Option<u32>,
    /// Whether that thread holds what it waits for, such as a lock.
    pub(crate) held: bool,
    pub(crate) awaits: Awaits,
    /// Whether its rank has several threads.
    pub(crate) threaded: bool,
    /// Whether it needs all of `partners`, or any one of them.
    pub(crate) all: bool,
    pub(crate) partners: Vec<u32>,
    pub(crate) site: CallSite,
    /// Other calls that show what it waits for, such as the one that made its request.
    pub(crate) shown: Vec<CallSite>,
}

/// A collective operation that a rank has entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entered {
    /// Name of the call that has made it.
    pub(crate) call: &'static str,
    /// Whether it is persistent: then it is entered where it is started.
    pub(crate) persistent: bool,
}

/// What lets a blocked rank or thread go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaits {
    /// A message.
    Message,
    /// The receive of its message.
    Receive,
    /// The receives of the messages that an attached buffer holds.
    Buffered,
    /// The ranks that have not called this collective operation.
    Collective(Entered),
    /// New ranks that initialize MPI.
    Births,
    /// Other processes that connect to the port at which it accepts.
    Connection,
    /// `MPI_Win_post` of ranks that expose no memory.
    Posts,
    /// `MPI_Win_post` of ranks that expose their memory to others only.
    PostsToIt,
    /// `MPI_Win_start` and `MPI_Win_complete` of ranks to which it exposes its memory.
    Starts,
    /// `MPI_Win_start` of ranks that have started accesses to the memory of others only.
    StartsForIt,
    /// `MPI_Win_complete` of ranks that have started their accesses.
    Completes,
    /// `MPI_Win_unlock` of the ranks that hold a lock.
    Unlock,
    /// This number of partitions that the sender has not declared ready.
    Partitions(u64),
    /// The start of the request at the other end of a partitioned communication.
    Start,
    /// `MPI_Grequest_complete`, which the rank itself calls.
    Completion,
    /// A thread of its rank.
    Thread,
    /// A thread of its rank, any one of them.
    AnyThread,
    /// The end of accesses, or several of these.
    Other,
}

impl Awaits {
    /// Reports whether a thread waits outside MPI, for other threads of its rank to wake it.
    pub(crate) fn is_outside_mpi(self) -> bool {
        match self {
            Self::Thread | Self::AnyThread => true,
            Self::Message
            | Self::Receive
            | Self::Collective(_)
            | Self::Buffered
            | Self::Births
            | Self::Connection
            | Self::Posts
            | Self::PostsToIt
            | Self::Starts
            | Self::StartsForIt
            | Self::Completes
            | Self::Unlock
            | Self::Partitions(_)
            | Self::Start
            | Self::Completion
            | Self::Other => false,
        }
    }
}

/// Ranks and threads that wait for ever.
pub(crate) struct Stall {
    pub(crate) waiting: Vec<Waiting>,
    /// Number of other ranks that have not finished and go on.
    pub(crate) going_on: usize,
}

/// Returns the label of the call in which a rank or thread waits for `partners`, all or any of them,
/// or for a thread of its rank.
pub(crate) fn describe(
    name: &str,
    site: &CallSite,
    (awaits, all, partners): (Awaits, bool, &[u32]),
    thread: Option<String>,
) -> String {
    let whom = match partners {
        _ if thread.is_some() => thread.unwrap_or_default(),
        [] if awaits == Awaits::Completion => "MPI_Grequest_complete".to_string(),
        [] if awaits == Awaits::Connection => "others that connect to its port".to_string(),
        [] => "a message nobody is left to send".to_string(),
        [one] => format!("rank {one}"),
        many if all => format!("all of {}", list(many)),
        many => format!("any of {}", list(many)),
    };
    let call = site.call;
    let size = site.bytes.map_or(String::new(), |bytes| format!(" ({})", bytes_text(bytes)));
    format!("{name} waits in {call}{size} for {whom}")
}

/// Returns the ranks as text, each once.
pub(super) fn list(ranks: &[u32]) -> String {
    let each: Vec<u32> = ranks.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect();
    ranks_text(&each)
}

impl Stall {
    /// Returns the note that says how many ranks or threads are blocked.
    pub(super) fn note(&self) -> String {
        let what = if self.waiting.iter().any(|w| w.threaded) { "thread" } else { "rank" };
        let blocked = match self.waiting.len() {
            1 => format!("1 {what} is blocked"),
            count => format!("{count} {what}s are blocked"),
        };
        match self.going_on {
            0 => format!("nothing can happen any more and {blocked}"),
            1 => format!(
                "{blocked} for ever; another rank goes on, but nothing that it does can change that"
            ),
            others => format!(
                "{blocked} for ever; {others} others go on, but nothing that they do can change that"
            ),
        }
    }
}

/// Reports whether no other thread of its rank waits for anything.
pub(crate) fn is_alone(waiting: &[Waiting], one: &Waiting) -> bool {
    !waiting.iter().any(|w| w.rank == one.rank && w.process != one.process)
}
