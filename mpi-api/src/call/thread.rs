//! Threads of a rank (MPI section 11.6).

use serde::{Deserialize, Serialize};
use sim_core::SimTime;

use crate::text::{Text, interned};

/// A call about the threads of the calling rank.
#[derive(Debug, Serialize, Deserialize)]
pub enum ThreadCall {
    /// Starts another thread; replies `Object` with its number.
    Spawn(Threading, ThreadBody),
    /// Waits until a thread has ended.
    Join(u32),
    /// Blocks the calling thread outside MPI until another thread of its rank wakes it; replies
    /// `Done`, or `NotYet` if its time limit passes first.
    Park(Parking),
    /// Wakes those threads in the first list that are parked; the threads in the second list now
    /// wait for the first of them.
    Unpark(Vec<u32>, Vec<u32>),
    /// The thread polled unsuccessfully and yields to the other threads of its rank; replies
    /// `NotYet`.
    Yield,
    /// The thread is in a loop that calls nothing and ends only when somebody else changes memory that it
    /// reads; replies `NotYet` when time has passed. A loop is `fresh` where the thread has run on since it was
    /// last found in one.
    Spin {
        /// Whether the thread may have changed memory since its last call of this kind.
        fresh: bool,
    },
    /// Records that the calling thread has initialized MPI with this level after other threads had
    /// begun.
    SetLevel(Threading),
    /// Records that the rank's program has ended in the calling thread: no other thread of the rank
    /// continues.
    EndRank,
    /// Announces that the calling thread makes an MPI call which may need nothing else of the kernel, such as that for its
    /// rank: the thread level is about every call (MPI 5.0, 11.6.2).
    Announce,
}

/// The reason for which a thread waits outside MPI, and for how long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parking {
    /// Name of the function that waits, for diagnostics.
    #[serde(deserialize_with = "interned")]
    pub call: Text,
    /// The only thread of the rank that can wake it, if there is just one.
    pub holder: Option<u32>,
    /// Time at which it stops waiting.
    pub until: Option<SimTime>,
    /// Whether it has no work until another thread gives it some, so that its wait explains no stall.
    pub idle: bool,
}

/// The thread support level of a program (MPI section 11.6.2), from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Threading {
    /// `MPI_THREAD_SINGLE`: there is one thread.
    Single,
    /// `MPI_THREAD_FUNNELED`: only the main thread calls MPI.
    Funneled,
    /// `MPI_THREAD_SERIALIZED`: all threads may call MPI, one at a time.
    Serialized,
    /// `MPI_THREAD_MULTIPLE`: all threads may call MPI at any time.
    Multiple,
}

impl Threading {
    /// Returns the name of the constant.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "MPI_THREAD_SINGLE",
            Self::Funneled => "MPI_THREAD_FUNNELED",
            Self::Serialized => "MPI_THREAD_SERIALIZED",
            Self::Multiple => "MPI_THREAD_MULTIPLE",
        }
    }
}

/// The function of a further thread, by its number on the side of the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadBody {
    pub(super) number: u32,
    /// Whether the thread may continue outside MPI after the rank has finalized.
    pub outlives: bool,
}
