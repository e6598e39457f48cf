//! How a run ended.

use crate::kernel::ProcessId;

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every process came to its end.
    Completed,
    /// No event was left and some process was blocked.
    Stalled,
    /// A process panicked.
    Panicked(Crash),
    /// A process used up its stack.
    StackOverflow {
        /// Which.
        process: ProcessId,
    },
    /// A process of foreign code was struck by a signal.
    Signal {
        /// Which.
        process: ProcessId,
        /// Number of the signal, as in `SIGSEGV`.
        signal: i32,
        /// Address of the instruction it struck.
        address: usize,
        /// Whether it wanted to access memory by a null pointer.
        null: bool,
    },
    /// A limit was reached.
    LimitReached(Limit),
    /// The run was asked to stop (see [`interrupt`](crate::interrupt)).
    Interrupted {
        /// The process that was abandoned while it ran, and the address of its next instruction;
        /// `None` if the run stopped between two events.
        running: Option<(ProcessId, usize)>,
    },
    /// The kernel stopped the run.
    Stopped,
}

/// A panic in a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// Which process.
    pub process: ProcessId,
    /// Its message.
    pub message: String,
    /// File and line, when known.
    pub location: Option<(String, u32)>,
}

/// Which limit ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Number of events.
    Events,
    /// Simulated time.
    Time,
}
