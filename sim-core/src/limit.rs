//! Bounds of a run.

use crate::time::SimTime;

/// What a run may use up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Events handled.
    pub events: u64,
    /// Simulated time.
    pub time: SimTime,
    /// Stack of each process, bytes.
    pub stack_bytes: usize,
}

impl Limits {
    /// No bound on events and time; stacks that hold ordinary programs.
    pub fn standard() -> Self {
        let stack_bytes = if cfg!(debug_assertions) { 256 } else { 64 } * 1024;
        Self { events: u64::MAX, time: SimTime::MAX, stack_bytes }
    }
}
