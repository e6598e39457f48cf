//! The simulated clock as programs read it.

use super::{MpiKernel, Sched};
use crate::call::{ClockCall, Reply};

/// Number of unsuccessful polls in a row after which a program that reads the clock is taken to
/// wait for a time to come.
const IDLE_POLLS: u64 = 1_000;

impl MpiKernel {
    /// Executes a call about simulated time.
    pub(super) fn clock_call(&mut self, rank: u32, call: ClockCall, s: &mut Sched) {
        match call {
            ClockCall::Compute(time) => self.compute(rank, time, s),
            ClockCall::Now(state) => self.tell_time(rank, state, s),
            ClockCall::SetTimer(at) => self.set_timer(rank, at, s),
        }
    }

    /// Answers a rank's call with the present time; `state` is that of its program.
    fn tell_time(&mut self, rank: u32, state: u64, s: &mut Sched) {
        // A rank that reads the clock may wait for a time, so its polls are made one by one.
        let caller = &mut self.ranks[rank as usize];
        caller.failed_polls = 0;
        // Clock reads are not among the calls that show that the rank does something else.
        caller.calls = caller.calls.wrapping_sub(1);
        let (calls, polls) = (caller.calls, caller.rest.polls);
        let clock = caller.rest.clock.get_or_insert_default();
        let failed = std::mem::replace(&mut clock.polls, polls) < polls;
        let idle = failed && self.polling.idle() > IDLE_POLLS;
        let price = clock.reading.price(s.now(), (state, calls), idle);
        if idle {
            // The rank is still polling: a clock read sends nothing to other ranks.
            self.goes_on_polling(rank);
        }
        let at = self.computing(rank, price, s);
        s.reply(self.ranks[rank as usize].process, at, Reply::Time(at));
    }
}
