//! The one place where free choices are made: where the standard allows several matches or
//! completions, the kernel asks here and nowhere else. Every choice is recorded.

use std::collections::BTreeSet;

use rand::RngExt;
use sim_core::ChaCha8Rng;

use super::sampler::Sampler;
use crate::kernel::transport::message::{Message, Slab};
use crate::{
    call::Site,
    outcome::{Choice, Chosen, Late, Took},
    settings::{Matching, WildcardId},
};

/// Makes and records the choices of a run.
pub(crate) struct Chooser {
    policy: Policy,
    made: Vec<Choice>,
    /// Places of receives and probes, each with a sender whose message it took, if wildcards wait.
    matched: BTreeSet<(Site, u32)>,
    late: Vec<Late>,
    /// Number of matches in `late`.
    late_matches: usize,
    /// Numbers of choices that matter without anything in [`Late`].
    mattered: BTreeSet<usize>,
}

enum Policy {
    First,
    Drawn(Box<ChaCha8Rng>),
    Listed(Vec<u32>),
    Sampled(Box<Sampler>),
}

/// Maximum number of matches in [`Late`] that a run records. Later choices
/// are explored without the matches that they need.
const LATE_MATCHES_MAX: usize = 1 << 14;

/// Maximum number of choices that a run records; more than any exploration follows.
const REMEMBERED: usize = 4096;

impl Chooser {
    pub(crate) fn new(matching: &Matching) -> Self {
        let policy = match matching {
            Matching::Arrival => Policy::First,
            Matching::Seeded(seed) => Policy::Drawn(Box::new(sim_core::stream(*seed, "choice", 0))),
            Matching::Explore(list) => Policy::Listed(list.clone()),
            Matching::Planned(plan) => Policy::Listed(plan.choices.clone()),
            Matching::Sampled(sample) => Policy::Sampled(Box::new(Sampler::new(sample))),
        };
        Self {
            policy,
            made: Vec::new(),
            matched: BTreeSet::new(),
            late: Vec::new(),
            late_matches: 0,
            mattered: BTreeSet::new(),
        }
    }

    /// Reports whether wildcards wait until nothing else can happen.
    pub(crate) fn defers(&self) -> bool {
        matches!(self.policy, Policy::Listed(_) | Policy::Sampled(_))
    }

    /// Reports whether the run is one of a search that follows all orders.
    pub(crate) fn follows_orders(&self) -> bool {
        matches!(self.policy, Policy::Listed(_))
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
                planned: false,
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
        self.describe(position, (heads, at), messages, by);
        heads[at]
    }

    /// Takes the message that a plan names, the one at this place of several.
    pub(crate) fn take_planned(
        &mut self,
        heads: &[u32],
        at: usize,
        messages: &Slab<Message>,
        by: Chosen,
    ) -> u32 {
        let position = self.record_planned(at, heads.len(), by);
        self.describe(position, (heads, at), messages, by);
        heads[at]
    }

