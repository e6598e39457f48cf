//! [`Timers`]: the timers that the kernel looks after.

use sim_core::SimTime;

/// The timers of all ranks.
#[derive(Default)]
pub(super) struct Timers {
    /// Number of events that have been scheduled and not happened.
    pub(super) scheduled: usize,
    pub(super) idle: u32,
    /// Ranks with a timer, by time, where timers must wait until nothing else can happen: as long
    /// as choices are deferred, the simulated time of an event is no reason for it to happen.
    pub(super) deferred: Vec<(SimTime, u32)>,
}
