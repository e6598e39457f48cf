//! [`Books`]: what is known of requests beyond their records.

use std::collections::{BTreeMap, BTreeSet};

use super::{channel::Channels, table::Pattern};
use crate::{
    call::{MatchedId, RequestId},
    finding::{CallPlace, CallSite},
    outcome::Chosen,
};

/// The requests of the receive and of the send; the latter is `NONE` if it goes to the null
/// process.
pub(crate) type Parts = [u32; 2];

/// A persistent send or receive that was never started.
#[derive(Clone, Debug)]
pub(crate) struct Unstarted {
    /// Place of the call that made the request.
    pub(crate) place: CallSite,
    pub(crate) operation: Idle,
}

/// What a request would do that was never started.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Idle {
    Send {
        /// World rank of the receiver.
        target: u32,
        context: u32,
        /// The sender's rank in the communicator.
        source: u32,
        tag: i32,
    },
    Receive(Pattern),
}

/// A message that a matched probe has taken and that is not received yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(super) message: u32,
    /// The probe.
    pub(super) by: CallPlace,
}

/// A send that was cancelled before anything matched its message.
#[derive(Clone, Debug)]
pub(in crate::kernel) struct Cancelled {
    pub(in crate::kernel) send: CallSite,
    pub(in crate::kernel) target: u32,
    pub(in crate::kernel) context: u32,
    /// The sender's rank in the communicator.
    pub(in crate::kernel) source: u32,
    pub(in crate::kernel) tag: i32,
}

/// Most cancelled sends that are kept.
const CANCELLED_MAX: usize = 1 << 10;

/// What the kernel keeps about requests beside their table.
#[derive(Default)]
pub(crate) struct Books {
    /// Number of requests made so far, with overflow.
    pub(super) generations: u32,
    /// Pairs of a send and a receive with one request, by that request.
    pub(super) pairs: BTreeMap<u32, Parts>,
    pub(in crate::kernel) channels: Channels,
    /// Messages that matched probes have taken.
    pub(super) taken: BTreeMap<MatchedId, Taken>,
    /// Persistent requests that were freed without ever having been started.
    pub(in crate::kernel) unstarted: Vec<Unstarted>,
    /// The first sends that were cancelled.
    pub(in crate::kernel) cancelled: Vec<Cancelled>,
    /// Requests and split accesses to files of which a finding says that they were not completed in time.
    pub(in crate::kernel) unended: BTreeSet<RequestId>,
    /// Whether a request was freed that was not known to be complete.
    pub(in crate::kernel) freed_active: bool,
    /// The first call that cancels an operation under way.
    pub(in crate::kernel) cancels: Option<Chosen>,
}

impl Books {
    /// Records a send that was cancelled.
    pub(super) fn note_cancelled(&mut self, cancelled: Cancelled) {
        if self.cancelled.len() < CANCELLED_MAX {
            self.cancelled.push(cancelled);
        }
    }

    /// Returns the probe that has taken a message which is not received yet, by the number of the message.
    pub(in crate::kernel) fn taker(&self, message: u64) -> Option<CallPlace> {
        self.taken.get(&MatchedId(message)).map(|taken| taken.by)
    }
}
