//! [`IdleCalls`]: the calls of a rank that only waits until others have changed its memory.

/// The calls of a rank in a row that leave a window as it is: `MPI_Win_sync`, and flushes and unlocks when no access is
/// under way. A program repeats them to wait for the accesses of others, and simulated time has to advance meanwhile.
#[derive(Debug, Default)]
pub(super) struct IdleCalls {
    /// Number of the last of them among the calls of the rank.
    last: u32,
    /// Whether that was `MPI_Win_sync`.
    is_sync: bool,
    /// Number of flushes in the row.
    flushes: u32,
}

impl IdleCalls {
    /// Notes a call, which is this one of its rank; returns whether the one before it was idle too.
    fn continues(&mut self, call: u32) -> bool {
        let continues = self.last.wrapping_add(1) == call;
        self.last = call;
        if !continues {
            self.flushes = 0;
        }
        continues
    }

    /// Notes `MPI_Win_sync`; returns whether the rank waits by calling it again and again.
    pub(super) fn sync(&mut self, call: u32, size: u32) -> bool {
        let again = self.continues(call) && self.is_sync;
        self.is_sync = true;
        again || self.flushes > size
    }

    /// Notes a flush when no access of those that it completes is under way, or a lock that is taken without asking;
    /// returns whether the rank waits by such calls. A program may flush or lock each of the `size` ranks of a window
    /// once for another reason.
    pub(super) fn flush(&mut self, call: u32, size: u32) -> bool {
        self.continues(call);
        self.is_sync = false;
        self.flushes += 1;
        self.flushes > size
    }

    /// Notes a call that is idle but waits for nothing: an unlock, or one that tells which memory is used directly.
    pub(super) fn pass(&mut self, call: u32) {
        if self.last.wrapping_add(1) == call {
            self.last = call;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_sync_in_a_row_waits() {
        let mut idle = IdleCalls::default();
        assert_eq!([5, 6, 7].map(|call| idle.sync(call, 4)), [false, true, true]);
        assert!(!idle.sync(9, 4), "the rank has made another call");
        idle.pass(10);
        assert!(idle.sync(11, 4));
    }

    #[test]
    fn more_flushes_than_ranks_wait() {
        let mut idle = IdleCalls::default();
        assert_eq!([5, 6, 7].map(|call| idle.flush(call, 2)), [false, false, true]);
        assert!(idle.sync(8, 2) && idle.flush(9, 2), "in any order with syncs");
        assert_eq!([11, 12].map(|call| idle.flush(call, 2)), [false; 2], "another call");
        assert!(!idle.sync(13, 2), "one after few flushes");
        assert!(idle.flush(14, 2));
    }
}
