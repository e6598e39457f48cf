//! Threads that wait for each other outside MPI: the basis of a program's locks and condition
//! variables.

use std::cmp::Reverse;

use rand::Rng;
use sim_core::SimDuration;

use crate::{
    call::{Parking, Reply},
    kernel::{Event, MpiKernel, Sched, request::completion::Blocked, transport::receive::FREE},
};

/// Duration of a yield: a thread that polls in a loop must see time pass.
const YIELD: SimDuration = SimDuration::from_ns(100);

impl MpiKernel {
    /// Blocks the calling thread until it is unparked or its timeout expires.
    pub(crate) fn park(&mut self, rank: u32, parking: Parking, s: &mut Sched) {
        let state = &mut self.ranks[rank as usize];
        let thread = state.threads.as_ref().map_or(0, |threads| threads.current);
        let permitted = state
            .threads
            .as_mut()
            .is_some_and(|threads| std::mem::take(&mut threads.all[thread as usize].permitted));
        if permitted {
            self.done(rank, s);
            return;
        }
        let alarm = parking.until.map(|until| {
            let number = self.alarms.next;
            self.alarms.next += 1;
            self.alarms.set.insert(number, (rank, thread));
            s.schedule(until, Event::Alarm(number));
            number
        });
        state.blocked = Some(Blocked::Parked(parking, alarm));
    }

    /// Wakes the parked threads of `woken`, in this order, or the last created first: where threads begin in reverse order,
    /// the reverse of the order in which they have come to wait would often be the usual one again. The threads of `left` now
    /// wait for the first of `woken`. The calling thread continues after them, or before them where that is drawn.
    pub(crate) fn unpark(&mut self, rank: u32, mut woken: Vec<u32>, left: &[u32], s: &mut Sched) {
        let first = woken.first().copied();
        if self.reverses_threads(rank) {
            woken.sort_unstable_by_key(|thread| Reverse(*thread));
        }
        let precedes = self.waker_precedes(rank);
        if precedes {
            self.done(rank, s);
        }
        let all = woken.into_iter().map(|thread| (thread, true));
        for (thread, wakes) in all.chain(left.iter().map(|thread| (*thread, false))) {
            if self.process_of(rank, thread).is_none() {
                continue;
            }
            let before = self.switch(rank, thread);
            if wakes {
                let woken = self.end_park(rank, |_| true, Reply::Done, s);
                self.permit(rank, thread, !woken);
            } else if let Some(Blocked::Parked(parking, _)) = &mut self.ranks[rank as usize].blocked
            {
                parking.holder = first;
            }
            self.switch(rank, before);
        }
        if !precedes {
            self.done(rank, s);
        }
    }

    /// Draws whether a thread that wakes others continues before them.
    fn waker_precedes(&mut self, rank: u32) -> bool {
        let threads = self.ranks[rank as usize].threads.as_mut();
        let draws = threads.and_then(|threads| threads.draws.as_mut());
        draws.is_some_and(|draws| draws.next_u32().is_multiple_of(2))
    }

    /// Handles an expired timeout; its thread may have been woken before.
    pub(crate) fn alarm(&mut self, number: u32, s: &mut Sched) {
        let Some((rank, thread)) = self.alarms.set.remove(&number) else { return };
        let before = self.switch(rank, thread);
        self.end_park(rank, |alarm| alarm == Some(number), Reply::NotYet, s);
        self.switch(rank, before);
    }

    /// Ends the wait of the current thread if its alarm is the one that `by` accepts. Reports whether it
    /// was parked so.
    fn end_park(
        &mut self,
        rank: u32,
        by: impl Fn(Option<u32>) -> bool,
        reply: Reply,
        s: &mut Sched,
    ) -> bool {
        let blocked = &mut self.ranks[rank as usize].blocked;
        let ends = |blocked: &mut Blocked| matches!(blocked, Blocked::Parked(_, a) if by(*a));
        let ended = blocked.take_if(ends).is_some();
        if ended {
            let now = s.now();
            self.answer(rank, now, FREE, reply, s);
        }
        ended
    }

    /// Records that a thread was unparked that is not parked. Where computing is measured, its call to
    /// park may come later, since it takes effect after what the thread has computed.
    fn permit(&mut self, rank: u32, thread: u32, permitted: bool) {
        let measured = self.settings.environment.computing.is_some();
        if let Some(threads) = &mut self.ranks[rank as usize].threads {
            threads.all[thread as usize].permitted = permitted && measured;
        }
    }

    /// Lets the other threads of the rank run.
    pub(crate) fn yield_thread(&mut self, rank: u32, s: &mut Sched) {
        self.failed_look(rank, self.look_cost(), s);
    }

    /// Lets time pass for a thread in a loop that ends only when memory changes.
    pub(super) fn spin_thread(&mut self, rank: u32, fresh: bool, s: &mut Sched) {
        self.spin(rank, (self.look_cost(), fresh), s);
    }

    /// Returns how long a thread that lets others run waits until it looks again.
    pub(in crate::kernel) fn look_cost(&self) -> SimDuration {
        self.settings.costs.poll.max(YIELD)
    }
}
