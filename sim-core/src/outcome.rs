//! The outcome of a run.

use crate::id::ProcessId;

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
        /// Address of the instruction that went beyond the stack; `None` if that was seen only later.
        address: Option<usize>,
    },
    /// A signal was raised by a process of foreign code.
    Signal {
        /// The process.
        process: ProcessId,
        /// Number of the signal, as in `SIGSEGV`.
        signal: i32,
        /// Address of the instruction that raised it.
        address: usize,
        /// The access to memory for which it was raised, if it was.
        access: Option<Access>,
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

/// An access to memory that the system refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Address of the memory.
    pub address: usize,
    /// How the memory was accessed; `None` if the processor does not say.
    pub kind: Option<AccessKind>,
}

/// How an instruction accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// The memory was read.
    Read,
    /// The memory was written.
    Write,
    /// The memory was to be executed, as a function that was called or after a jump.
    Execute,
    /// The memory was to be executed after the return from a function.
    Return,
}

impl Access {
    /// No memory is mapped below this address.
    const LOWEST: usize = 4096;

    /// Reports whether the access was through a null pointer, or to a field of an object at a null
    /// pointer.
    pub fn is_null(self) -> bool {
        self.address < Self::LOWEST
    }
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
    /// Memory of this process (see [`watch_memory`](crate::interrupt::watch_memory)).
    Memory,
}
