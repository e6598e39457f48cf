//! Unsuccessful polls: their cost, when they are reported as a livelock, and how long series of
//! them are shortened.
//!
//! A rank that has polled unsuccessfully for long, and does nothing else, is not resumed for each
//! further poll. It sleeps until something happens that could change the answer; the polls that
//! would have failed meanwhile are accounted for, so that it continues at the time at which it
//! would have.

use sim_core::SimDuration;

use crate::check::livelock::Awaited;
use crate::kernel::request::{
    polling::{Sleeper, Sought},
    recurrence::COUNTING,
};
use crate::kernel::{Event, MpiKernel, Sched};
use crate::{
    call::{Operation, PartitionedCall, ProbeCall, Reply, RequestCall, ThreadCall, WindowCall},
    finding::CallPlace,
};

/// Number of polls in a row that are made one by one: a program that gives up after a number of
/// polls rarely makes more.
const SINGLE_POLLS: u32 = 10_000;

/// Number of times in a row that a thread may compute or sleep while all others only wait; after
/// that it is taken for one that polls.
const NAPS: u32 = 1_000;

/// Number of times that a rank without threads may compute between two polls and still be one that naps: if it computes
/// more often, it does some work.
const STEPS: u32 = 16;

impl MpiKernel {
    /// Handles a test or probe that found nothing: simulated time advances all the same.
    pub(crate) fn failed_poll(&mut self, rank: u32, sought: Sought<'_>, s: &mut Sched) {
        let cost = self.settings.costs.poll.max(SimDuration::from_ps(1));
        self.ranks[rank as usize].rest.probed = match sought {
            Sought::Message(pattern) => Some(pattern),
            Sought::Requests(_) | Sought::Other => None,
        };
        if self.exploration.chooser.defers() && self.suspends(rank, sought, cost, s) {
            return;
        }
        self.failed_look(rank, cost, s);
    }

    /// Suspends a rank that makes the same polls again, if only events of the rank itself can change their results: it is
    /// resumed when one happens, or nothing else does. While orders are explored, each choice waits until all ranks have
    /// polled, which would take as many polls as there are ranks, and more, again and again.
    fn suspends(&mut self, rank: u32, sought: Sought<'_>, cost: SimDuration, s: &Sched) -> bool {
        if self.has_threads()
            || self.windows.were_made()
            || self.settings.environment.computing.is_some()
            || self.finds_again(rank)
        {
            return false;
        }
        let state = &self.ranks[rank as usize];
        if !self.polling.suspends(rank, state.failed_polls + 1, state.site, sought) {
            return false;
        }
        self.count_poll(rank, false, false);
        let (process, since) = (self.ranks[rank as usize].process, s.now());
        self.polling.suspend(rank, Sleeper { process, since, cost });
        true
    }

    /// Handles a look of a thread at memory, in a loop that ends only when somebody else changes it. Where all
    /// that is under way is such looks, nobody does.
    pub(crate) fn spin(&mut self, rank: u32, (cost, fresh): (SimDuration, bool), s: &mut Sched) {
        if fresh {
            // It has come here from elsewhere, and may have changed memory that others look at.
            self.polling.interrupt();
            if self.polling.has_sleepers() {
                self.wake_sleepers(s);
            }
        }
        self.look_again(rank, (cost, true), s);
    }

    /// Records that the call in progress ends no series of polls of its rank: it sends nothing to others.
    pub(in crate::kernel) fn goes_on_polling(&mut self, rank: u32) {
        self.ranks[rank as usize].polling = true;
        self.polling.go_on();
    }

    /// Counts an unsuccessful poll of a rank, and whether it `spins`. Returns the number of such polls in a row if nothing
    /// else is under way, else 0.
    fn count_poll(&mut self, rank: u32, at_rest: bool, spins: bool) -> u64 {
        let state = &mut self.ranks[rank as usize];
        state.polling = true;
        state.failed_polls += 1;
        state.rest.polls += 1;
        state.rest.polled_at = Some(CallPlace { call: state.call, site: state.site });
        self.polling.look(at_rest, spins)
    }

