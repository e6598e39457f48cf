//! [`InProgress`]: accesses of a rank that have begun and that it has not completed. Until then they may take effect at
//! any time, also after others of the same rank (MPI section 14.6.1).

use crate::{
    call::{Direction, RequestId},
    finding::CallPlace,
};

/// Number of accesses in progress with which a further one of the rank is compared.
const MOST: usize = 1 << 10;

/// A nonblocking or split access.
pub(super) struct InProgress {
    pub(super) request: RequestId,
    /// Whether it is a split access: the program has no request.
    is_split: bool,
    /// The call that has begun it.
    pub(super) by: CallPlace,
    pub(super) direction: Direction,
    /// Its bytes, in ascending order.
    runs: Vec<(i64, u64)>,
}

/// The accesses in progress of one rank, and some that it has completed.
#[derive(Default)]
pub(super) struct AllInProgress {
    list: Vec<InProgress>,
    /// The number of them at which completed ones are forgotten: each access costs little that way.
    full: usize,
}

impl InProgress {
    pub(super) fn new(
        (request, is_split): (RequestId, bool),
        by: CallPlace,
        direction: Direction,
        runs: &[(i64, u64)],
    ) -> Self {
        Self { request, is_split, by, direction, runs: runs.to_vec() }
    }

    /// Returns the first byte that another access moves, too, if one of them writes.
    fn conflict(&self, direction: Direction, runs: &[(i64, u64)]) -> Option<i64> {
        if (self.direction, direction) == (Direction::Read, Direction::Read) {
            return None;
        }
        let end = |(at, bytes): (i64, u64)| at.saturating_add_unsigned(bytes);
        let (mut mine, mut theirs) = (self.runs.iter().peekable(), runs.iter().peekable());
        while let (Some(one), Some(other)) = (mine.peek(), theirs.peek()) {
            let first = one.0.max(other.0);
            if first < end(**one).min(end(**other)) {
                return Some(first);
            }
            if end(**one) <= end(**other) {
                mine.next()
            } else {
                theirs.next()
            };
        }
        None
    }
}

impl AllInProgress {
    /// Returns the call that has begun the first access in progress; `goes_on` says of which requests the program does
    /// not know that they are complete.
    pub(super) fn first(&self, goes_on: impl Fn(RequestId) -> bool) -> Option<CallPlace> {
        self.list.iter().find(|one| goes_on(one.request)).map(|one| one.by)
    }

    /// Returns the split accesses in progress.
    pub(super) fn split(&self) -> impl Iterator<Item = RequestId> {
        self.list.iter().filter(|one| one.is_split).map(|one| one.request)
    }

    pub(super) fn add(&mut self, access: InProgress, goes_on: impl Fn(RequestId) -> bool) {
        if self.list.len() >= self.full {
            self.list.retain(|one| goes_on(one.request));
            self.full = 2 * self.list.len().max(MOST);
        }
        self.list.push(access);
    }

    /// Forgets an access that the program knows to be complete.
    pub(super) fn remove(&mut self, request: RequestId) {
        self.list.retain(|one| one.request != request);
    }

    /// Returns the latest access in progress to the same bytes as another one, and the first of these bytes, if one of
    /// them writes.
    pub(super) fn conflict(
        &self,
        direction: Direction,
        runs: &[(i64, u64)],
        goes_on: impl Fn(RequestId) -> bool,
    ) -> Option<(&InProgress, i64)> {
        let latest = self.list.iter().rev().filter(|one| goes_on(one.request)).take(MOST);
        latest.filter_map(|one| Some((one, one.conflict(direction, runs)?))).next()
    }
}

#[cfg(test)]
mod tests {
    use sim_core::Site;

    use super::*;

    fn access(direction: Direction, runs: &[(i64, u64)]) -> InProgress {
        let request = RequestId { index: 1, generation: 2 };
        InProgress::new(
            (request, false),
            CallPlace { call: "a call", site: Site::NOWHERE },
            direction,
            runs,
        )
    }

    #[test]
    fn accesses_conflict_where_they_meet_and_one_writes() {
        use Direction::{Read, Write};
        let comb = access(Write, &[(0, 4), (8, 4), (16, 4)]);
        assert_eq!(comb.conflict(Read, &[(4, 4), (12, 4), (20, 9)]), None);
        assert_eq!(comb.conflict(Read, &[(4, 4), (11, 9)]), Some(11));
        assert_eq!(comb.conflict(Write, &[(0, 100)]), Some(0));
        assert_eq!(comb.conflict(Write, &[(18, 1)]), Some(18));
        assert_eq!(comb.conflict(Write, &[(8, 0), (30, 1)]), None, "no bytes");
        let read = access(Read, &[(0, 4)]);
        assert_eq!(
            (read.conflict(Read, &[(0, 4)]), read.conflict(Write, &[(3, 1)])),
            (None, Some(3))
        );
    }

    #[test]
    fn what_is_complete_conflicts_no_more() {
        let mut all = AllInProgress::default();
        let (goes_on, is_complete) = (|_| true, |_| false);
        all.add(access(Direction::Write, &[(0, 4)]), goes_on);
        assert_eq!(all.first(goes_on), Some(CallPlace { call: "a call", site: Site::NOWHERE }));
        assert!(all.conflict(Direction::Read, &[(0, 1)], goes_on).is_some());
        assert_eq!(all.first(is_complete), None);
        assert!(all.conflict(Direction::Read, &[(0, 1)], is_complete).is_none());
        all.remove(access(Direction::Read, &[]).request);
        assert_eq!(all.first(goes_on), None);
    }

    #[test]
    fn memory_is_that_of_accesses_in_progress() {
        let mut all = AllInProgress::default();
        for _ in 0..10 * MOST {
            all.add(access(Direction::Write, &[(0, 4)]), |_| false);
        }
        assert!(all.list.len() <= 2 * MOST);
    }
}
