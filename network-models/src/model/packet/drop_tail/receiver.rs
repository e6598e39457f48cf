//! [`Receiver`]: puts the packets of a connection in order.

use std::collections::BTreeSet;

/// The receiving end of a connection. It acknowledges each packet with the number of the first one
/// that is missing.
#[derive(Clone, Debug, Default)]
pub(super) struct Receiver {
    /// The first packet that is missing.
    next: u64,
    /// Packets that came behind it.
    early: BTreeSet<u64>,
}

impl Receiver {
    /// Takes a packet and returns the first one that is missing then.
    pub(super) fn take(&mut self, number: u64) -> u64 {
        if number > self.next {
            self.early.insert(number);
        } else if number == self.next {
            self.next += 1;
            while self.early.first() == Some(&self.next) {
                self.early.pop_first();
                self.next += 1;
            }
        }
        self.next
    }

    /// Returns the first packet that is missing.
    pub(super) fn next(&self) -> u64 {
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_count_once_and_in_order() {
        let mut receiver = Receiver::default();
        let found = [0, 2, 3, 2, 0, 1, 3, 4].map(|number| receiver.take(number));
        assert_eq!(found, [1, 1, 1, 1, 1, 4, 4, 5]);
    }
}
