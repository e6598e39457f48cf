//! [`Source`]: the random messages of one node.

use rand::RngExt;
use sim_core::{ChaCha8Rng, SimDuration, SimTime, exponential, stream};

use super::Targets;
use crate::network::NodeId;

/// The process by which every node creates messages. It has no memory and does not depend on the
/// network, and messages wait at their nodes without limit (Dally and Towles, sections 23.1 and 24.3).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Process {
    /// Messages at any time, with exponentially distributed times between them.
    Poisson {
        /// Mean picoseconds from one message to the next.
        mean: f64,
    },
    /// At the beginning of each cycle at most one message, always with the same probability.
    Bernoulli {
        /// Picoseconds of a cycle.
        cycle: u64,
        /// Number of chances out of 2^32 that create a message.
        share: f64,
    },
}

impl Process {
    /// Returns the process of a load, with `slot` picoseconds for each message at load 1: that of
    /// Bernoulli for a model that works in cycles, that of Poisson for the others and where a cycle would
    /// need several messages.
    pub(crate) fn new(load: f64, slot: u64, cycle: Option<SimDuration>) -> Self {
        match cycle.map(SimDuration::as_ps).filter(|cycle| *cycle <= slot) {
            Some(cycle) => {
                let share = load * cycle as f64 / slot as f64 * 4_294_967_296.0;
                Self::Bernoulli { cycle, share }
            }
            None => Self::Poisson { mean: slot as f64 / load },
        }
    }
}

/// What creates the messages of a node.
///
/// Determinism: each node has a random stream of its own, from which come, for each message in turn,
/// its time and its target.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    node: NodeId,
    random: ChaCha8Rng,
    /// Picoseconds up to which all messages are drawn.
    drawn: u64,
}

impl Source {
    /// Creates the source of a node from the random stream of a name.
    pub(crate) fn new(seed: u64, name: &str, node: NodeId) -> Self {
        Self { node, random: stream(seed, name, node.0.into()), drawn: 0 }
    }

    /// Leaves out the messages before `time`, as far as they are not drawn.
    pub(crate) fn skip_to(&mut self, time: SimTime) {
        self.drawn = self.drawn.max(time.as_ps());
    }

    /// Returns when the next message is created, if that is before `end`.
    pub(crate) fn draw(&mut self, process: &Process, end: SimTime) -> Option<SimTime> {
        match *process {
            Process::Poisson { mean } => {
                self.drawn = self.drawn.saturating_add(exponential(&mut self.random, mean));
                let time = SimTime::from_ps(self.drawn);
                (time < end).then_some(time)
            }
            Process::Bernoulli { cycle, share } => {
                while self.drawn < end.as_ps() {
                    let begin = self.drawn;
                    self.drawn = begin.saturating_add(cycle);
                    let chance: u32 = self.random.random();
                    if f64::from(chance) < share {
                        // Not used: a seed gives what it gave when messages had a moment of their step.
                        let _: u64 = self.random.random();
                        return Some(SimTime::from_ps(begin));
                    }
                }
                None
            }
        }
    }

    /// Returns the target of the message that was drawn last, if its node sends one.
    pub(crate) fn target(&mut self, targets: &Targets) -> Option<NodeId> {
        targets.next(self.node, &mut self.random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Picoseconds of a message time.
    const SLOT: u64 = 1000;

    /// Returns mean and variance of the number of messages in a message time.
    fn counts(process: &Process, begin: SimTime) -> (f64, f64) {
        let slots = 100_000;
        let mut source = Source::new(1, "test", NodeId(0));
        source.skip_to(begin);
        let end = begin + SimDuration::from_ps(SLOT * slots as u64);
        let mut counts = vec![0.0; slots];
        while let Some(time) = source.draw(process, end) {
            counts[(time.since(begin).as_ps() / SLOT) as usize] += 1.0;
        }
        let mean = counts.iter().sum::<f64>() / slots as f64;
        let squares = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>();
        (mean, squares / slots as f64)
    }

    #[test]
    fn messages_are_as_many_as_asked_for_and_independent() {
        for load in [0.1, 0.5, 1.0] {
            let about = |value: f64, known: f64| (value - known).abs() < 0.015;
            for begin in [0, 123_456_000].map(SimTime::from_ps) {
                let (mean, variance) = counts(&Process::new(load, SLOT, None), begin);
                assert!(about(mean, load) && about(variance, load), "{load}: {mean}, {variance}");
                // Eight cycles, in each of which is a message or none.
                let cycle = SimDuration::from_ps(SLOT / 8);
                let (mean, variance) = counts(&Process::new(load, SLOT, Some(cycle)), begin);
                let known = load * (1.0 - load / 8.0);
                assert!(about(mean, load) && about(variance, known), "{load}: {mean}, {variance}");
            }
        }
    }

    #[test]
    fn a_node_may_create_several_messages_in_a_cycle_longer_than_their_time() {
        let cycle = SimDuration::from_ps(2 * SLOT);
        let (mean, _) = counts(&Process::new(0.9, SLOT, Some(cycle)), SimTime::ZERO);
        assert!((mean - 0.9).abs() < 0.015, "{mean}");
    }
}