    /// Lets threads poll again whose polls may find something after this event.
    #[cold]
    pub(in crate::kernel) fn wake_for(&mut self, event: Event, s: &mut Sched) {
        if self.polling.has_sleepers() {
            self.wake_sleepers(s);
        }
        if self.take_turns(s) {
            return;
        }
        let message = |message: u32| self.messages.get(message).map(|m| [m.source, m.target]);
        let ranks = match event {
            Event::Inject(m) | Event::Arrive(m) | Event::Clear(m) | Event::Data(m) => message(m),
            Event::Sent(rank) | Event::Timer(rank) => Some([rank; 2]),
            Event::Complete(request) => self.requests.get(request).map(|request| [request.rank; 2]),
            // If these end an operation, its completion resumes the rank.
            Event::Round(_) | Event::PacketLeaves(_) | Event::Packet(_) | Event::Tick => return,
            Event::Open(_)
            | Event::Part(_)
            | Event::Alarm(_)
            | Event::Deadline(_)
            | Event::Window(_)
            | Event::File(_) => None,
        };
        match ranks {
            Some(ranks) => ranks.into_iter().for_each(|rank| self.resume_polls(rank, s)),
            None => drop(self.resume_all_polls(s)),
        }
    }

    /// Lets suspended ranks poll if it is their turn. Returns false if it is not.
    pub(in crate::kernel) fn take_turns(&mut self, s: &mut Sched) -> bool {
        self.polling.has_suspended() && self.polling.is_turn() && self.resume_all_polls(s)
    }

    /// Lets a rank poll again to which something has happened that its polls may find.
    #[inline]
    pub(in crate::kernel) fn resume_polls(&mut self, rank: u32, s: &mut Sched) {
        if self.polling.has_suspended()
            && let Some(sleeper) = self.polling.resume(rank)
        {
            self.poll_again(rank, sleeper, s);
        }
    }

    /// Resumes a rank that was suspended: from now on its polls are counted again.
    fn poll_again(&mut self, rank: u32, sleeper: Sleeper, s: &mut Sched) {
        self.ranks[rank as usize].failed_polls = 0;
        self.wake_sleeper(sleeper, s);
    }

    /// Lets all suspended ranks poll again, and suspends none until something happens. Returns false if there were none.
    #[cold]
    pub(in crate::kernel) fn poll_on(&mut self, s: &mut Sched) -> bool {
        self.polling.be_restless();
        self.resume_all_polls(s)
    }

    /// Lets all suspended ranks poll again. Returns false if there are none.
    #[cold]
    fn resume_all_polls(&mut self, s: &mut Sched) -> bool {
        let suspended = self.polling.resume_all();
        let any = !suspended.is_empty();
        for (rank, sleeper) in suspended {
            self.poll_again(rank, sleeper, s);
        }
        any
    }

    /// Handles an unsuccessful poll of a rank that took `cost`.
    pub(crate) fn failed_look(&mut self, rank: u32, cost: SimDuration, s: &mut Sched) {
        self.look_again(rank, (cost, false), s);
    }

    /// Handles a look that found nothing and took `cost`, of a thread that `spins` or not.
    fn look_again(&mut self, rank: u32, (cost, spins): (SimDuration, bool), s: &mut Sched) {
        let Some(at_rest) = self.count_look(rank, spins, s) else { return };
        let state = &self.ranks[rank as usize];
        let long = spins || state.failed_polls > SINGLE_POLLS;
        let since = s.now();
        if let Some(lag) = self.exploration.take_lag() {
            return self.answer(rank, since, cost.max(lag), Reply::NotYet, s);
        }
        if long && !at_rest && self.settings.environment.computing.is_none() {
            let process = state.process;
            self.polling.sleep(Sleeper { process, since, cost });
            return;
        }
        self.answer(rank, since, cost, Reply::NotYet, s);
    }

    /// Handles a probe that has found the same message as those before it: a program that leaves it there waits for
    /// something else, for which time has to pass.
    #[cold]
    pub(in crate::kernel) fn found_again(&mut self, rank: u32, reply: Reply, s: &mut Sched) {
        if self.count_look(rank, false, s).is_some() {
            let now = s.now();
            self.answer(rank, now, self.look_cost(), reply, s);
        }
    }

