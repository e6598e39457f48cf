//! [`Heads`]: the heads of messages on their way to a link.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};

use sim_core::SimTime;

use crate::{network::TransferId, topology::LinkId};

/// The head of a message on its way to a link.
///
/// Order: by the time at which it reaches the link, then by the transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Head {
    pub(super) time: SimTime,
    pub(super) id: TransferId,
    /// The number of the message in the model.
    pub(super) place: u32,
    /// The link that it reaches.
    pub(super) link: LinkId,
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

    /// Removes the first head, if it is due.
    pub(super) fn pop_if(&mut self, is_due: impl FnOnce(&Head) -> bool) -> Option<Head> {
        let first = self.first().filter(is_due)?;
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
            let (time, id) = (SimTime::from_ps(time), TransferId(number));
            heads.push(Head { time, id, place: 0, link: LinkId(0) }, number % 3 > 0);
        }
        let mut found = Vec::new();
        while let Some(first) = heads.first() {
            assert_eq!(heads.pop_if(|head| head.time < first.time), None, "it is not due");
            assert_eq!(heads.pop_if(|head| head.time <= first.time), Some(first));
            found.push((first.time.as_ps(), first.id.0));
        }
        assert_eq!(
            found,
            [(1, 5), (3, 8), (5, 0), (5, 1), (7, 3), (9, 2), (9, 4), (12, 6), (12, 7)]
        );
    }
}
