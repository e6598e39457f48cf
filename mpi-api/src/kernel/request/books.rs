//! [`Books`]: what is known of requests beyond their records.

use std::collections::BTreeMap;

use super::{channel::Channels, table::Pattern};
use crate::{
    call::MatchedId,
    finding::{CallSite, Origin},
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
    pub(super) by: Origin,
}

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
    /// Whether a request was freed that was not known to be complete.
    pub(in crate::kernel) freed_active: bool,
}

impl Books {
    /// Returns the probe that has taken a message which is not received yet, by the number of the message.
    pub(in crate::kernel) fn taker(&self, message: u64) -> Option<Origin> {
        self.taken.get(&MatchedId(message)).map(|taken| taken.by)
    }
}
