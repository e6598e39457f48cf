//! Simulated time, ordered events, and processes as coroutines. No ranks, no bytes, no topology.
//!
//! Reading order: `time`, `queue`, `kernel` (the seam), `process`, `engine` (the loop).
//!
//! Everything runs on one thread, and only a call returns control to the engine. A process that
//! never makes another call (an endless loop) is abandoned when the simulation is asked to stop:
//! see [`interrupt`]. A process that overflows its stack ends the run with
//! [`Outcome::StackOverflow`]; what it owned leaks, and if it was inside the allocator at that
//! moment the allocator may stay locked for this thread. Linux on x86-64 and AArch64.
//!
//! Memory per process: usually one page of stack, 64 bytes of table, the size of a reply, and about
//! 130 bytes of page tables; the example `million` measures it.

mod clock;
mod digest;
mod engine;
mod fifo;
mod id;
pub mod interrupt;
mod kernel;
mod limit;
mod meter;
mod metering;
mod outcome;
mod prefetch;
mod process;
mod queue;
mod random;
mod site;
pub mod statistics;
mod tap;
#[cfg(test)]
mod tests;
pub mod text;
mod time;
pub mod words;

pub use clock::ProcessClock;
pub use digest::Digest;
pub use engine::{RunStats, Simulation};
pub use id::ProcessId;
pub use kernel::{Kernel, Scheduler};
pub use limit::Limits;
pub use meter::Meter;
pub use outcome::{Access, AccessKind, Crash, Limit, Outcome};
pub use prefetch::prefetch;
pub use process::{
    Pending, Port, Script, Strike, StrikeHook, ask_when_struck, on_exhausted, on_fault,
    running_process, signal_cause, signal_name, with_caller_state,
};
pub use queue::{EventQueue, TieBreak};
pub use random::{ChaCha8Rng, exponential, shuffle, stream};
pub use site::{Address, Frame, Place, Site};
pub use tap::Tap;
pub use text::intern;
pub use time::{SimDuration, SimTime};
