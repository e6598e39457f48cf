//! Polls that fail: what they take, when they are given up, and how long rows of them are cut short.
//!
//! A rank that has polled unsuccessfully for long, and does nothing else, is not resumed for each
//! further poll. It sleeps until something happens that could change the answer; the polls that would
//! have failed meanwhile are accounted for, so that it goes on at the time at which it would have.

use sim_core::{ProcessId, SimDuration, SimTime};

use crate::call::{Operation, Reply};
use crate::kernel::{MpiKernel, Sched};

/// Failed polls in a row, with nothing under way in between, after which nothing will ever come.
const IDLE_POLLS_MAX: u64 = 500_000;

/// Polls in a row that are made one by one: a program that gives up after some number of them is
/// hardly ever more patient.
const SINGLE_POLLS: u32 = 10_000;

/// Times a thread may compute, or sleep, in a row while all others only wait: after that it is taken
/// for one that polls.
const NAPS: u32 = 1_000;

/// A thread whose polls fail until something happens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sleeper {
    process: ProcessId,
    /// When its last poll failed.
    since: SimTime,
    /// What each poll takes.
    cost: SimDuration,
}

impl MpiKernel {
    /// A test or probe found nothing: simulated time advances all the same.
    pub(crate) fn failed_poll(&mut self, rank: u32, s: &mut Sched) {
        let cost = self.settings.costs.poll.max(SimDuration::from_ps(1));
        self.failed_look(rank, cost, s);
    }

    /// The rank has looked for something unsuccessfully, which took this long.
    pub(crate) fn failed_look(&mut self, rank: u32, cost: SimDuration, s: &mut Sched) {
        // Whoever computes, and whatever travels, may still bring what is polled for.
        let at_rest = s.pending() + self.sleepers.len() == self.polling;
        self.idle_polls = if at_rest { self.idle_polls + 1 } else { 0 };
        let state = &mut self.ranks[rank as usize];
        state.polling = true;
        state.failed_polls += 1;
        state.rest.polls += 1;
        let long = state.failed_polls > SINGLE_POLLS;
        let process = state.process;
        self.polling += 1;
        let round = 4 * self.ranks.len() as u64 + 64;
        if at_rest && self.idle_polls.is_multiple_of(round) && self.resolve_wildcard(s) {
            self.idle_polls = 0;
        }
        if self.idle_polls > IDLE_POLLS_MAX + round {
            self.report_livelock(s);
            return;
        }
        let since = s.now();
        if long && !at_rest && self.settings.environment.computing.is_none() {
            self.sleepers.push(Sleeper { process, since, cost });
            return;
        }
        self.answer(rank, since, cost, Reply::NotYet, s);
    }

    /// Something happens now: whoever sleeps between polls makes the first one that is not earlier.
    #[cold]
    pub(crate) fn wake_sleepers(&mut self, s: &mut Sched) {
        for Sleeper { process, since, cost } in std::mem::take(&mut self.sleepers) {
            let (rank, thread) =
                if self.has_threads() { self.thread_of(process) } else { (process.0, 0) };
            let polls = s.now().since(since).as_ps().div_ceil(cost.as_ps()).max(1);
            let before = self.switch(rank, thread);
            self.ranks[rank as usize].rest.polls += polls - 1;
            let spent = SimDuration::from_ps(cost.as_ps() * polls);
            let at = self.charge(rank, spent);
            // What else happens now comes first, as it would have if all polls had been made.
            s.reply_in_turn(process, at, Reply::NotYet);
            self.switch(rank, before);
        }
    }

    /// Whether a call that has begun cannot change what others find when they poll.
    pub(crate) fn only_looks(&self, rank: u32, operation: &Operation) -> bool {
        if self.has_threads() {
            // What the thread did to the memory of its rank before may be what others look for.
            return is_poll(operation) && self.ranks[rank as usize].failed_polls > 0;
        }
        is_poll(operation) || matches!(operation, Operation::Compute(_) | Operation::Now)
    }

    /// A thread may compute in small steps until another has done something: wildcards that wait
    /// for everything to come to rest must not wait for that for ever.
    pub(crate) fn idle_computing(&mut self, rank: u32, s: &mut Sched) {
        let state = &mut self.ranks[rank as usize];
        state.failed_polls = 0;
        state.rest.naps = state.rest.naps.saturating_add(1);
        if state.rest.naps <= NAPS {
            return;
        }
        state.polling = true;
        self.idle_polls += 1;
        self.polling += 1;
        let round = 4 * self.ranks.len() as u64 + 64;
        if self.idle_polls.is_multiple_of(round) {
            self.resolve_wildcard(s);
        }
    }

    /// A thread of the rank calls: if it does more than look and compute, its rank does not just wait.
    pub(crate) fn end_naps(&mut self, rank: u32, operation: &Operation) {
        if !is_poll(operation) && !matches!(operation, Operation::Compute(_) | Operation::Now) {
            self.ranks[rank as usize].rest.naps = 0;
        }
    }
}

/// Whether an operation looks for something and changes nothing if it is not there.
fn is_poll(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Test(..)
            | Operation::ImmediateProbe(..)
            | Operation::ImmediateMatchedProbe(..)
            | Operation::GetStatus(_)
            | Operation::GetStatusAndData(_)
            | Operation::PartitionArrived(..)
            | Operation::Yield
    )
}
