//! [`Accesses`]: which accesses of different ranks to the same bytes nothing orders (MPI section 14.6.1).

use super::pieces::Pieces;
use crate::{call::Direction, finding::CallPlace};

/// Accesses of a rank to a file that differ in their bytes only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Recorded {
    /// The rank in the file.
    pub(super) member: u32,
    /// The call.
    pub(super) by: CallPlace,
    pub(super) direction: Direction,
    /// Number of synchronisations that the rank had passed.
    syncs: u64,
}

/// The latest accesses of one direction, by number of synchronisations, of two ranks. Whichever rank accesses the
/// bytes next, the latest access of the other ranks is one of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Latest([Option<Recorded>; 2]);

/// The accesses to some bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Both {
    reads: Latest,
    writes: Latest,
}

/// The accesses of a file since its ranks last synchronised it.
#[derive(Default)]
pub(super) struct Accesses {
    /// Number of synchronisations that each rank has passed.
    syncs: Vec<u64>,
    pieces: Pieces<Both>,
}

impl Latest {
    /// Returns the latest access of a rank other than `member`.
    fn of_others(&self, member: u32) -> Option<Recorded> {
        self.0.into_iter().flatten().find(|known| known.member != member)
    }

    /// Adds an access. Of those that have passed as many synchronisations the first is kept.
    fn add(&mut self, access: Recorded) {
        let [first, second] = &mut self.0;
        let is_later =
            |known: &Option<Recorded>| known.is_none_or(|known| access.syncs > known.syncs);
        let is_of =
            |known: &Option<Recorded>| known.is_some_and(|known| known.member == access.member);
        if is_later(first) {
            let before = first.replace(access);
            if !is_of(&before) {
                *second = before;
            }
        } else if !is_of(first) && is_later(second) {
            *second = Some(access);
        }
    }

    /// Forgets accesses that have passed fewer synchronisations.
    fn forget_before(&mut self, syncs: u64) {
        let [first, second] = self.0.map(|known| known.filter(|known| known.syncs >= syncs));
        self.0 = [first, second];
    }
}

impl Both {
    /// Returns an access of another rank, of which one writes, that is not ordered with this one.
    fn concurrent(&self, access: &Recorded) -> Option<Recorded> {
        let reads = match access.direction {
            Direction::Read => None,
            Direction::Write => self.reads.of_others(access.member),
        };
        let others = [self.writes.of_others(access.member), reads].into_iter().flatten();
        others.into_iter().find(|other| access.syncs <= other.syncs)
    }

    fn add(&mut self, access: Recorded) {
        match access.direction {
            Direction::Read => self.reads.add(access),
            Direction::Write => self.writes.add(access),
        }
    }
}

impl Accesses {
    /// Records that a rank has synchronised the file, which has this many ranks.
    pub(super) fn sync(&mut self, member: u32, size: usize) {
        let least = |syncs: &[u64]| syncs.iter().copied().min().unwrap_or(0);
        self.syncs.resize(size, 0);
        let before = least(&self.syncs);
        self.syncs[member as usize] += 1;
        let least = least(&self.syncs);
        if least == before {
            return;
        }
        self.pieces.retain(|both| {
            both.reads.forget_before(least);
            both.writes.forget_before(least);
            *both != Both::default()
        });
    }

    /// Records an access of a rank. Returns an earlier one of another rank to the same bytes that is
    /// not ordered with it, and the first of these bytes: one of them writes, and not both ranks have
    /// synchronised the file in between.
    pub(super) fn record(
        &mut self,
        (member, by): (u32, CallPlace),
        direction: Direction,
        runs: &[(i64, u64)],
    ) -> Option<(Recorded, i64)> {
        let access = Recorded { member, by, direction, syncs: self.syncs_of(member) };
        let mut met = None;
        self.pieces.update(runs, |at, both| {
            met = met.or_else(|| both.concurrent(&access).map(|other| (other, at)));
            both.add(access);
        });
        met
    }

    /// Returns the latest accesses that their rank has made since it last synchronised the file, and their bytes.
    pub(super) fn since_synchronisation(&self) -> impl Iterator<Item = (Recorded, (i64, u64))> {
        let is_new = |access: &Recorded| access.syncs == self.syncs_of(access.member);
        self.pieces.iter().flat_map(move |(first, bytes, both)| {
            let all = both.reads.0.into_iter().chain(both.writes.0).flatten();
            all.filter(is_new).map(move |access| (access, (first, bytes)))
        })
    }

