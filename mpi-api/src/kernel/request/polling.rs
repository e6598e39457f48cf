//! Unsuccessful polls: their cost, when they are reported as a livelock, and how long series of
//! them are shortened.
//!
//! A rank that has polled unsuccessfully for long, and does nothing else, is not resumed for each
//! further poll. It sleeps until something happens that could change the answer; the polls that
//! would have failed meanwhile are accounted for, so that it continues at the time at which it
//! would have.

use sim_core::{ProcessId, SimDuration, SimTime};

use crate::call::{Operation, PartitionedCall, ProbeCall, Reply, RequestCall, ThreadCall};
use crate::kernel::{MpiKernel, Sched};

/// Number of unsuccessful polls in a row, with nothing under way in between, after which the run is
/// a livelock.
const IDLE_POLLS_MAX: u64 = 500_000;

/// Number of polls in a row that are made one by one: a program that gives up after a number of
/// polls rarely makes more.
const SINGLE_POLLS: u32 = 10_000;

/// Number of times in a row that a thread may compute or sleep while all others only wait; after
/// that it is taken for one that polls.
const NAPS: u32 = 1_000;

/// A thread whose polls fail until something happens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sleeper {
    process: ProcessId,
    /// Time at which its last poll failed.
    since: SimTime,
    /// Duration of each poll.
    cost: SimDuration,
}

/// The unsuccessful polls of all ranks.
#[derive(Default)]
pub(crate) struct Polling {
    /// Number of unsuccessful polls since anything else happened or was under way.
    idle: u64,
    /// Number of threads whose last call was an unsuccessful poll.
    threads: usize,
    /// Threads that sleep between polls.
    sleepers: Vec<Sleeper>,
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
    fn look(&mut self, at_rest: bool) -> u64 {
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
    fn is_all(&self, pending: usize) -> bool {
        pending + self.sleepers.len() == self.threads
    }

    /// Reports whether the `pending` events, of which some are `timers`, and the sleepers are no
    /// more than the threads that poll.
    pub(crate) fn is_all_but(&self, pending: usize, timers: usize) -> bool {
        (pending + self.sleepers.len()).saturating_sub(timers) <= self.threads
    }
}

impl MpiKernel {
    /// Handles a test or probe that found nothing: simulated time advances all the same.
    pub(crate) fn failed_poll(&mut self, rank: u32, s: &mut Sched) {
        let cost = self.settings.costs.poll.max(SimDuration::from_ps(1));
        self.failed_look(rank, cost, s);
    }

    /// Handles an unsuccessful poll of a rank that took `cost`.
    pub(crate) fn failed_look(&mut self, rank: u32, cost: SimDuration, s: &mut Sched) {
        // A rank that computes, and a message under way, may still bring what is polled for.
        let at_rest = self.polling.is_all(s.pending());
        let idle = self.polling.look(at_rest);
        let state = &mut self.ranks[rank as usize];
        state.polling = true;
        state.failed_polls += 1;
        state.rest.polls += 1;
        let long = state.failed_polls > SINGLE_POLLS;
        let process = state.process;
        let round = 4 * self.ranks.len() as u64 + 64;
        if at_rest && idle.is_multiple_of(round) && self.resolve_wildcard(s) {
            self.polling.interrupt();
        }
        if self.polling.idle() > IDLE_POLLS_MAX + round {
            self.report_livelock(s);
            return;
        }
        let since = s.now();
        if long && !at_rest && self.settings.environment.computing.is_none() {
            self.polling.sleepers.push(Sleeper { process, since, cost });
            return;
        }
        self.answer(rank, since, cost, Reply::NotYet, s);
    }

    /// Wakes the threads that sleep between polls: each makes its first poll that is not earlier
    /// than now.
    #[cold]
    pub(crate) fn wake_sleepers(&mut self, s: &mut Sched) {
        for Sleeper { process, since, cost } in std::mem::take(&mut self.polling.sleepers) {
            let (rank, thread) =
                if self.has_threads() { self.thread_of(process) } else { (process.0, 0) };
            let polls = s.now().since(since).as_ps().div_ceil(cost.as_ps()).max(1);
            let before = self.switch(rank, thread);
            self.ranks[rank as usize].rest.polls += polls - 1;
            let spent = SimDuration::from_ps(cost.as_ps() * polls);
            let at = self.charge(rank, spent);
            // Other events of this time come first, as they would have if all polls had been made.
            s.reply_in_turn(process, at, Reply::NotYet);
            self.switch(rank, before);
        }
    }

    /// Reports whether a call that has begun cannot change the result of other ranks' polls.
    pub(crate) fn only_looks(&self, rank: u32, operation: &Operation) -> bool {
        if self.has_threads() {
            // The thread may have written memory of its rank before the call, which others may
            // poll.
            return is_poll(operation) && self.ranks[rank as usize].failed_polls > 0;
        }
        is_poll(operation) || matches!(operation, Operation::Clock(_))
    }

    /// Handles a thread that computes in small steps until another has done something: wildcards
    /// that wait for everything to come to rest must not wait for it for ever.
    pub(crate) fn idle_computing(&mut self, rank: u32, s: &mut Sched) {
        let state = &mut self.ranks[rank as usize];
        state.failed_polls = 0;
        state.rest.naps = state.rest.naps.saturating_add(1);
        if state.rest.naps <= NAPS {
            return;
        }
        state.polling = true;
        let idle = self.polling.look(true);
        let round = 4 * self.ranks.len() as u64 + 64;
        if idle.is_multiple_of(round) {
            self.resolve_wildcard(s);
        }
    }

    /// Handles a thread's call: if the call does more than poll and compute, its rank is not merely
    /// waiting.
    pub(crate) fn end_naps(&mut self, rank: u32, operation: &Operation) {
        if !is_poll(operation) && !matches!(operation, Operation::Clock(_)) {
            self.ranks[rank as usize].rest.naps = 0;
        }
    }
}

/// Reports whether an operation is a poll: it changes nothing if it finds nothing.
fn is_poll(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Request(
            RequestCall::Test(..) | RequestCall::GetStatus(_) | RequestCall::GetStatusAndData(_),
        ) | Operation::Probe(ProbeCall::Immediate(..) | ProbeCall::ImmediateMatched(..))
            | Operation::Partitioned(PartitionedCall::Arrived(..))
            | Operation::Thread(ThreadCall::Yield)
    )
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
