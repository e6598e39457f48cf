//! The outcome of a run.

use crate::kernel::ProcessId;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every process ended.
    Completed,
    /// No event was left and some process was blocked.
    Stalled,
    /// A process panicked.
    Panicked(Crash),
    /// A process overflowed its stack.
    StackOverflow {
        /// The process.
        process: ProcessId,
    },
    /// A signal was raised by a process of foreign code.
    Signal {
        /// The process.
        process: ProcessId,
        /// Number of the signal, as in `SIGSEGV`.
        signal: i32,
        /// Address of the instruction that raised it.
        address: usize,
        /// Whether the instruction accessed memory through a null pointer.
        null: bool,
    },
    /// The run reached this limit.
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
    /// The process.
    pub process: ProcessId,
    /// The panic message.
    pub message: String,
    /// Source file and line, if known.
    pub location: Option<(String, u32)>,
}

/// The limit that ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Number of events.
    Events,
    /// Simulated time.
    Time,
}
