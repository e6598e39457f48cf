//! [`Polling`]: the ranks that poll without success, and those that sleep instead.

use std::collections::BTreeMap;

use sim_core::{ProcessId, SimDuration, SimTime};

use crate::{
    call::{RequestId, Site},
    kernel::request::{recurrence::Recurrence, table::Pattern},
};

/// A thread whose polls fail until something happens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sleeper {
    pub(super) process: ProcessId,
    /// Time at which its last poll failed.
    pub(super) since: SimTime,
    /// Duration of each poll.
    pub(super) cost: SimDuration,
}

/// What a poll looks for.
#[derive(Clone, Copy)]
pub(crate) enum Sought<'a> {
    /// The end of these requests.
    Requests(&'a [RequestId]),
    /// A message like this.
    Message(Pattern),
    /// Something that may happen without an event of its rank.
    Other,
}

/// A poll that a rank remembers, to notice that it makes it again.
#[derive(PartialEq, Eq)]
struct Poll {
    site: Site,
    requests: Vec<RequestId>,
    message: Option<Pattern>,
}

/// Number of events, and at least one for each suspended rank, after which suspended ranks poll all the same.
const TURN: usize = 32;

/// What is known of the polls of a rank since something happened to it.
#[derive(Default)]
struct Series {
    /// One of them.
    poll: Option<Poll>,
    /// Number of times that the rank was suspended and nothing happened to it.
    times: u32,
}

/// The unsuccessful polls of all ranks.
#[derive(Default)]
pub(crate) struct Polling {
    /// Number of unsuccessful polls since anything else happened or was under way.
    idle: u64,
    /// How many of the last of these were made by threads in loops that end only when memory changes.
    spins: u64,
    /// Number of threads whose last call was an unsuccessful poll.
    threads: usize,
    /// Threads that sleep between polls.
    sleepers: Vec<Sleeper>,
    /// Ranks that have made the same polls again, all without success, and wait for something to happen to them.
    suspended: BTreeMap<u32, Sleeper>,
    /// The polls of each rank since something happened to it.
    series: BTreeMap<u32, Series>,
    /// Number of events since all suspended ranks have polled.
    waited: usize,
    /// Number of sleepers and suspended ranks.
    resting: usize,
    /// The states of the programs that poll, once they have polled for long.
    recurrence: Recurrence,
    /// Number of unsuccessful polls in a row when the last of these states was looked at.
    examined: u64,
    /// Whether no rank is suspended until something happens: all were, and nothing did.
    is_restless: bool,
}

impl Polling {
    /// Records that something other than a poll happens.
    #[inline]
    pub(crate) fn interrupt(&mut self) {
        self.idle = 0;
        self.spins = 0;
        self.is_restless = false;
    }

    /// Reports whether a rank is to be suspended at this poll, the last of `count` unsuccessful ones in a row: it has made
    /// it before. With the number of polls the one that is remembered moves on, so that any cycle of polls is found,
    /// whatever came before it (Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980). Polls of unknown
    /// places are all different.
    ///
    /// A program may count its polls and do something else after some, so each suspension allows it one more.
    pub(super) fn suspends(
        &mut self,
        rank: u32,
        count: u32,
        site: Site,
        sought: Sought<'_>,
    ) -> bool {
        let (requests, message) = match sought {
            Sought::Requests(requests) => (requests, None),
            Sought::Message(pattern) => (&[][..], Some(pattern)),
            Sought::Other => return false,
        };
        if self.is_restless || site.known().is_none() {
            return false;
        }
        let series = self.series.entry(rank).or_default();
        if count == 1 {
            series.poll = None;
        }
        if series.poll.as_ref().is_some_and(|known| {
            known.site == site && known.requests == requests && known.message == message
        }) {
            return count > series.times;
        }
        if count.is_power_of_two() {
            series.poll = Some(Poll { site, requests: requests.to_vec(), message });
        }
        false
    }

    /// Records an event while ranks are suspended. Returns whether it is their turn to poll.
    pub(super) fn is_turn(&mut self) -> bool {
        self.waited += 1;
        self.waited > TURN.max(self.suspended.len())
    }

    /// Lets a thread sleep.
    pub(super) fn sleep(&mut self, sleeper: Sleeper) {
        self.resting += 1;
        self.sleepers.push(sleeper);
    }

    /// Ends the sleep of all threads that sleep.
    pub(super) fn wake(&mut self) -> Vec<Sleeper> {
        self.resting -= self.sleepers.len();
        std::mem::take(&mut self.sleepers)
    }

