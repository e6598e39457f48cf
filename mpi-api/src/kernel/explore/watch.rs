//! [`Watch`] and [`Polls`]: wildcards and polls whose message is chosen later.

use std::collections::BTreeMap;

use crate::kernel::{causality::Point, request::table::Pattern};

/// A wildcard that was resolved while others, or senders, waited.
pub(crate) struct Watch {
    pub(super) rank: u32,
    pub(super) pattern: Pattern,
    /// The sources that it could choose from.
    pub(super) sources: Vec<u32>,
    /// Number of the choice to go first, or of the one not to release `sender`.
    pub(super) position: usize,
    /// The event in which a sender waited, if the choice is whether it is released.
    pub(super) sender: Option<Point>,
    /// The event in which its rank waited for nothing else, if it did: what the rank does next depends on the match.
    pub(super) after: Option<Point>,
    /// For a request in the list of a wait, its position, and how many requests before it take the same messages.
    pub(super) place: Option<Place>,
    /// Its number among those that were resolved, if the run keeps them.
    pub(super) resolved: Option<usize>,
    /// How many waits of senders had ended.
    pub(super) waits: usize,
}

/// A request in the list of a wait for any or some.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) position: u32,
    /// How many active requests before it take the same messages.
    pub(super) earlier: u32,
}

/// A sender that could have been released.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    /// Number of the choice not to do so.
    pub(super) position: usize,
    /// The event in which it waits: what it does next happens after that.
    pub(super) event: Option<Point>,
}

/// Rank, context and tag of unsuccessful polls for any source, each with the slot and identity of
/// the message that was chosen for the next such poll.
pub(crate) type Polls = BTreeMap<(u32, u32, i32), Option<(u32, u64)>>;
