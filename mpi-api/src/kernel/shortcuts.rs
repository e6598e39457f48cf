//! [`Shortcuts`]: what the settings of a run allow the kernel to leave out.

use crate::{
    kernel::rank::Rank,
    settings::{Matching, Settings},
};

/// Decisions about all messages of a run, made once when it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortcuts {
    /// Whether blocking calls may go without requests, as long as there are no threads.
    pub(super) short_ways: bool,
    /// Whether the size of a message without gaps costs its sender nothing.
    pub(super) free_sends: bool,
    /// Whether taking the results of requests costs their ranks no time.
    pub(super) free_waits: bool,
    /// Whether the messages and reductions of collectives cost their ranks no time.
    pub(super) free_rounds: bool,
}

impl Shortcuts {
    /// Decides for a run with these settings. Traces, exploration and conversion look at single
    /// requests and messages.
    pub(super) fn new(settings: &Settings, traced: bool) -> Self {
        Self {
            short_ways: !traced
                && settings.environment.representations.is_none()
                && !matches!(settings.matching, Matching::Explore(_)),
            free_sends: settings.costs.size_is_free(),
            free_waits: settings.costs.waits_are_free(),
            free_rounds: settings.costs.collectives_are_free(),
        }
    }
}

/// The messages that all ranks have sent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sent {
    /// Their number.
    pub(super) messages: u64,
    /// The sum of their sizes in bytes.
    pub(super) bytes: u64,
}

impl Sent {
    /// Counts a message; returns its number and its position among the messages of its pair of
    /// ranks.
    #[inline]
    pub(super) fn register(&mut self, sender: &mut Rank, target: u32, bytes: u64) -> (u64, u32) {
        let id = self.messages;
        self.messages += 1;
        self.bytes += bytes;
        sender.totals.messages += 1;
        sender.totals.bytes += bytes;
        let next = sender.sent.or_default(target);
        let sequence = *next;
        *next += 1;
        (id, sequence)
    }
}
