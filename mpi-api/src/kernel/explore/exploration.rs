//! [`Exploration`]: the choices of a run.

use super::{
    choice::Chooser,
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
}

impl Exploration {
    pub(in crate::kernel) fn new(matching: &Matching) -> Self {
        Self {
            chooser: Chooser::new(matching),
            watches: Vec::new(),
            held_polls: Polls::default(),
            reluctance: Reluctance::default(),
        }
    }

    /// Reports whether the program polls at all.
    pub(in crate::kernel) fn has_polled(&self) -> bool {
        self.reluctance.polled
    }
}
