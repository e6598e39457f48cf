//! [`Exploration`]: the choices of a run.

use std::collections::BTreeMap;

use sim_core::SimDuration;

use super::{
    asleep::Asleep,
    choice::Chooser,
    passed::Passed,
    past::Past,
    receives::Receives,
    reluctance::Reluctance,
    waits::Waits,
    watch::{Polls, Watch},
};
use crate::{
    kernel::causality::Point,
    settings::{Matching, PlannedRelease, Settings, WildcardId},
};

/// The choices that the standard leaves open, and what may have to be chosen differently.
pub(crate) struct Exploration {
    pub(in crate::kernel) chooser: Chooser,
    /// Wildcards that were resolved before others, watched for late messages.
    pub(super) watches: Vec<Watch>,
    /// Polls for any source that wait for their message to be chosen.
    pub(super) held_polls: Polls,
    pub(super) reluctance: Reluctance,
    /// The receives from any source of each rank for which there are messages.
    pub(super) receives: Vec<Receives>,
    /// What wildcards must not take, since other executions do.
    pub(super) asleep: Asleep,
    /// Wildcards that others were preferred to.
    pub(super) passed: Passed,
    /// The wildcards that were resolved.
    pub(in crate::kernel) past: Past,
    /// The waits of senders that have ended.
    pub(in crate::kernel) waits: Waits,
    /// The ranks whose messages wildcards are to take, which have not yet.
    pub(super) plan: BTreeMap<WildcardId, u32>,
    /// The waits of senders that are to end because the system buffers their messages.
    pub(super) releases: Vec<PlannedRelease>,
    /// Whether the plan could not be kept.
    pub(in crate::kernel) unmet: bool,
    /// After how many choices nothing was left but what other executions do.
    pub(in crate::kernel) repeats: Option<usize>,
}

impl Exploration {
    pub(in crate::kernel) fn new(settings: &Settings) -> Self {
        let matching = &settings.matching;
        let (plan, releases) = match matching {
            Matching::Planned(plan) => {
                let matches = plan.matches.iter().map(|one| (one.wildcard, one.source));
                (matches.collect(), plan.releases.clone())
            }
            Matching::Arrival
            | Matching::Seeded(_)
            | Matching::Explore(_)
            | Matching::Sampled(_) => (BTreeMap::new(), Vec::new()),
        };
        Self {
            chooser: Chooser::new(matching),
            watches: Vec::new(),
            held_polls: Polls::default(),
            reluctance: Reluctance::new(settings),
            receives: Vec::new(),
            asleep: Asleep::default(),
            passed: Passed::default(),
            past: Past::default(),
            waits: Waits::default(),
            plan,
            releases,
            unmet: false,
            repeats: None,
        }
    }

    /// Records that nothing is left but what other executions do; then there is no plan any more.
    pub(super) fn repeats(&mut self) {
        self.repeats.get_or_insert(self.chooser.count());
        self.unmet |= !self.plan.is_empty() || !self.releases.is_empty();
        self.plan.clear();
        self.releases.clear();
    }

    /// Returns whether a plan says that the wait of a rank in this event ends now, because the system buffers its
    /// messages.
    pub(super) fn is_to_release(&mut self, wait: Point) -> bool {
        let made = self.chooser.count();
        let is_due = |one: &mut PlannedRelease| {
            (one.rank, one.event) == (wait.rank, wait.count) && one.from < made
        };
        self.releases.extract_if(.., is_due).count() > 0
    }

    /// Reports whether the program polls at all.
    pub(in crate::kernel) fn has_polled(&self) -> bool {
        self.reluctance.polled
    }

    /// Takes the time that the poll in progress takes, if it was made to fail and that is drawn.
    pub(in crate::kernel) fn take_lag(&mut self) -> Option<SimDuration> {
        self.reluctance.take_lag()
    }
}
