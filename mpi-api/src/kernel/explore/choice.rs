//! The one place where free choices are made: where the standard allows several matches or
//! completions, the kernel asks here and nowhere else. Every choice is recorded.

use rand::RngExt;
use sim_core::ChaCha8Rng;

use super::sampler::Sampler;
use crate::kernel::transport::message::{Message, Slab};
use crate::{
    outcome::{Choice, Chosen, Took},
    settings::Matching,
};

/// Makes and records the choices of a run.
pub(crate) struct Chooser {
    policy: Policy,
    made: Vec<Choice>,
}

enum Policy {
    First,
    Drawn(Box<ChaCha8Rng>),
    Listed(Vec<u32>),
    Sampled(Box<Sampler>),
}

/// Maximum number of choices that a run records; more than any exploration follows.
const REMEMBERED: usize = 4096;

impl Chooser {
    pub(crate) fn new(matching: &Matching) -> Self {
        let policy = match matching {
            Matching::Arrival => Policy::First,
            Matching::Seeded(seed) => Policy::Drawn(Box::new(sim_core::stream(*seed, "choice", 0))),
            Matching::Explore(list) => Policy::Listed(list.clone()),
            Matching::Sampled(sample) => Policy::Sampled(Box::new(Sampler::new(sample))),
        };
        Self { policy, made: Vec::new() }
    }

    /// Reports whether wildcards wait until nothing else can happen.
    pub(crate) fn defers(&self) -> bool {
        matches!(self.policy, Policy::Listed(_) | Policy::Sampled(_))
    }

    /// Reports whether the first alternative is always taken and no further choice is recorded:
    /// then the alternatives need not be counted.
    pub(crate) fn takes_first(&self) -> bool {
        matches!(self.policy, Policy::First) && self.made.len() >= REMEMBERED
    }

    /// Chooses one of `alternatives` (at least 1), counted from 0.
    pub(crate) fn choose(&mut self, alternatives: usize, by: Chosen) -> usize {
        if alternatives <= 1 {
            return 0;
        }
        let position = self.made.len();
        let taken = match &mut self.policy {
            Policy::First => 0,
            Policy::Drawn(stream) => stream.random_range(0..alternatives),
            Policy::Listed(list) => listed(list, position, alternatives),
            Policy::Sampled(sampler) => sampler.draw(alternatives),
        };
        self.record(taken, alternatives, Some(by));
        taken
    }

    fn record(&mut self, taken: usize, alternatives: usize, by: Option<Chosen>) {
        if self.made.len() < REMEMBERED {
            self.made.push(Choice {
                taken: taken as u32,
                alternatives: alternatives as u32,
                by,
                took: None,
                instead: None,
                buffers: None,
                reported: None,
            });
        }
    }

    /// Like [`Chooser::choose`], among messages.
    pub(crate) fn choose_message(
        &mut self,
        heads: &[u32],
        messages: &Slab<Message>,
        by: Chosen,
    ) -> u32 {
        let position = self.made.len();
        let at = match &mut self.policy {
            Policy::Sampled(sampler) if heads.len() > 1 => {
                let senders: Vec<u32> = heads.iter().map(|head| messages[*head].source).collect();
                let at = sampler.draw_sender(&senders, by.site);
                self.record(at, heads.len(), Some(by));
                at
            }
            _ => self.choose(heads.len(), by),
        };
        if let Some(choice) = self.made.get_mut(position) {
            let took = |head: u32| {
                let Message { source, tag, site, .. } = messages[head];
                Took { source, tag, site }
            };
            choice.took = Some(took(heads[at]));
            choice.instead = (at > 0).then(|| took(heads[0]));
        }
        heads[at]
    }

    /// Like [`Chooser::choose`], among selections of complete requests; `selection` returns the positions of one.
    pub(crate) fn choose_requests(
        &mut self,
        alternatives: usize,
        by: Chosen,
        selection: impl Fn(usize) -> Vec<usize>,
    ) -> Vec<usize> {
        let position = self.made.len();
        let reported = selection(self.choose(alternatives, by));
        if let Some(choice) = self.made.get_mut(position) {
            let bits = reported.iter().filter(|at| **at < 64).map(|at| 1_u64 << at);
            choice.reported = Some(bits.fold(0, |all, bit| all | bit));
        }
        reported
    }

    /// Decides whether a wildcard that could be resolved now lets another one go first; also
    /// returns the number of this choice. By default it does not, and the choice has a second
    /// alternative only once [`Chooser::mattered`] is called for it.
    pub(crate) fn lets_go_first(&mut self) -> (usize, bool) {
        let position = self.made.len();
        let taken = match &mut self.policy {
            Policy::Listed(list) => listed(list, position, 2),
            Policy::Sampled(sampler) => sampler.draw(2),
            Policy::First | Policy::Drawn(_) => 0,
        };
        self.record(taken, taken + 1, None);
        (position, taken == 1)
    }

    /// Decides whether the system buffers the messages that this call waits for; also returns the number
    /// of the choice. By default it does not, and the choice has a second alternative only once
    /// [`Chooser::mattered`] is called for it.
    pub(crate) fn buffers(&mut self, call: Chosen) -> (usize, bool) {
        let (position, buffers) = self.lets_go_first();
        if let Some(choice) = self.made.get_mut(position).filter(|_| buffers) {
            choice.buffers = Some(call);
        }
        (position, buffers)
    }

    /// Records that a choice has made a difference: a message came that could have matched otherwise.
    pub(crate) fn mattered(&mut self, position: usize) {
        if let Some(choice) = self.made.get_mut(position) {
            choice.alternatives = 2;
        }
    }

    /// Returns the number of choices made so far.
    pub(crate) fn count(&self) -> usize {
        self.made.len()
    }

    /// Returns the choices made so far, in order.
    pub(crate) fn into_choices(self) -> Vec<Choice> {
        self.made
    }
}

/// Returns the alternative that a list names for a choice; the first one after its end.
fn listed(list: &[u32], position: usize, alternatives: usize) -> usize {
    list.get(position).map_or(0, |taken| (*taken as usize).min(alternatives - 1))
}
