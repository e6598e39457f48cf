//! [`Watch`] and [`Polls`]: wildcards and polls whose message is chosen later.

use std::collections::BTreeMap;

use crate::kernel::request::table::Pattern;

/// A wildcard that was resolved while others waited.
pub(crate) struct Watch {
    pub(super) rank: u32,
    pub(super) pattern: Pattern,
    /// The sources that it could choose from.
    pub(super) sources: Vec<u32>,
    /// Number of the choice to go first.
    pub(super) position: usize,
}

/// Rank, context and tag of unsuccessful polls for any source, each with the slot and identity of
/// the message that was chosen for the next such poll.
pub(crate) type Polls = BTreeMap<(u32, u32, i32), Option<(u32, u64)>>;
