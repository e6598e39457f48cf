//! [`IdleRow`] and [`IdleCalls`]: the calls of a rank that only waits until others have changed its memory.

use crate::kernel::rank::Rank;

/// A row of calls of a rank that leave its windows as they are: `MPI_Win_sync`, and flushes and unlocks when no access is
/// under way. A program repeats them to wait for the accesses of others, and simulated time has to advance meanwhile.
#[derive(Debug, Default)]
pub(crate) struct IdleRow {
    /// Number of the last of them among the calls of the rank.
    last: u32,
    /// Number of the row.
    number: u32,
}

impl IdleRow {
    /// Notes a call, which is this one of its rank; returns the number of its row.
    fn enter(&mut self, call: u32) -> u32 {
        if self.last.wrapping_add(1) != call {
            self.number = self.number.wrapping_add(1);
        }
        self.last = call;
        self.number
    }

    /// Notes a call that is idle but waits for nothing: it continues a row, and begins none.
    fn pass(&mut self, call: u32) {
        if self.last.wrapping_add(1) == call {
            self.last = call;
        }
    }
}

impl Rank {
    /// Notes that the call in progress may wait for others to change a window; returns the number of its row.
    pub(super) fn enters_idle_call(&mut self) -> u32 {
        self.rest.idle.enter(self.calls)
    }

    /// Notes that the call in progress leaves windows as they are, but waits for nothing: an unlock, a query, or one that
    /// tells which memory is used directly.
    pub(super) fn passes_idle_call(&mut self) {
        self.rest.idle.pass(self.calls);
    }
}

/// The calls of a row that are about one window. A program may wait for several windows in turn.
#[derive(Debug, Default)]
pub(super) struct IdleCalls {
    /// Number of the row.
    row: u32,
    /// Whether the last of them was `MPI_Win_sync`.
    is_sync: bool,
    /// Number of flushes.
    flushes: u32,
}

impl IdleCalls {
    fn enter(&mut self, row: u32) {
        if self.row != row {
            *self = Self { row, ..Self::default() };
        }
    }

    /// Notes `MPI_Win_sync`; returns whether the rank waits by calling it again and again.
    pub(super) fn sync(&mut self, row: u32, size: u32) -> bool {
        self.enter(row);
        let again = self.is_sync;
        self.is_sync = true;
        again || self.flushes > size
    }

    /// Notes a flush when no access of those that it completes is under way, or a lock that is taken without asking;
    /// returns whether the rank waits by such calls. A program may flush or lock each of the `size` ranks of a window
    /// once for another reason.
    pub(super) fn flush(&mut self, row: u32, size: u32) -> bool {
        self.enter(row);
        self.is_sync = false;
        self.flushes += 1;
        self.flushes > size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_sync_in_a_row_waits() {
        let (mut row, mut idle) = (IdleRow::default(), IdleCalls::default());
        assert_eq!([5, 6, 7].map(|call| idle.sync(row.enter(call), 4)), [false, true, true]);
        assert!(!idle.sync(row.enter(9), 4), "the rank has made another call");
        row.pass(10);
        assert!(idle.sync(row.enter(11), 4));
    }

    #[test]
    fn more_flushes_than_ranks_wait() {
        let (mut row, mut idle) = (IdleRow::default(), IdleCalls::default());
        assert_eq!([5, 6, 7].map(|call| idle.flush(row.enter(call), 2)), [false, false, true]);
        assert!(
            idle.sync(row.enter(8), 2) && idle.flush(row.enter(9), 2),
            "in any order with syncs"
        );
        assert_eq!([11, 12].map(|call| idle.flush(row.enter(call), 2)), [false; 2], "another call");
        assert!(!idle.sync(row.enter(13), 2), "one after few flushes");
        assert!(idle.flush(row.enter(14), 2));
    }

    #[test]
    fn windows_may_be_waited_for_in_turn() {
        let (mut row, mut one, mut other) =
            (IdleRow::default(), IdleCalls::default(), IdleCalls::default());
        let mut both = |call| [one.sync(row.enter(call), 4), other.sync(row.enter(call + 1), 4)];
        assert_eq!(both(5), [false; 2], "each once");
        assert_eq!(both(7), [true; 2]);
        assert_eq!(both(10), [false; 2], "the rank has made another call");
    }
}