    /// Suspends the polls of a rank.
    pub(super) fn suspend(&mut self, rank: u32, sleeper: Sleeper) {
        self.resting += 1;
        self.suspended.insert(rank, sleeper);
    }

    /// Ends the suspension of a rank to which something has happened.
    pub(super) fn resume(&mut self, rank: u32) -> Option<Sleeper> {
        let sleeper = self.suspended.remove(&rank)?;
        self.resting -= 1;
        self.series.remove(&rank);
        Some(sleeper)
    }

    /// Suspends no rank until something happens.
    pub(super) fn be_restless(&mut self) {
        self.is_restless = true;
    }

    /// Ends all suspensions.
    pub(super) fn resume_all(&mut self) -> BTreeMap<u32, Sleeper> {
        self.waited = 0;
        self.resting -= self.suspended.len();
        for rank in self.suspended.keys() {
            self.series.entry(*rank).or_default().times += 1;
        }
        std::mem::take(&mut self.suspended)
    }

    /// Reports whether any rank is suspended.
    #[inline]
    pub(crate) fn has_suspended(&self) -> bool {
        !self.suspended.is_empty()
    }

    /// Reports whether any thread polls without being resumed for it: sleeps or is suspended.
    #[inline]
    pub(crate) fn has_resting(&self) -> bool {
        self.resting > 0
    }

