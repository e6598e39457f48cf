//! [`Exploration`]: the choices of a run.

use super::{
    asleep::Asleep,
    choice::Chooser,
    passed::Passed,
    reluctance::Reluctance,
    watch::{Polls, Watch},
};
use crate::settings::Matching;

/// The choices that the standard leaves open, and what may have to be chosen differently.
pub(crate) struct Exploration {
    pub(in crate::kernel) chooser: Chooser,
    /// Wildcards that were resolved before others, watched for late messages.
    pub(super) watches: Vec<Watch>,
    /// Polls for any source that wait for their message to be chosen.
    pub(super) held_polls: Polls,
    pub(super) reluctance: Reluctance,
    /// What wildcards must not take, since other executions do.
    pub(super) asleep: Asleep,
    /// Wildcards that others were preferred to.
    pub(super) passed: Passed,
    /// After how many choices nothing was left but what other executions do.
    pub(in crate::kernel) repeats: Option<usize>,
}

impl Exploration {
    pub(in crate::kernel) fn new(matching: &Matching) -> Self {
        Self {
            chooser: Chooser::new(matching),
            watches: Vec::new(),
            held_polls: Polls::default(),
            reluctance: Reluctance::default(),
            asleep: Asleep::default(),
            passed: Passed::default(),
            repeats: None,
        }
    }

    /// Reports whether the program polls at all.
    pub(in crate::kernel) fn has_polled(&self) -> bool {
        self.reluctance.polled
    }
}
