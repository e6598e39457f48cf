//! [`Books`]: what is known of requests beyond their records.

use std::collections::BTreeMap;

use super::channel::Channels;
use crate::call::MatchedId;

/// The requests of the receive and of the send; the latter is `NONE` if it goes to the null
/// process.
pub(crate) type Parts = [u32; 2];

/// What the kernel keeps about requests beside their table.
#[derive(Default)]
pub(crate) struct Books {
    /// Number of requests made so far, with overflow.
    pub(super) generations: u32,
    /// Pairs of a send and a receive with one request, by that request.
    pub(super) pairs: BTreeMap<u32, Parts>,
    pub(in crate::kernel) channels: Channels,
    /// Messages that matched probes have taken.
    pub(super) taken: BTreeMap<MatchedId, u32>,
    /// Whether a request was freed that was not known to be complete.
    pub(in crate::kernel) freed_active: bool,
}
