//! [`Accesses`]: which accesses of different ranks to the same bytes nothing orders (MPI section 14.6.1).

use std::collections::VecDeque;

use crate::{call::Direction, finding::Origin};

/// Number of accesses of a file that are remembered.
const MOST: usize = 1 << 12;
/// Number of runs of bytes that these accesses may have together.
const MOST_RUNS: usize = 1 << 20;

/// An access to a file.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    /// The rank in the file.
    pub(super) member: u32,
    /// The call.
    pub(super) by: Origin,
    pub(super) direction: Direction,
    /// The bytes, in ascending order.
    runs: Vec<(i64, u64)>,
    /// Number of synchronisations that the rank had passed.
    syncs: u64,
}

/// The accesses of a file since its ranks last synchronised it.
#[derive(Default)]
pub(super) struct Accesses {
    /// Number of synchronisations that each rank has passed.
    syncs: Vec<u64>,
    recorded: VecDeque<Recorded>,
    /// Number of runs of all that are recorded.
    runs: usize,
}

impl Recorded {
    /// Returns the first byte and the end.
    fn bounds(&self) -> (i64, i64) {
        let first = self.runs.first().map_or(0, |run| run.0);
        (first, self.runs.last().map_or(first, |run| run.0 + run.1 as i64))
    }

    /// Returns the first byte that two accesses have in common.
    fn meets(&self, other: &Self) -> Option<i64> {
        let (mine, theirs) = (self.bounds(), other.bounds());
        if mine.0 >= theirs.1 || theirs.0 >= mine.1 {
            return None;
        }
        let (mut one, mut two) = (self.runs.iter().peekable(), other.runs.iter().peekable());
        while let (Some((a, a_bytes)), Some((b, b_bytes))) = (one.peek(), two.peek()) {
            let (a_end, b_end) = (a + *a_bytes as i64, b + *b_bytes as i64);
            if a_end <= *b {
                one.next();
            } else if b_end <= *a {
                two.next();
            } else {
                return Some(*a.max(b));
            }
        }
        None
    }
}

impl Accesses {
    /// Records that a rank has synchronised the file, which has so many ranks.
    pub(super) fn sync(&mut self, member: u32, size: usize) {
        self.syncs.resize(size, 0);
        self.syncs[member as usize] += 1;
        let least = self.syncs.iter().copied().min().unwrap_or(0);
        while self.recorded.front().is_some_and(|access| access.syncs < least) {
            self.forget();
        }
    }

    /// Forgets the earliest access.
    fn forget(&mut self) {
        self.runs -= self.recorded.pop_front().map_or(0, |access| access.runs.len());
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
        if runs.is_empty() {
            return None;
        }
        let syncs = self.syncs.get(member as usize).copied().unwrap_or(0);
        let access = Recorded { member, by, direction, runs: runs.to_vec(), syncs };
        let writes = |access: &Recorded| access.direction == Direction::Write;
        let concurrent = |earlier: &&Recorded| {
            earlier.member != member
                && (writes(earlier) || direction == Direction::Write)
                && syncs <= earlier.syncs
        };
        let mut others = self.recorded.iter().filter(concurrent);
        let met = others.find_map(|earlier| earlier.meets(&access).map(|at| (earlier.clone(), at)));
        self.runs += access.runs.len();
        self.recorded.push_back(access);
        while self.recorded.len() > MOST || self.runs > MOST_RUNS {
            self.forget();
        }
        met
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
        let comb: Vec<_> = (0..MOST_RUNS as i64 / 4).map(|n| (8 * n, 4)).collect();
        for _ in 0..6 {
            assert_eq!(met(&mut all, 0, Direction::Read, &comb), None);
        }
        assert_eq!((all.recorded.len(), all.runs), (4, MOST_RUNS));
        for n in 0..2 * MOST as i64 {
            met(&mut all, 0, Direction::Read, &[(n, 1)]);
        }
        assert_eq!((all.recorded.len(), all.runs), (MOST, MOST));
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
