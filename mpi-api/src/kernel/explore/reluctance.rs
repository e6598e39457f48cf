//! [`Reluctance`]: the requests and probes that have failed once on purpose.

use std::collections::BTreeSet;

/// The polls that have been made to fail once.
#[derive(Default)]
pub(crate) struct Reluctance {
    /// Slot and generation of requests, with 0 for the whole request and 1 + number for a
    /// partition.
    pub(super) requests: BTreeSet<(u32, u32, u64)>,
    /// Rank and pattern of probes whose last attempt was made to fail.
    pub(super) probes: BTreeSet<(u32, u32, u32, i32)>,
    /// Whether the program polls at all.
    pub(crate) polled: bool,
}
