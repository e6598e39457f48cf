//! [`Shortcuts`]: what the settings of a run allow the kernel to leave out.

use network_models::ByteTime;
use sim_core::SimDuration;

use crate::{
    call::{Layout, Mode, Outgoing},
    kernel::rank::Rank,
    settings::{Matching, Pool, Settings},
};

/// Decisions about all messages of a run, made once when it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortcuts {
    /// Whether messages may take the short paths.
    pub(super) short_ways: bool,
    /// Whether blocking calls may go without requests: `short_ways`, as long as there are no threads.
    pub(super) direct: bool,
    /// Whether the size of a message without gaps costs its sender nothing.
    pub(super) free_sends: bool,
    /// Whether gaps in the memory of a message cost nothing.
    free_gaps: bool,
    /// Whether taking the results of requests costs their ranks no time.
    pub(super) free_waits: bool,
    /// Whether the messages and reductions of collectives cost their ranks no time.
    pub(super) free_rounds: bool,
    /// Whether taking a message without gaps costs its receiver nothing, copied or not.
    pub(super) free_receives: bool,
    /// Standard sends of fewer bytes than this are eager, always find space, and cost nothing beyond the
    /// price of their call and that of gaps.
    free_below: u64,
}

impl Shortcuts {
    /// Decides for a run with these settings. Traces, exploration and conversion look at single
    /// requests and messages.
    pub(super) fn new(settings: &Settings, traced: bool) -> Self {
        let (costs, none) = (&settings.costs, ByteTime::from_fs(0));
        let free_sends = costs.size_is_free();
        let short_ways = !traced
            && settings.environment.representations.is_none()
            && !matches!(
                settings.matching,
                Matching::Explore(_) | Matching::Planned(_) | Matching::Sampled(_)
            );
        Self {
            short_ways,
            direct: short_ways,
            free_sends,
            free_gaps: costs.pack == none,
            free_receives: costs.receive == SimDuration::ZERO
                && costs.receive_per_byte == none
                && costs.copy == none,
            free_below: Self::free_below(settings),
            free_waits: costs.waits_are_free(),
            free_rounds: costs.collectives_are_free(),
        }
    }

    /// Takes over the eager limit and the pool of settings that have changed.
    pub(super) fn change_limits(&mut self, settings: &Settings) {
        self.free_below = Self::free_below(settings);
    }

    fn free_below(settings: &Settings) -> u64 {
        let (costs, none) = (&settings.costs, ByteTime::from_fs(0));
        let unlimited = settings.buffering.pool == Pool::Unlimited;
        if costs.size_is_free() && costs.copy == none && unlimited {
            settings.buffering.eager_limit.saturating_add(1)
        } else {
            0
        }
    }

    /// Reports whether data of this layout are packed and unpacked at no cost.
    #[inline(always)]
    pub(super) fn packs_free(&self, layout: Layout) -> bool {
        self.free_gaps || layout == Layout::Dense
    }

    /// Reports whether a send is eager from a pool with space for it, and costs nothing beyond the
    /// price of its call: the same as the long way (`MpiKernel::prepare`) would find.
    #[inline(always)]
    pub(super) fn sends_free(&self, outgoing: &Outgoing, bytes: u64) -> bool {
        bytes < self.free_below
            && self.packs_free(outgoing.layout)
            && outgoing.mode == Mode::Standard
    }
}

/// The messages that all ranks have sent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sent {
    /// Their number.
    pub(super) messages: u64,
    /// How many of them are one-sided accesses.
    accesses: u64,
    /// The sum of their sizes in bytes.
    pub(super) bytes: u64,
}

impl Sent {
    /// Returns the number of those that are no one-sided accesses.
    pub(super) fn of_two_sides(&self) -> u64 {
        self.messages - self.accesses
    }

    /// Counts a one-sided access of this many bytes by a rank; returns its number.
    pub(super) fn count(&mut self, origin: &mut Rank, bytes: u64) -> u64 {
        self.messages += 1;
        self.accesses += 1;
        self.bytes += bytes;
        origin.totals.messages += 1;
        origin.totals.bytes += bytes;
        self.messages - 1
    }

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
