//! [`Exploration`]: the choices of a run.

use std::collections::BTreeMap;

use super::{
    asleep::Asleep,
    choice::Chooser,
    passed::Passed,
    past::Past,
    receives::Receives,
    reluctance::Reluctance,
    watch::{Polls, Watch},
};
use crate::{
    kernel::causality::History,
    settings::{Matching, WildcardId},
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
    /// What depends on which match, if that is more than the program may rely on.
    pub(in crate::kernel) history: Option<Box<History>>,
    /// The wildcards that were resolved.
    pub(in crate::kernel) past: Past,
    /// The ranks whose messages wildcards are to take, which have not yet.
    pub(super) plan: BTreeMap<WildcardId, u32>,
    /// Whether the plan could not be kept.
    pub(in crate::kernel) unmet: bool,
    /// After how many choices nothing was left but what other executions do.
    pub(in crate::kernel) repeats: Option<usize>,
}

impl Exploration {
    pub(in crate::kernel) fn new(matching: &Matching) -> Self {
        let plan = match matching {
            Matching::Planned(plan) => {
                plan.matches.iter().map(|one| (one.wildcard, one.source)).collect()
            }
            Matching::Arrival
            | Matching::Seeded(_)
            | Matching::Explore(_)
            | Matching::Sampled(_) => BTreeMap::new(),
        };
        Self {
            chooser: Chooser::new(matching),
            watches: Vec::new(),
            held_polls: Polls::default(),
            reluctance: Reluctance::default(),
            receives: Vec::new(),
            asleep: Asleep::default(),
            passed: Passed::default(),
            history: None,
            past: Past::default(),
            plan,
            unmet: false,
            repeats: None,
        }
    }

    /// Records that nothing is left but what other executions do; then there is no plan any more.
    pub(super) fn repeats(&mut self) {
        self.repeats.get_or_insert(self.chooser.count());
        self.unmet |= !self.plan.is_empty();
        self.plan.clear();
    }

    /// Reports whether the program polls at all.
    pub(in crate::kernel) fn has_polled(&self) -> bool {
        self.reluctance.polled
    }
}
