//! Calls about simulated time.

use sim_core::SimDuration;

/// A call about simulated time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockCall {
    /// Spends processor time outside MPI.
    Compute(SimDuration),
    /// `MPI_Wtime`; replies `Time`.
    Now,
}
