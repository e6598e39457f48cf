//! Calls about simulated time.

use serde::{Deserialize, Serialize};
use sim_core::SimDuration;

/// A call about simulated time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClockCall {
    /// Spends processor time outside MPI.
    Compute(SimDuration),
    /// `MPI_Wtime`; replies `Time`.
    Now,
}
