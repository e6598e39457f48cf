//! What is drawn in executions with a seed, and how long delays are there.

use rand::RngExt;
use sim_core::{ChaCha8Rng, SimDuration, stream};

use crate::settings::Matching;

/// The longest delay is about 2 to this power, in nanoseconds.
const MAGNITUDES: u32 = 17;

/// Returns the random numbers for a purpose; `None` in executions without a seed.
pub(super) fn stream_of(matching: &Matching, purpose: &str) -> Option<Box<ChaCha8Rng>> {
    match matching {
        Matching::Seeded(seed) => Some(Box::new(stream(*seed, purpose, 0))),
        Matching::Arrival | Matching::Explore(_) | Matching::Planned(_) | Matching::Sampled(_) => {
            None
        }
    }
}

/// Draws a delay. Short and long ones, from less than the latency of a network to many times as much, are equally
/// frequent.
pub(super) fn draw(draws: &mut ChaCha8Rng) -> SimDuration {
    let bound = 1_u64 << draws.random_range(0..=MAGNITUDES);
    SimDuration::from_ns(draws.random_range(0..bound))
}
