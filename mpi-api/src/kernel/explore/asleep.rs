//! [`Asleep`]: what wildcards must not take, because the execution would then be one that another order of
//! independent choices leads to (sleep sets: Godefroid, "Partial-order methods", LNCS 1032, 1996).

use std::collections::BTreeMap;

/// A wildcard, whatever messages there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// The probe that a rank is in.
    Probe(u32),
    /// The wait that a rank is in.
    Wait(u32),
    /// A receive of a rank, by its position in the posting order.
    Receive(u32, u64),
}

impl Key {
    fn rank(self) -> u32 {
        match self {
            Self::Probe(rank) | Self::Wait(rank) | Self::Receive(rank, _) => rank,
        }
    }
}

/// The alternatives of wildcards that have waited for others to go first: with each of them the wildcard has gone
/// first in another execution.
#[derive(Default)]
pub(crate) struct Asleep(BTreeMap<Key, Vec<u32>>);

impl Asleep {
    /// Returns what a wildcard must not take: sources of messages, or places in the list of a wait.
    pub(super) fn of(&self, key: Key) -> &[u32] {
        self.0.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Records that a wildcard with these alternatives waits.
    pub(super) fn add(&mut self, key: Key, alternatives: impl Iterator<Item = u32>) {
        self.0.entry(key).or_default().extend(alternatives);
    }

    /// Records that a wildcard is resolved: what depends on it is free again, which is the probe of its rank.
    pub(super) fn resolved(&mut self, key: Key) {
        self.0.remove(&key);
        self.0.remove(&Key::Probe(key.rank()));
    }

    /// Frees everything. Reports whether there was anything.
    pub(super) fn clear(&mut self) -> bool {
        let any = !self.0.is_empty();
        self.0.clear();
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_tried_first_is_not_tried_again_until_something_depends_on_it() {
        let mut asleep = Asleep::default();
        let (receive, probe, other) = (Key::Receive(1, 7), Key::Probe(1), Key::Receive(2, 7));
        asleep.add(receive, [0, 3].into_iter());
        asleep.add(probe, [4].into_iter());
        asleep.resolved(other);
        assert_eq!((asleep.of(receive), asleep.of(probe)), (&[0, 3][..], &[4][..]));
        asleep.resolved(Key::Receive(1, 8));
        assert_eq!((asleep.of(receive), asleep.of(probe)), (&[0, 3][..], &[][..]));
        assert!(asleep.clear() && !asleep.clear());
    }
}