    /// Counts a look of a thread that brought it no further. Returns whether nothing but such looks is under way; `None` if
    /// the run has been ended, because nothing else will be.
    fn count_look(&mut self, rank: u32, spins: bool, s: &mut Sched) -> Option<bool> {
        // A rank that computes, and a message under way, may still bring what is polled for.
        let at_rest = self.only_polls(s.pending());
        let idle = self.count_poll(rank, at_rest, spins);
        let round = 4 * self.ranks.len() as u64 + 64;
        if at_rest && idle.is_multiple_of(round) {
            if self.resolve_wildcard(s) || self.resume_timer(s) {
                // What it finds again and again brings it no further.
                if !self.finds_again(rank) {
                    self.polling.interrupt();
                }
            } else {
                self.poll_on(s);
            }
        }
        let all = self.polling.threads() as u64;
        if self.polling.spins() > 2 * round + 4 * all {
            self.report_livelock(Awaited::Memory, s);
            return None;
        }
        if self.polls_for_ever(rank, round, s) {
            self.report_livelock(Awaited::Event, s);
            return None;
        }
        Some(at_rest)
    }

    /// Reports whether nothing but polls has been under way for so long, by this one of a rank, that it will be so for ever.
    fn polls_for_ever(&mut self, rank: u32, round: u64, s: &Sched) -> bool {
        let most = self.settings.idle_polls_max + round;
        if self.polling.idle() <= most {
            return false;
        }
        let process = self.ranks[rank as usize].process;
        let recurs = self.polling.recurs(process, || s.caller_state(process));
        // Those who keep the time of the clock are never in the same state.
        let limit = self.settings.limits.events;
        let is_nearly_over = s.events() > limit - limit / 8;
        recurs || is_nearly_over || self.polling.idle() > most * COUNTING
    }

    /// Wakes the threads that sleep between polls: each makes its first poll that is not earlier
    /// than now.
    #[cold]
    pub(crate) fn wake_sleepers(&mut self, s: &mut Sched) {
        for sleeper in self.polling.wake() {
            self.wake_sleeper(sleeper, s);
        }
    }

    fn wake_sleeper(&mut self, Sleeper { process, since, cost }: Sleeper, s: &mut Sched) {
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

    /// Reports whether a call that has begun cannot change the result of other ranks' polls.
    pub(crate) fn only_looks(&self, rank: u32, operation: &Operation) -> bool {
        let looks =
            is_poll(operation) || matches!(operation, Operation::Probe(ProbeCall::Blocking(..)));
        if self.has_threads() {
            // The thread may have written memory of its rank before the call, which others may
            // poll.
            return looks && self.ranks[rank as usize].failed_polls > 0;
        }
        looks || matches!(operation, Operation::Clock(_))
    }

    /// Reports whether a rank without threads, which begins to compute or sleep, does nothing else but poll unsuccessfully.
    pub(crate) fn naps_again(&mut self, rank: u32) -> bool {
        let state = &mut self.ranks[rank as usize];
        let rest = &mut state.rest;
        let now = (rest.polls, state.calls.wrapping_sub(rest.polls as u32));
        let before = std::mem::replace(&mut rest.before, now);
        rest.steps = if now.0 > before.0 { 0 } else { rest.steps.saturating_add(1) };
        if now.1 != before.1 || rest.steps > STEPS {
            rest.naps = 0;
        }
        rest.steps <= STEPS
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
        let idle = self.polling.look(true, false);
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
pub(in crate::kernel) fn is_poll(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Request(
            RequestCall::Test(..) | RequestCall::GetStatus(_) | RequestCall::GetStatusAndData(_),
        ) | Operation::Probe(ProbeCall::Immediate(..) | ProbeCall::ImmediateMatched(..))
            | Operation::Partitioned(PartitionedCall::Arrived(..))
            | Operation::Window(
                WindowCall::Test(_) | WindowCall::Sync(_) | WindowCall::Flush { .. }
            )
            | Operation::Thread(ThreadCall::Yield | ThreadCall::Spin { .. })
    )
}
