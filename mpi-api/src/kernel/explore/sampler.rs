//! [`Sampler`]: draws the choices of an execution, for programs with more orders than can be followed.

use std::{collections::BTreeMap, sync::Arc};

use rand::RngExt;
use sim_core::ChaCha8Rng;

use crate::{
    call::Site,
    settings::{OPEN_ONE_IN, Sample},
};

/// Choices among which the priorities of ranks change.
const CHANGES_WITHIN: u32 = 64;

/// Draws choices.
pub(super) struct Sampler {
    sample: Arc<Sample>,
    stream: ChaCha8Rng,
    /// Number of messages chosen so far.
    chosen: u32,
    /// Priorities of senders, drawn when they are first seen; the highest goes first.
    priorities: BTreeMap<u32, u64>,
    /// Choices at which the sender that would go first gets the lowest priority.
    changes: [u32; 2],
}

impl Sampler {
    pub(super) fn new(sample: &Arc<Sample>) -> Self {
        let mut stream = sim_core::stream(sample.seed, "choice", 0);
        let changes = [0, 1].map(|_| stream.random_range(0..CHANGES_WITHIN));
        let (chosen, priorities) = (0, BTreeMap::new());
        Self { sample: Arc::clone(sample), stream, chosen, priorities, changes }
    }

    /// Draws one of this many alternatives.
    pub(super) fn draw(&mut self, alternatives: usize) -> usize {
        self.stream.random_range(0..alternatives)
    }

    /// Draws one of several senders whose messages a call at `site` could take.
    pub(super) fn draw_sender(&mut self, senders: &[u32], site: Site) -> usize {
        let number = self.chosen;
        self.chosen += 1;
        let is_open = self.stream.random_range(0..OPEN_ONE_IN) == 0;
        let is_new = |at: &usize| is_open || !self.sample.seen.contains(&(site, senders[*at]));
        let mut among: Vec<usize> = (0..senders.len()).filter(is_new).collect();
        if among.is_empty() {
            among = (0..senders.len()).collect();
        }
        if !self.sample.priorities {
            return among[self.stream.random_range(0..among.len())];
        }
        if self.changes.contains(&number)
            && let Some(first) = self.first(senders, &among)
        {
            self.priorities.insert(senders[first], u64::from(number));
        }
        self.first(senders, &among).unwrap_or(0)
    }

    /// Returns the sender of the highest priority.
    fn first(&mut self, senders: &[u32], among: &[usize]) -> Option<usize> {
        let mut best = None;
        for at in among {
            let stream = &mut self.stream;
            // Lowered priorities are small.
            let drawn = || stream.random_range(u64::from(u32::MAX)..u64::MAX);
            let priority = *self.priorities.entry(senders[*at]).or_insert_with(drawn);
            if best.is_none_or(|(highest, _)| priority > highest) {
                best = Some((priority, *at));
            }
        }
        best.map(|(_, at)| at)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn sampler(seed: u64, priorities: bool, seen: &[u32]) -> Sampler {
        let place = |sender: &u32| (Site::NOWHERE, *sender);
        let seen: BTreeSet<(Site, u32)> = seen.iter().map(place).collect();
        Sampler::new(&Arc::new(Sample { seed, priorities, seen }))
    }

    #[test]
    fn what_was_not_seen_is_preferred_and_the_rest_is_not_excluded() {
        let mut sampler = sampler(1, false, &[4, 6]);
        let drawn: Vec<usize> =
            (0..400).map(|_| sampler.draw_sender(&[4, 5, 6], Site::NOWHERE)).collect();
        let count = |at| drawn.iter().filter(|drawn| **drawn == at).count();
        assert!(count(1) > 250 && count(0) > 10 && count(2) > 10, "{} {}", count(0), count(1));
    }

    #[test]
    fn a_sender_of_high_priority_goes_first_until_that_changes() {
        let mut sampler = sampler(3, true, &[]);
        let drawn: Vec<usize> =
            (0..200).map(|_| sampler.draw_sender(&[7, 8, 9], Site::NOWHERE)).collect();
        let changes = drawn.windows(2).filter(|two| two[0] != two[1]).count();
        assert!((1..=2).contains(&changes), "{drawn:?}");
    }

    #[test]
    fn a_seed_draws_the_same_each_time() {
        let draws = |seed| {
            let mut sampler = sampler(seed, false, &[]);
            (0..20).map(|_| sampler.draw_sender(&[1, 2, 3], Site::NOWHERE)).collect::<Vec<_>>()
        };
        assert_eq!(draws(5), draws(5));
        assert_ne!(draws(5), draws(6));
    }
}