    fn syncs_of(&self, member: u32) -> u64 {
        self.syncs.get(member as usize).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use sim_core::Site;

    use super::{super::pieces::MOST, *};

    fn met(
        accesses: &mut Accesses,
        member: u32,
        direction: Direction,
        runs: &[(i64, u64)],
    ) -> Option<(u32, i64)> {
        let found = accesses.record(
            (member, CallPlace { call: "a call", site: Site::NOWHERE }),
            direction,
            runs,
        );
        found.map(|(earlier, at)| (earlier.member, at))
    }

    #[test]
    fn accesses_meet_that_nothing_orders() {
        use Direction::{Read, Write};
        let mut all = Accesses::default();
        assert_eq!(met(&mut all, 0, Write, &[(0, 10)]), None);
        assert_eq!(met(&mut all, 1, Write, &[(10, 10)]), None);
        assert_eq!(met(&mut all, 0, Read, &[(0, 10)]), None, "a rank sees what it writes");
        assert_eq!(met(&mut all, 1, Read, &[(5, 2)]), Some((0, 5)));
        assert_eq!(met(&mut all, 2, Read, &[(20, 5)]), None);
        assert_eq!(met(&mut all, 0, Read, &[(20, 5)]), None, "both only read");
        assert_eq!(met(&mut all, 1, Write, &[(24, 1)]), Some((2, 24)));
    }

    #[test]
    fn synchronisation_by_both_orders_accesses() {
        use Direction::{Read, Write};
        let mut all = Accesses::default();
        assert_eq!(met(&mut all, 0, Write, &[(0, 10)]), None);
        all.sync(1, 2);
        assert_eq!(met(&mut all, 1, Read, &[(0, 10)]), None, "rank 0 may have done so, too");
        let mut all = Accesses::default();
        all.sync(0, 2);
        assert_eq!(met(&mut all, 0, Write, &[(0, 10)]), None);
        all.sync(1, 2);
        assert_eq!(met(&mut all, 1, Read, &[(0, 10)]), Some((0, 0)));
        all.sync(0, 2);
        all.sync(1, 2);
        assert_eq!(met(&mut all, 1, Write, &[(0, 10)]), None);
    }

    #[test]
    fn memory_for_accesses_is_bounded() {
        let mut all = Accesses::default();
        let comb: Vec<_> = (0..MOST as i64 / 4).map(|n| (8 * n, 4)).collect();
        for _ in 0..6 {
            assert_eq!(met(&mut all, 0, Direction::Read, &comb), None);
        }
        assert_eq!(all.pieces.len(), comb.len());
        let beyond: Vec<_> = (0..MOST as i64).map(|n| (8 * n + 4, 1)).collect();
        met(&mut all, 1, Direction::Read, &beyond);
        assert_eq!(all.pieces.len(), MOST);
    }

    #[test]
    fn small_accesses_are_remembered_together() {
        let mut all = Accesses::default();
        met(&mut all, 0, Direction::Write, &[(0, 4)]);
        for n in 0..10_000 {
            assert_eq!(met(&mut all, 1, Direction::Read, &[(16 + 8 * n, 8)]), None);
        }
        assert_eq!(all.pieces.len(), 2);
        assert_eq!(met(&mut all, 1, Direction::Read, &[(3, 1)]), Some((0, 3)), "however long ago");
    }

    #[test]
    fn the_latest_accesses_of_two_ranks_suffice() {
        use Direction::{Read, Write};
        let mut all = Accesses::default();
        for member in [0, 1, 2, 0] {
            assert_eq!(met(&mut all, member, Read, &[(0, 8)]), None);
        }
        assert_eq!(met(&mut all, 0, Write, &[(7, 9)]), Some((1, 7)));
        // Ranks 0 and 1 synchronise: reads of rank 2 are what rank 3 may still meet.
        let mut all = Accesses::default();
        all.sync(2, 4);
        for member in [0, 1, 2] {
            assert_eq!(met(&mut all, member, Read, &[(0, 8)]), None);
        }
        all.sync(3, 4);
        assert_eq!(met(&mut all, 3, Write, &[(0, 8)]), Some((2, 0)));
    }

    #[test]
    fn interleaved_accesses_do_not_meet() {
        let mut all = Accesses::default();
        let comb = |first: i64| (0..50).map(move |n| (first + 8 * n, 4)).collect::<Vec<_>>();
        assert_eq!(met(&mut all, 0, Direction::Write, &comb(0)), None);
        assert_eq!(met(&mut all, 1, Direction::Write, &comb(4)), None);
        assert_eq!(met(&mut all, 2, Direction::Write, &[(203, 2)]), Some((0, 203)));
    }
}
