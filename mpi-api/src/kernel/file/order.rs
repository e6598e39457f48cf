//! [`Accesses`]: which accesses of different ranks to the same bytes nothing orders (MPI section 14.6.1).

use std::{
    collections::{BTreeMap, btree_map::Entry},
    mem,
};

use crate::{call::Direction, finding::Origin};

/// Number of pieces of a file, each accessed by the same calls, that are distinguished.
const MOST: usize = 1 << 18;

/// Accesses of a rank to a file that differ in their bytes only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Recorded {
    /// The rank in the file.
    pub(super) member: u32,
    /// The call.
    pub(super) by: Origin,
    pub(super) direction: Direction,
    /// Number of synchronisations that the rank had passed.
    syncs: u64,
}

/// The latest accesses of one direction, by number of synchronisations, of two ranks. Whichever rank accesses the
/// bytes next, the latest access of the other ranks is one of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Latest([Option<Recorded>; 2]);

/// Consecutive bytes that the same calls have accessed.
#[derive(Clone, Copy, Debug)]
struct Piece {
    end: i64,
    reads: Latest,
    writes: Latest,
}

/// The accesses of a file since its ranks last synchronised it.
#[derive(Default)]
pub(super) struct Accesses {
    /// Number of synchronisations that each rank has passed.
    syncs: Vec<u64>,
    /// By first byte; they do not overlap.
    pieces: BTreeMap<i64, Piece>,
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

impl Piece {
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

    fn has_same_accesses(&self, other: &Self) -> bool {
        self.reads == other.reads && self.writes == other.writes
    }
}

impl Accesses {
    /// Records that a rank has synchronised the file, which has so many ranks.
    pub(super) fn sync(&mut self, member: u32, size: usize) {
        let least = |syncs: &[u64]| syncs.iter().copied().min().unwrap_or(0);
        self.syncs.resize(size, 0);
        let before = least(&self.syncs);
        self.syncs[member as usize] += 1;
        let least = least(&self.syncs);
        if least == before {
            return;
        }
        self.pieces.retain(|_, piece| {
            piece.reads.forget_before(least);
            piece.writes.forget_before(least);
            piece.reads != Latest::default() || piece.writes != Latest::default()
        });
    }

    /// Records an access of a rank. Returns an earlier one of another rank to the same bytes that is
    /// not ordered with it, and the first of these bytes: one of them writes, and not both ranks have
    /// synchronised the file in between.
    pub(super) fn record(
        &mut self,
        (member, by): (u32, Origin),
        direction: Direction,
        runs: &[(i64, u64)],
    ) -> Option<(Recorded, i64)> {
        let syncs = self.syncs.get(member as usize).copied().unwrap_or(0);
        let access = Recorded { member, by, direction, syncs };
        let mut met = None;
        for (first, bytes) in runs.iter().filter(|run| run.1 > 0) {
            let found = self.record_run(access, (*first, first.saturating_add_unsigned(*bytes)));
            met = met.or(found);
        }
        while self.pieces.len() > MOST {
            self.pieces.pop_first();
        }
        met
    }

    /// Records an access to the bytes from `first` to before `end`.
    fn record_run(
        &mut self,
        access: Recorded,
        (first, end): (i64, i64),
    ) -> Option<(Recorded, i64)> {
        self.split(first);
        self.split(end);
        let mut met = None;
        let mut at = first;
        while at < end {
            let next = self.pieces.range(at + 1..end).next().map_or(end, |(start, _)| *start);
            let stop = match self.pieces.entry(at) {
                Entry::Occupied(known) => {
                    let piece = known.into_mut();
                    met = met.or_else(|| piece.concurrent(&access).map(|other| (other, at)));
                    piece.add(access);
                    piece.end
                }
                Entry::Vacant(gap) => {
                    let none = Latest::default();
                    gap.insert(Piece { end: next, reads: none, writes: none }).add(access);
                    next
                }
            };
            at = stop;
        }
        self.join((first, end));
        met
    }

    /// Divides the piece that goes beyond `at`, if one does.
    fn split(&mut self, at: i64) {
        if let Some((_, piece)) = self.pieces.range_mut(..at).next_back()
            && piece.end > at
        {
            let rest = Piece { end: mem::replace(&mut piece.end, at), ..*piece };
            self.pieces.insert(at, rest);
        }
    }

    /// Unites pieces in and beside these bytes that have the same accesses.
    fn join(&mut self, (first, end): (i64, i64)) {
        let before = self.pieces.range(..first).next_back();
        let mut left = before.map_or(first, |(start, _)| *start);
        while left < end
            && let Some((start, next)) = self.pieces.range(left + 1..=end).next()
        {
            let (start, next) = (*start, *next);
            let same = |known: &&mut Piece| known.end == start && known.has_same_accesses(&next);
            match self.pieces.get_mut(&left).filter(same) {
                Some(known) => {
                    known.end = next.end;
                    self.pieces.remove(&start);
                }
                None => left = start,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sim_core::Site;

    use super::*;

    fn met(
        accesses: &mut Accesses,
        member: u32,
        direction: Direction,
        runs: &[(i64, u64)],
    ) -> Option<(u32, i64)> {
        let found = accesses.record((member, ("a call", Site::NOWHERE)), direction, runs);
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
