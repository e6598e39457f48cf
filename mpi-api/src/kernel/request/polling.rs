//! [`Polling`]: the ranks that poll without success, and those that sleep instead.

use sim_core::{ProcessId, SimDuration, SimTime};

/// A thread whose polls fail until something happens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sleeper {
    pub(super) process: ProcessId,
    /// Time at which its last poll failed.
    pub(super) since: SimTime,
    /// Duration of each poll.
    pub(super) cost: SimDuration,
}

/// The unsuccessful polls of all ranks.
#[derive(Default)]
pub(crate) struct Polling {
    /// Number of unsuccessful polls since anything else happened or was under way.
    idle: u64,
    /// Number of threads whose last call was an unsuccessful poll.
    threads: usize,
    /// Threads that sleep between polls.
    pub(super) sleepers: Vec<Sleeper>,
}

impl Polling {
    /// Records that something other than a poll happens.
    #[inline]
    pub(crate) fn interrupt(&mut self) {
        self.idle = 0;
    }

    /// Records that a thread that polled makes another call.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.threads -= 1;
    }

    /// Records that a thread does nothing but look at what others do; returns the number of such
    /// looks in a row if nothing else is under way, else 0.
    pub(super) fn look(&mut self, at_rest: bool) -> u64 {
        self.threads += 1;
        self.idle = if at_rest { self.idle + 1 } else { 0 };
        self.idle
    }

    /// Records that a thread waits by reading the clock, after polls that found nothing.
    pub(crate) fn read_clock(&mut self) {
        self.threads += 1;
    }

    /// Returns the number of unsuccessful polls since anything else happened.
    pub(crate) fn idle(&self) -> u64 {
        self.idle
    }

    /// Reports whether any thread sleeps between polls.
    #[inline]
    pub(crate) fn has_sleepers(&self) -> bool {
        !self.sleepers.is_empty()
    }

    /// Reports whether all of the `pending` events and all sleepers belong to threads that poll.
    pub(super) fn is_all(&self, pending: usize) -> bool {
        pending + self.sleepers.len() == self.threads
    }

    /// Reports whether the `pending` events, of which some are `timers`, and the sleepers are no
    /// more than the threads that poll.
    pub(crate) fn is_all_but(&self, pending: usize, timers: usize) -> bool {
        (pending + self.sleepers.len()).saturating_sub(timers) <= self.threads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_polls_in_a_row_with_nothing_under_way_count() {
        let mut polling = Polling::default();
        assert_eq!([polling.look(true), polling.look(true)], [1, 2]);
        assert_eq!(polling.look(false), 0, "a message is under way");
        assert_eq!(polling.look(true), 1);
        polling.interrupt();
        assert_eq!(polling.idle(), 0);
    }

    #[test]
    fn everything_polls_if_each_event_and_each_sleeper_is_a_poll() {
        let mut polling = Polling::default();
        polling.look(true);
        polling.look(true);
        let (process, since) = (ProcessId(1), SimTime::ZERO);
        polling.sleepers.push(Sleeper { process, since, cost: SimDuration::from_ns(1) });
        assert!(polling.has_sleepers());
        assert!(polling.is_all(1) && !polling.is_all(2));
        polling.leave();
        assert!(polling.is_all(0));
    }
}
