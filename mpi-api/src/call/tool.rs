//! The tools interface (MPI section 15.3).

use serde::{Deserialize, Serialize};
use sim_core::SimTime;

use super::CommId;

/// A setting of the library that a program may read and change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Control {
    /// Largest message that a standard send buffers, in bytes; -1 for no limit.
    EagerLimit,
    /// Space for such messages, in bytes for each rank; -1 for no limit.
    BufferPool,
    /// The algorithm of a collective, by its place in
    /// [`Selector::table`](crate::collective::select::Selector::table): 0 leaves the choice to the rule, 1
    /// is the first algorithm.
    Algorithm(u32),
}

/// Something that the library counts for each rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Gauge {
    /// Receives that wait for their messages.
    PostedReceives,
    /// Messages that wait for their receives.
    UnexpectedMessages,
    /// Messages that have had to wait for their receives since the rank began.
    UnexpectedTotal,
    /// Messages that the rank has sent, those inside collectives included.
    MessagesSent,
    /// Bytes of data in them.
    BytesSent,
    /// Bytes of its standard sends that the system holds.
    BufferedBytes,
    /// The largest number of such bytes so far.
    BufferedPeak,
    /// Time outside MPI, picoseconds.
    ComputingTime,
    /// Processor time inside MPI, picoseconds.
    OverheadTime,
    /// Time blocked in MPI, picoseconds.
    WaitingTime,
    /// The part of this time for the file system, picoseconds.
    FileTime,
}

/// A type of event: what happens to a message between two ranks at its receiver (MPI section 15.3.8).
/// Messages inside collectives have no events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventKind {
    /// The message has found its receive posted.
    MatchedPosted,
    /// The message has found no receive, and waits for one.
    Unexpected,
    /// A receive has taken a message that had waited for it.
    MatchedUnexpected,
}

impl EventKind {
    /// All types, by index.
    pub const ALL: [Self; 3] = [Self::MatchedPosted, Self::Unexpected, Self::MatchedUnexpected];

    /// Returns the index in [`EventKind::ALL`].
    pub fn index(self) -> usize {
        match self {
            Self::MatchedPosted => 0,
            Self::Unexpected => 1,
            Self::MatchedUnexpected => 2,
        }
    }
}

/// What has happened to one message at its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchEvent {
    /// What has happened.
    pub kind: EventKind,
    /// When it has happened.
    pub time: SimTime,
    /// The communicator of the message.
    pub comm: CommId,
    /// Rank of the sender in it, or in its remote group.
    pub source: u32,
    /// Tag of the message.
    pub tag: i32,
    /// Its size in bytes.
    pub bytes: u64,
}

/// Events of a rank, in the order in which they happened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchEvents {
    /// Those that were kept.
    pub kept: Vec<MatchEvent>,
    /// How many of each type there were no room for.
    pub lost: [u64; EventKind::ALL.len()],
}

/// A call of the tools interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToolCall {
    /// Reads a setting; replies `Offset`.
    Get(Control),
    /// Changes a setting for all ranks, from the present time on.
    Set(Control, i64),
    /// Reads what is counted for the calling rank; replies `Offset`.
    Read(Gauge),
    /// Sets how many events of each type are kept for the calling rank until it takes them: 0 for a type
    /// that nobody listens to.
    Listen([u32; EventKind::ALL.len()]),
    /// Takes the events of the calling rank since it took them last; replies `Events`. It takes no time and does
    /// not end a series of polls.
    TakeEvents,
}