    /// Records that a thread that polled makes another call.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.threads -= 1;
    }

    /// Records that a thread does nothing but look at what others do; returns the number of such
    /// looks in a row if nothing else is under way, else 0. A thread `spins` in a loop that ends only when
    /// memory changes.
    pub(super) fn look(&mut self, at_rest: bool, spins: bool) -> u64 {
        self.threads += 1;
        self.idle = if at_rest { self.idle + 1 } else { 0 };
        self.spins = if at_rest && spins { self.spins + 1 } else { 0 };
        self.idle
    }

    /// Returns the number of looks in a row, with nothing else under way, of threads in loops that end only
    /// when memory changes.
    pub(super) fn spins(&self) -> u64 {
        self.spins
    }

    /// Records that a thread which polled has made a call that changes nothing, such as reading the clock.
    pub(super) fn go_on(&mut self) {
        self.threads += 1;
        self.spins = 0;
    }

    /// Returns the number of threads whose last call was an unsuccessful poll.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Returns the number of unsuccessful polls since anything else happened.
    pub(crate) fn idle(&self) -> u64 {
        self.idle
    }

    /// Looks at the state of a process that has polled for long; `state` returns a number for it. Reports whether all that
    /// poll are in a few states again and again.
    pub(super) fn recurs(&mut self, process: ProcessId, state: impl FnOnce() -> u64) -> bool {
        if self.idle <= self.examined {
            // Another series of polls.
            self.recurrence.clear();
        }
        self.examined = self.idle;
        self.recurrence.look(process, state);
        self.recurrence.recurring() >= self.threads
    }

    /// Reports whether any thread sleeps between polls.
    #[inline]
    pub(crate) fn has_sleepers(&self) -> bool {
        !self.sleepers.is_empty()
    }

    /// Reports whether all of the `pending` events and all sleepers belong to threads that poll.
    pub(crate) fn is_all(&self, pending: usize) -> bool {
        pending + self.resting == self.threads
    }

    /// Reports whether the `pending` events, of which some are `timers`, and the sleepers are no
    /// more than the threads that poll.
    pub(crate) fn is_all_but(&self, pending: usize, timers: usize) -> bool {
        (pending + self.resting).saturating_sub(timers) <= self.threads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(line: u32) -> Site {
        Site::at("program.c", line, 1)
    }

    fn sleeper(process: u32) -> Sleeper {
        let (process, since) = (ProcessId(process), SimTime::ZERO);
        Sleeper { process, since, cost: SimDuration::from_ns(1) }
    }

    /// Returns after how many polls a rank is suspended that polls at these lines, of which `cycle` follow each other again
    /// and again.
    fn until_suspended(polling: &mut Polling, first: &[u32], cycle: &[u32]) -> Option<u32> {
        let lines = first.iter().chain(cycle.iter().cycle());
        let mut made = (1..200).zip(lines);
        let found = made
            .find(|(count, line)| polling.suspends(3, *count, site(**line), Sought::Requests(&[])));
        found.map(|(count, _)| count)
    }

    #[test]
    fn a_rank_is_suspended_once_it_polls_in_a_cycle() {
        let mut polling = Polling::default();
        assert_eq!(until_suspended(&mut polling, &[], &[7]), Some(2));
        assert_eq!(until_suspended(&mut polling, &[], &[7, 8]), Some(4));
        assert_eq!(until_suspended(&mut polling, &[1, 2, 3], &[7, 8, 9]), Some(7));
        let all: Vec<u32> = (0..40).collect();
        assert!(until_suspended(&mut polling, &[], &all).is_some_and(|count| count > 40));
        let nowhere = |count| polling.suspends(3, count, Site::NOWHERE, Sought::Requests(&[]));
        assert!(!(1..100).any(nowhere));
        let anything = |count| polling.suspends(3, count, site(1), Sought::Other);
        assert!(!(1..100).any(anything));
    }

    #[test]
    fn polls_differ_in_what_they_look_for() {
        let mut polling = Polling::default();
        let request = |index| RequestId { index, generation: 1 };
        for count in 1..20 {
            let (one, sought) = ([request(count)], site(1));
            assert!(!polling.suspends(3, count, sought, Sought::Requests(&one)), "{count}");
        }
        let pattern = |tag| Pattern { context: 0, source: 1, tag };
        assert!(!polling.suspends(3, 1, site(1), Sought::Message(pattern(4))));
        assert!(!polling.suspends(3, 2, site(1), Sought::Message(pattern(5))));
        assert!(polling.suspends(3, 3, site(1), Sought::Message(pattern(5))));
    }

    #[test]
    fn each_suspension_for_nothing_allows_one_more_poll() {
        let mut polling = Polling::default();
        for polls in [2, 2, 3, 4, 5] {
            assert_eq!(until_suspended(&mut polling, &[], &[7]), Some(polls));
            polling.suspend(3, sleeper(3));
            assert_eq!(polling.resume_all().len(), 1);
        }
        polling.suspend(3, sleeper(3));
        assert!(polling.resume(3).is_some(), "something has happened to it");
        assert_eq!(until_suspended(&mut polling, &[], &[7]), Some(2));
    }

    #[test]
    fn suspended_ranks_take_turns_and_count_as_ranks_that_poll() {
        let mut polling = Polling::default();
        polling.look(false, false);
        polling.suspend(3, sleeper(3));
        assert!(polling.is_all(0) && polling.has_resting() && !polling.has_sleepers());
        assert_eq!((1..100).find(|_| polling.is_turn()), Some(TURN as i32 + 1));
        polling.resume_all();
        assert!(!polling.has_resting() && !polling.is_turn());
        polling.be_restless();
        assert_eq!(until_suspended(&mut polling, &[], &[7]), None);
        polling.interrupt();
        assert_eq!(until_suspended(&mut polling, &[], &[7]), Some(2));
    }

    #[test]
    fn only_polls_in_a_row_with_nothing_under_way_count() {
        let mut polling = Polling::default();
        assert_eq!([polling.look(true, false), polling.look(true, false)], [1, 2]);
        assert_eq!(polling.look(false, false), 0, "a message is under way");
        assert_eq!(polling.look(true, false), 1);
        polling.interrupt();
        assert_eq!(polling.idle(), 0);
    }

    #[test]
    fn loops_without_an_end_are_counted_until_anything_else_happens() {
        let mut polling = Polling::default();
        let spins = |polling: &mut Polling, at_rest| {
            polling.look(at_rest, true);
            polling.spins()
        };
        assert_eq!([true, true].map(|at_rest| spins(&mut polling, at_rest)), [1, 2]);
        polling.look(true, false);
        assert_eq!(spins(&mut polling, true), 1, "another thread polled");
        polling.go_on();
        assert_eq!(spins(&mut polling, true), 1, "another thread waits for a time");
        polling.interrupt();
        assert_eq!(spins(&mut polling, true), 1, "something happened");
        assert_eq!(spins(&mut polling, false), 0, "something is under way");
    }

    #[test]
    fn everything_polls_if_each_event_and_each_sleeper_is_a_poll() {
        let mut polling = Polling::default();
        polling.look(true, false);
        polling.look(true, false);
        let (process, since) = (ProcessId(1), SimTime::ZERO);
        polling.sleep(Sleeper { process, since, cost: SimDuration::from_ns(1) });
        assert!(polling.has_sleepers());
        assert!(polling.is_all(1) && !polling.is_all(2));
        polling.leave();
        assert!(polling.is_all(0));
    }
}
