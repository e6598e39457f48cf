//! Timers of programs that expire while their rank is blocked in an MPI call.
//!
//! A rank that runs looks after its timers itself. Where it blocks, the kernel knows when its next
//! timer expires, and runs what the program has installed for that while the call goes on.
//!
//! A timer counts as something under way: a rank that waits for a message that never comes is
//! blocked for ever only after its last timer has expired. Periodic timers would keep such a run
//! alive for ever; they stop after [`IDLE_MAX`] expirations in a row with nothing else under way.

use sim_core::SimTime;

use super::{Event, MpiKernel, Sched, request::completion::Blocked};
use crate::{
    call::Reply,
    raw::{AfterTimer, timer_hook},
};

/// Number of expirations in a row while nothing but timers is under way after which no further one
/// is scheduled.
const IDLE_MAX: u32 = 1_000;

impl MpiKernel {
    /// Handles the time at which the next timer of a rank expires.
    pub(super) fn set_timer(&mut self, rank: u32, at: SimTime, s: &mut Sched) {
        // A blocked rank that ends in a handler leaves a request behind, and no direct receive.
        self.leave_short_ways();
        // Periodic timers of ranks that only poll do not go on for ever either.
        let idles = self.polling.is_all_but(s.pending(), self.timers.scheduled);
        if !idles || self.timers.idle < IDLE_MAX {
            self.await_timer(rank, at, s);
        }
        if self.ranks[rank as usize].failed_polls > 0 {
            // It goes on polling: this is no call of the program.
            self.goes_on_polling(rank);
        }
        self.done(rank, s);
    }

    fn await_timer(&mut self, rank: u32, at: SimTime, s: &mut Sched) {
        let at = at.max(s.now());
        self.ranks[rank as usize].rest.timer = Some(at);
        if self.exploration.chooser.defers() {
            self.timers.deferred.retain(|(_, other)| *other != rank);
            self.timers.deferred.push((at, rank));
        } else {
            self.timers.scheduled += 1;
            s.schedule(at, Event::Timer(rank));
        }
    }

    /// Schedules the first timer that was deferred. False if there is none.
    pub(super) fn resume_timer(&mut self, s: &mut Sched) -> bool {
        let Some(first) = self.timers.deferred.iter().min().copied() else { return false };
        self.timers.deferred.retain(|timer| *timer != first);
        self.timers.scheduled += 1;
        s.schedule(first.0.max(s.now()), Event::Timer(first.1));
        true
    }

    /// Handles a rank's timer that expires, unless another time has been set since.
    pub(super) fn timer(&mut self, rank: u32, s: &mut Sched) {
        self.timers.scheduled -= 1;
        let idle = self.polling.is_all_but(s.pending(), self.timers.scheduled);
        self.timers.idle = if idle { self.timers.idle + 1 } else { 0 };
        let state = &mut self.ranks[rank as usize];
        if state.rest.timer.take_if(|at| *at <= s.now()).is_none() || !self.waits_in_mpi(rank) {
            return;
        }
        let process = self.ranks[rank as usize].process;
        match s.guarded(process, move || timer_hook(rank)) {
            Some(AfterTimer::Waits(Some(next))) if self.timers.idle < IDLE_MAX => {
                self.await_timer(rank, next, s);
            }
            Some(AfterTimer::Ends) => self.end_wait(rank, s),
            Some(AfterTimer::Waits(_)) | None => {}
        }
    }

    /// Reports whether nothing is under way but polls. Timers are, until they have expired many times for nothing: a
    /// periodic one never ends.
    pub(super) fn only_polls(&self, pending: usize) -> bool {
        match self.timers.idle < IDLE_MAX {
            true => self.polling.is_all(pending),
            false => self.polling.is_all_but(pending, self.timers.scheduled),
        }
    }

    /// Reports whether a rank runs in no thread and waits in an MPI call: waits outside MPI have
    /// timeouts of their own.
    fn waits_in_mpi(&self, rank: u32) -> bool {
        let state = &self.ranks[rank as usize];
        let in_mpi = |blocked: &Blocked| !blocked.is_outside_mpi();
        !state.finished
            && !state.aborted
            && !state.runs()
            && state.calls().any(|call| call.blocked.is_some_and(in_mpi))
    }

    /// Resumes a rank whose program has ended while it waited.
    fn end_wait(&mut self, rank: u32, s: &mut Sched) {
        self.each_thread(rank, |kernel| {
            let ended = kernel.ranks[rank as usize].blocked.take().is_some();
            if ended {
                let now = s.now();
                kernel.answer(rank, now, sim_core::SimDuration::ZERO, Reply::Done, s);
            }
            ended
        });
    }
}
