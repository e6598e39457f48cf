//! [`Heads`]: the heads of messages on their way to a link.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};

use sim_core::SimTime;

use crate::network::TransferId;

/// The head of a message on its way to a link.
///
/// Order: by the time at which it reaches the link, then by the transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Head {
    pub(super) time: SimTime,
    pub(super) id: TransferId,
    /// The number of the message in the model.
    pub(super) place: u32,
}

/// Heads in their order.
///
/// The next link of a head that waited for nothing is reached the same time later by all of them, so
/// that they need no sorting.
#[derive(Debug, Default)]
pub(super) struct Heads {
    /// Sorted.
    in_order: VecDeque<Head>,
    others: BinaryHeap<Reverse<Head>>,
}

impl Heads {
    /// Adds a head. `prompt` says that it is probably behind all others that were prompt: it affects
    /// the speed only.
    pub(super) fn push(&mut self, head: Head, prompt: bool) {
        if prompt && self.in_order.back().is_none_or(|last| *last < head) {
            self.in_order.push_back(head);
        } else {
            self.others.push(Reverse(head));
        }
    }

    /// Returns the first head.
    pub(super) fn first(&self) -> Option<Head> {
        let others = self.others.peek().map(|Reverse(head)| *head);
        match (self.in_order.front().copied(), others) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    /// Removes the first head, if its time is not after `horizon`.
    pub(super) fn pop(&mut self, horizon: SimTime) -> Option<Head> {
        let first = self.first().filter(|head| head.time <= horizon)?;
        if self.in_order.front() == Some(&first) {
            self.in_order.pop_front()
        } else {
            self.others.pop().map(|Reverse(head)| head)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_come_in_order_whatever_was_said_of_them() {
        let mut heads = Heads::default();
        let times = [5, 5, 9, 7, 9, 1, 12, 12, 3];
        for (number, time) in (0u64..).zip(times) {
            let head = Head { time: SimTime::from_ps(time), id: TransferId(number), place: 0 };
            heads.push(head, number % 3 > 0);
        }
        let mut found = Vec::new();
        while let Some(head) = heads.pop(SimTime::from_ps(9)) {
            found.push((head.time.as_ps(), head.id.0));
        }
        assert_eq!(found, [(1, 5), (3, 8), (5, 0), (5, 1), (7, 3), (9, 2), (9, 4)]);
        assert_eq!(heads.first().map(|head| head.id.0), Some(6), "after the horizon");
    }
}
