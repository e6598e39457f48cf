//! Delays that are drawn, in executions with a seed.

use rand::RngExt;
use sim_core::{ChaCha8Rng, SimDuration};

/// The longest delay is about 2 to this power, in nanoseconds.
const MAGNITUDES: u32 = 17;

/// Draws a delay. Short and long ones, from less than the latency of a network to many times as much, are equally
/// frequent.
pub(super) fn draw(draws: &mut ChaCha8Rng) -> SimDuration {
    let bound = 1_u64 << draws.random_range(0..=MAGNITUDES);
    SimDuration::from_ns(draws.random_range(0..bound))
}
