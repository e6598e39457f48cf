//! Simulated time, ordered events, and processes as coroutines. No ranks, no bytes, no topology.
//!
//! Reading order: `time`, `queue`, `kernel` (the seam), `process`, `engine` (the loop).
//!
//! A process that never calls again (an endless loop) cannot be interrupted: everything runs on
//! one thread, and only a call gives control back.

mod digest;
mod engine;
mod kernel;
mod limit;
mod outcome;
mod prefetch;
mod process;
mod queue;
mod random;
#[cfg(test)]
mod tests;
mod time;

pub use digest::Digest;
pub use engine::{RunStats, Simulation};
pub use kernel::{Kernel, ProcessId, Scheduler};
pub use limit::Limits;
pub use outcome::{Crash, Limit, Outcome};
pub use prefetch::prefetch;
pub use process::Port;
pub use queue::{EventQueue, TieBreak};
pub use random::{ChaCha8Rng, stream};
pub use time::{SimDuration, SimTime};