    fn describe(
        &mut self,
        position: usize,
        (heads, at): (&[u32], usize),
        messages: &Slab<Message>,
        by: Chosen,
    ) {
        if self.defers() {
            self.matched.insert((by.site, messages[heads[at]].source));
        }
        if let Some(choice) = self.made.get_mut(position) {
            let took = |head: u32| {
                let Message { source, tag, site, .. } = messages[head];
                Took { source, tag, site }
            };
            choice.took = Some(took(heads[at]));
            choice.instead = (at > 0).then(|| took(heads[0]));
        }
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
            choice.reported = Some(bits(&reported));
        }
        reported
    }

    /// Takes the request that a plan names, the one at this place of several, which has this position in the list of the
    /// call.
    pub(crate) fn take_planned_request(
        &mut self,
        (alternatives, at): (usize, usize),
        list_position: usize,
        by: Chosen,
    ) {
        let position = self.record_planned(at, alternatives, by);
        if let Some(choice) = self.made.get_mut(position) {
            choice.reported = Some(bits(&[list_position]));
        }
    }

    /// Records what a plan says, if there are several alternatives. Returns the number of the choice.
    fn record_planned(&mut self, taken: usize, alternatives: usize, by: Chosen) -> usize {
        let position = self.made.len();
        if alternatives > 1 {
            self.record(taken, alternatives, Some(by));
        }
        if let Some(choice) = self.made.get_mut(position) {
            choice.planned = true;
        }
        position
    }

    /// Decides whether a wildcard that could be resolved now lets another one go first; also
    /// returns the number of this choice. By default it does not, and the choice has a second
    /// alternative only once [`Chooser::mattered`] is called for it.
    pub(crate) fn lets_go_first(&mut self) -> (usize, bool) {
        self.chooses(|sampler| sampler.draw(2))
    }

    /// The same, where only senders could go first: a draw decides that for each of them alone.
    pub(crate) fn lets_senders_go_first(&mut self) -> (usize, bool) {
        self.chooses(|_| 0)
    }

    fn chooses(&mut self, draw: impl FnOnce(&mut Sampler) -> usize) -> (usize, bool) {
        let position = self.made.len();
        let taken = match &mut self.policy {
            Policy::Listed(list) => listed(list, position, 2),
            Policy::Sampled(sampler) => draw(sampler),
            Policy::First | Policy::Drawn(_) => 0,
        };
        self.record(taken, taken + 1, None);
        (position, taken == 1)
    }

    /// Decides whether the system buffers the messages that this call waits for; also returns the number
    /// of the choice. By default it does not, unless that is `planned`, and the choice has a second alternative only
    /// once [`Chooser::mattered`] is called for it.
    pub(crate) fn buffers(&mut self, call: Chosen, planned: bool) -> (usize, bool) {
        let (position, buffers) = if planned { self.awaits() } else { self.lets_go_first() };
        if let Some(choice) = self.made.get_mut(position).filter(|_| buffers) {
            choice.buffers = Some(call);
            choice.planned = planned;
        }
        (position, buffers)
    }

    /// Lets others go first, because a plan wants a message that is not there yet.
    pub(crate) fn awaits(&mut self) -> (usize, bool) {
        let position = self.made.len();
        self.record(1, 2, None);
        (position, true)
    }

    /// Reports whether a choice matters whatever it needs, or is too late for the search.
    pub(crate) fn matters(&self, position: usize) -> bool {
        position >= self.made.len() || self.mattered.contains(&position)
    }

    /// Reports whether [`Chooser::mattered`] has a use for what a choice needs.
    pub(crate) fn wants_matches(&self, position: usize) -> bool {
        self.late_matches < LATE_MATCHES_MAX && !self.matters(position)
    }

    /// Records that a choice has made a difference: a message came that could have matched otherwise. `matches` are those
    /// that it needs, if that is known, and `releases` the waits of senders that have to end before.
    pub(crate) fn mattered(
        &mut self,
        position: usize,
        matches: Option<Vec<(WildcardId, u32)>>,
        releases: Vec<(u32, u32)>,
    ) {
        let Some(choice) = self.made.get_mut(position) else { return };
        choice.alternatives = 2;
        if matches.is_none() && releases.is_empty() {
            self.mattered.insert(position);
            return;
        }
        let matches = matches.unwrap_or_default();
        self.late_matches += matches.len() + releases.len();
        self.late.push(Late { choice: position, matches, releases });
    }

    /// Returns the number of choices made so far.
    pub(crate) fn count(&self) -> usize {
        self.made.len()
    }

    /// Returns what is known of the choices made so far.
    pub(crate) fn into_choices(self) -> Choices {
        let Self { made, matched, mut late, mattered, .. } = self;
        // What needs nothing needs no matches either.
        late.retain(|late| !late.releases.is_empty() || !mattered.contains(&late.choice));
        let both: BTreeSet<usize> = late.iter().map(|late| late.choice).collect();
        let nothing = |choice: &usize| Late { choice: *choice, matches: vec![], releases: vec![] };
        late.extend(mattered.intersection(&both).map(nothing));
        Choices { made, matched: matched.into_iter().collect(), late }
    }
}

/// What is known of the choices of a run.
pub(in crate::kernel) struct Choices {
    /// The choices in order.
    pub(in crate::kernel) made: Vec<Choice>,
    /// Places of receives and probes with the senders whose messages they took.
    pub(in crate::kernel) matched: Vec<(Site, u32)>,
    /// What those choices need that do not matter otherwise.
    pub(in crate::kernel) late: Vec<Late>,
}

/// Returns the bits of these positions, of those below 64.
fn bits(positions: &[usize]) -> u64 {
    positions.iter().filter(|at| **at < 64).fold(0, |all, at| all | 1 << at)
}

/// Returns the alternative that a list names for a choice; the first one after its end.
fn listed(list: &[u32], position: usize, alternatives: usize) -> usize {
    list.get(position).map_or(0, |taken| (*taken as usize).min(alternatives - 1))
}
