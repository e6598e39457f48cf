//! The one door through which freedom enters: where the standard allows several matches or
//! completions, the kernel asks here and nowhere else. Every choice is recorded.

use rand::RngExt;
use sim_core::ChaCha8Rng;

use crate::kernel::transport::message::{Message, Slab};
use crate::{
    outcome::{Choice, Chosen, Took},
    settings::Matching,
};

/// Decides, and remembers what it decided.
pub(crate) struct Chooser {
    policy: Policy,
    made: Vec<Choice>,
}

enum Policy {
    First,
    Drawn(Box<ChaCha8Rng>),
    Listed(Vec<u32>),
}

/// How many choices a run remembers; more than any exploration follows.
const REMEMBERED: usize = 4096;

impl Chooser {
    pub(crate) fn new(matching: &Matching) -> Self {
        let policy = match matching {
            Matching::Arrival => Policy::First,
            Matching::Seeded(seed) => Policy::Drawn(Box::new(sim_core::stream(*seed, "choice", 0))),
            Matching::Explore(list) => Policy::Listed(list.clone()),
        };
        Self { policy, made: Vec::new() }
    }

    /// Whether wildcards wait until nothing else can happen.
    pub(crate) fn defers(&self) -> bool {
        matches!(self.policy, Policy::Listed(_))
    }

    /// Whether the first alternative is always taken and nothing is remembered any more: then nobody
    /// has to count how many there are.
    pub(crate) fn takes_first(&self) -> bool {
        matches!(self.policy, Policy::First) && self.made.len() >= REMEMBERED
    }

    /// One of `alternatives` (at least 1), from 0.
    pub(crate) fn choose(&mut self, alternatives: usize, by: Chosen) -> usize {
        if alternatives <= 1 {
            return 0;
        }
        let position = self.made.len();
        let taken = match &mut self.policy {
            Policy::First => 0,
            Policy::Drawn(stream) => stream.random_range(0..alternatives),
            Policy::Listed(list) => {
                list.get(position).map_or(0, |taken| (*taken as usize).min(alternatives - 1))
            }
        };
        if position < REMEMBERED {
            self.made.push(Choice {
                taken: taken as u32,
                alternatives: alternatives as u32,
                by: Some(by),
                took: None,
            });
        }
        taken
    }

    /// As [`Chooser::choose`], among messages.
    pub(crate) fn choose_message(
        &mut self,
        heads: &[u32],
        messages: &Slab<Message>,
        by: Chosen,
    ) -> u32 {
        let position = self.made.len();
        let taken = heads[self.choose(heads.len(), by)];
        if let Some(choice) = self.made.get_mut(position) {
            let Message { source, tag, site, .. } = messages[taken];
            choice.took = Some(Took { source, tag, site });
        }
        taken
    }

    /// Whether a wildcard that could be resolved now lets another one go first. Not by default, and
    /// there is a second alternative only once [`Chooser::mattered`] says so. Also gives the
    /// number of this choice.
    pub(crate) fn lets_go_first(&mut self) -> (usize, bool) {
        let position = self.made.len();
        let taken = match &self.policy {
            Policy::Listed(list) => list.get(position).copied().unwrap_or(0).min(1),
            Policy::First | Policy::Drawn(_) => 0,
        };
        if position < REMEMBERED {
            self.made.push(Choice { taken, alternatives: taken + 1, by: None, took: None });
        }
        (position, taken == 1)
    }

    /// Going first has made a difference: a message came that could have matched, too.
    pub(crate) fn mattered(&mut self, position: usize) {
        if let Some(choice) = self.made.get_mut(position) {
            choice.alternatives = 2;
        }
    }

    /// The choices made so far, in order.
    pub(crate) fn into_choices(self) -> Vec<Choice> {
        self.made
    }
}
