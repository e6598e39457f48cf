//! [`Source`]: the random messages of one node.

use rand::RngExt;
use sim_core::{ChaCha8Rng, SimDuration, SimTime, stream};

use super::Targets;
use crate::network::NodeId;

/// The times at which nodes may create a message, at most one in each step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chances {
    /// Picoseconds from one step to the next.
    step: u64,
    /// Picoseconds after the beginning of a step in which the message is created.
    spread: u64,
    /// Number of chances out of 2^32 that create a message.
    share: f64,
}

impl Chances {
    /// Returns the chances for a load: one in each message time of `slot` picoseconds, at a random
    /// moment of it, or one at the beginning of each cycle of a model that works in cycles.
    pub(crate) fn new(load: f64, slot: u64, cycle: Option<SimDuration>) -> Self {
        // A node cannot create several messages in a cycle.
        let cycle = cycle.map(SimDuration::as_ps).filter(|cycle| *cycle <= slot);
        let (step, spread) = cycle.map_or((slot, slot), |cycle| (cycle, 1));
        let share = load * step as f64 / slot as f64 * 4_294_967_296.0;
        Self { step, spread, share }
    }

    /// Returns the number of steps that begin before a time.
    pub(crate) fn steps_before(&self, time: u64) -> u64 {
        time.div_ceil(self.step)
    }
}

/// What creates the messages of a node.
///
/// Determinism: each node has a random stream of its own, from which come, in this order, one number
/// for each step and, if that creates a message, its moment and its target.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    node: NodeId,
    random: ChaCha8Rng,
    /// Number of steps that are decided.
    decided: u64,
}

impl Source {
    /// Creates the source of a node from the random stream of a name.
    pub(crate) fn new(seed: u64, name: &str, node: NodeId) -> Self {
        Self { node, random: stream(seed, name, node.0.into()), decided: 0 }
    }

    /// Leaves the steps before `step` out, as far as they are not decided.
    pub(crate) fn skip_to(&mut self, step: u64) {
        self.decided = self.decided.max(step);
    }

    /// Returns when the next message is created, if that is before step `end`.
    pub(crate) fn draw(&mut self, chances: &Chances, end: u64) -> Option<SimTime> {
        while self.decided < end {
            let begin = self.decided.saturating_mul(chances.step);
            self.decided += 1;
            let chance: u32 = self.random.random();
            if f64::from(chance) < chances.share {
                let after = self.random.random_range(0..chances.spread);
                return Some(SimTime::from_ps(begin.saturating_add(after)));
            }
        }
        None
    }

    /// Returns the target of the message that was drawn last, if its node sends one.
    pub(crate) fn target(&mut self, targets: &Targets) -> Option<NodeId> {
        targets.next(self.node, &mut self.random)
    }
}
