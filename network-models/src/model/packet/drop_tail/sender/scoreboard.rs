//! [`Scoreboard`]: what selective acknowledgements tell a sender.

use std::{collections::BTreeSet, ops::Range};

use super::DUPLICATES;

/// The packets behind the first missing one that are known to have arrived, and those that were
/// sent again since (RFC 6675).
///
/// A packet is taken for lost when three packets behind it have arrived.
#[derive(Clone, Debug, Default)]
pub(super) struct Scoreboard {
    arrived: BTreeSet<u64>,
    again: BTreeSet<u64>,
}

impl Scoreboard {
    /// Notes that a packet has arrived and that all before `first` have.
    pub(super) fn note(&mut self, arrived: u64, first: u64) {
        self.arrived.insert(arrived);
        self.arrived = self.arrived.split_off(&first);
        self.again = self.again.split_off(&first);
    }

    /// Notes that a packet is sent again.
    pub(super) fn resend(&mut self, number: u64) {
        self.again.insert(number);
    }

    /// Begins without packets that were sent again.
    pub(super) fn begin(&mut self) {
        self.again.clear();
    }

    /// Returns whether a packet has arrived.
    pub(super) fn has(&self, number: u64) -> bool {
        self.arrived.contains(&number)
    }

    /// Returns the number of packets that have arrived in front of `next`.
    pub(super) fn count(&self, next: u64) -> u64 {
        self.arrived.range(..next).count() as u64
    }

    /// Returns the number of the first packet that is not taken for lost, whatever has arrived.
    fn edge(&self) -> u64 {
        self.arrived.iter().rev().nth(DUPLICATES as usize - 1).copied().unwrap_or(0)
    }

    /// Returns whether a packet is taken for lost.
    pub(super) fn is_lost(&self, number: u64) -> bool {
        number < self.edge() && !self.has(number)
    }

    /// Returns how many of the packets that were sent are on their way: neither there nor lost, or
    /// sent again.
    pub(super) fn under_way(&self, sent: Range<u64>) -> u64 {
        let edge = self.edge().clamp(sent.start, sent.end);
        // Those that may be on their first way, and those that are on their second one.
        let first = sent.end - edge - self.arrived.range(edge..sent.end).count() as u64;
        first + self.again.range(sent).filter(|number| !self.has(**number)).count() as u64
    }

    /// Returns the first packet that has neither arrived nor been sent again of those that are taken for
    /// lost or, if `all`, of those in front of one that has arrived.
    pub(super) fn hole(&self, first: u64, all: bool) -> Option<u64> {
        let last = self.arrived.last().copied().unwrap_or(0);
        let end = if all { last } else { self.edge() };
        (first..end).find(|number| !self.has(*number) && !self.again.contains(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_packets_behind_it_say_that_a_packet_is_lost() {
        let mut board = Scoreboard::default();
        for number in [1, 2, 5] {
            board.note(number, 0);
        }
        assert!(board.is_lost(0) && !board.is_lost(1) && !board.is_lost(3));
        // Of 0 to 6, 0 is lost, 1, 2 and 5 are there, 3, 4 and 6 are on their way.
        assert_eq!(board.under_way(0..7), 3);
        assert_eq!((board.hole(0, false), board.hole(0, true)), (Some(0), Some(0)));
        board.resend(0);
        assert_eq!(board.under_way(0..7), 4);
        assert_eq!((board.hole(0, false), board.hole(0, true)), (None, Some(3)));
        board.note(6, 0);
        assert!(!board.is_lost(3), "only two are behind it");
        board.note(7, 0);
        assert!(board.is_lost(3) && board.is_lost(4));
        board.note(0, 3);
        assert_eq!((board.count(7), board.count(8)), (2, 3));
        assert_eq!(board.under_way(3..9), 1);
    }
}
