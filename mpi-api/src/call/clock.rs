//! Calls about simulated time.

use serde::{Deserialize, Serialize};
use sim_core::{SimDuration, SimTime};

/// A call about simulated time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClockCall {
    /// Spends processor time outside MPI.
    Compute(SimDuration),
    /// `MPI_Wtime`, with the state of the program that reads the clock
    /// ([`sim_core::with_caller_state`]): a program that reads it again and again in the same state
    /// waits for a time. Replies `Time`.
    Now(u64),
    /// Asks the kernel to look after the calling rank's timers when the next one expires, at this
    /// time, if the rank waits in an MPI call then ([`on_timer`](crate::raw::on_timer)).
    SetTimer(SimTime),
}
