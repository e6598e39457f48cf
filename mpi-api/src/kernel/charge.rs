//! Books processor time on a rank.

use sim_core::{ProcessId, SimDuration, SimTime};

use super::{MpiKernel, Sched};
use crate::{
    call::{Call, Layout, Outgoing, Reply, Site},
    trace::{Activity, Record},
};

impl MpiKernel {
    /// Records that a call begins.
    pub(crate) fn begin(&mut self, rank: u32, call: &Call, now: SimTime) {
        let state = &mut self.ranks[rank as usize];
        state.call = call.name();
        state.site = call.site;
        state.calls = state.calls.wrapping_add(1);
        state.busy_until = now;
        if std::mem::take(&mut state.polling) {
            self.polling.leave();
        } else {
            state.failed_polls = 0;
        }
    }

    /// Books processor time for the call in progress and returns the time at which it ends.
    #[inline(always)]
    pub(crate) fn charge(&mut self, rank: u32, cost: SimDuration) -> SimTime {
        let start = self.ranks[rank as usize].busy_until;
        if cost == SimDuration::ZERO { start } else { self.charge_from(rank, start, cost) }
    }

    #[inline(never)]
    fn charge_from(&mut self, rank: u32, start: SimTime, cost: SimDuration) -> SimTime {
        let cost = self.with_noise(rank, start, cost);
        self.book(rank, cost)
    }

    /// Returns how long a rank's processor needs for this work from `start` on: longer if the
    /// operating system takes it away meanwhile.
    #[inline]
    pub(crate) fn with_noise(
        &mut self,
        rank: u32,
        start: SimTime,
        work: SimDuration,
    ) -> SimDuration {
        match &mut self.detours {
            None => work,
            Some(detours) => detours.stretched(rank, start, work),
        }
    }

    /// Books processor time that contains its noise already.
    #[inline]
    pub(crate) fn book(&mut self, rank: u32, cost: SimDuration) -> SimTime {
        let state = &mut self.ranks[rank as usize];
        let start = state.busy_until;
        let end = start + cost;
        state.busy_until = end;
        state.totals.overhead += cost;
        self.interval(rank, Activity::Overhead, start, end);
        end
    }

    /// Makes the processor wait until `time`, if that is later than now.
    #[inline(always)]
    pub(crate) fn wait_until(&mut self, rank: u32, time: SimTime) {
        if let Some(start) = self.ranks[rank as usize].wait_until(time) {
            self.interval(rank, Activity::Waiting, start, time);
        }
    }

    /// Ends the run at `end` before every rank has ended: blocked ranks are booked as waiting until
    /// then.
    pub(crate) fn stop(&mut self, end: SimTime) {
        for rank in 0..self.ranks.len() as u32 {
            self.switch(rank, 0);
            let state = &self.ranks[rank as usize];
            if state.finished {
                continue;
            }
            if state.blocked.is_some() {
                self.wait_until(rank, end);
            }
            self.ranks[rank as usize].totals.finish = end;
        }
    }

    /// Answers the call in progress: the awaited result is available at `ready` and taking it costs
    /// `cost`.
    pub(crate) fn answer(
        &mut self,
        rank: u32,
        ready: SimTime,
        cost: SimDuration,
        reply: Reply,
        s: &mut Sched,
    ) {
        self.answer_here(rank, ready, cost, || reply, s);
    }

    /// Like [`Self::answer`], inlined: for the few places that every message passes, where the reply
    /// is then made in the place where its rank waits for it.
    #[inline(always)]
    pub(crate) fn answer_here(
        &mut self,
        rank: u32,
        ready: SimTime,
        cost: SimDuration,
        make: impl FnOnce() -> Reply,
        s: &mut Sched,
    ) {
        // The rank is looked up once.
        let state = &mut self.ranks[rank as usize];
        let (process, waited) = (state.process, state.wait_until(ready));
        let start = state.busy_until;
        if let Some(since) = waited {
            self.interval(rank, Activity::Waiting, since, ready);
        }
        let at =
            if cost == SimDuration::ZERO { start } else { self.charge_from(rank, start, cost) };
        s.reply_with(process, at, make);
    }

    /// Books processor time outside MPI.
    pub(crate) fn compute(&mut self, rank: u32, time: SimDuration, s: &mut Sched) {
        if self.has_threads() || self.naps_again(rank) {
            self.idle_computing(rank, s);
        }
        let state = &mut self.ranks[rank as usize];
        state.calls = state.calls.wrapping_sub(1);
        let end = self.computing(rank, time, s);
        s.reply(self.ranks[rank as usize].process, end, Reply::Done);
    }

    /// Makes the rank compute from now on and returns the time at which it finishes.
    pub(crate) fn computing(&mut self, rank: u32, time: SimDuration, s: &Sched) -> SimTime {
        let time = self.with_noise(rank, s.now(), time);
        self.ranks[rank as usize].totals.compute += time;
        let end = s.now() + time;
        self.interval(rank, Activity::Compute, s.now(), end);
        end
    }

    /// Books the time that a thread of a rank has computed until now, as its meter measured it.
    pub(crate) fn metered(&mut self, process: ProcessId, time: SimDuration, s: &mut Sched) {
        let (rank, thread) =
            if self.has_threads() { self.thread_of(process) } else { (process.0, 0) };
        let before = self.switch(rank, thread);
        let state = &mut self.ranks[rank as usize];
        state.totals.compute += time;
        let last = (state.call, state.site);
        (state.call, state.site) = ("compute", Site::NOWHERE);
        let end = s.now();
        let start = SimTime::from_ps(end.as_ps().saturating_sub(time.as_ps()));
        self.interval(rank, Activity::Compute, start, end);
        let state = &mut self.ranks[rank as usize];
        (state.call, state.site) = last;
        self.switch(rank, before);
    }

    #[inline(always)]
    fn interval(&mut self, rank: u32, activity: Activity, start: SimTime, end: SimTime) {
        if self.journal.sink.is_some() && end > start {
            self.record_interval(rank, activity, start, end);
        }
    }

    #[cold]
    fn record_interval(&mut self, rank: u32, activity: Activity, start: SimTime, end: SimTime) {
        if let Some(sink) = &mut self.journal.sink {
            let state = &self.ranks[rank as usize];
            if state.threads.as_ref().is_some_and(|threads| !threads.at_main()) {
                // The timeline of a rank shows its main thread only.
                return;
            }
            let site = state.site.with_line();
            sink.record(Record::Interval { rank, activity, call: state.call, site, start, end });
        }
    }

    /// Returns the processor time of preparing a send, beyond the fixed overhead of its call.
    #[inline]
    pub(crate) fn preparation(&mut self, rank: u32, outgoing: &Outgoing) -> SimDuration {
        if self.prepares_free(outgoing.layout) {
            return SimDuration::ZERO;
        }
        self.preparation_of(rank, outgoing.payload.bytes(), outgoing.layout)
    }

    /// Reports whether preparing data of this layout costs nothing in this run, whatever their size.
    #[inline(always)]
    pub(crate) fn prepares_free(&self, layout: Layout) -> bool {
        self.shortcuts.free_sends && self.shortcuts.packs_free(layout)
    }

    /// Like [`Self::preparation`], for data of this size and layout, where it is not free.
    #[inline]
    pub(crate) fn preparation_of(&mut self, rank: u32, bytes: u64, layout: Layout) -> SimDuration {
        let costs = &self.settings.costs;
        let mut cost = costs.send_per_byte.time_for(bytes);
        if layout == Layout::Strided {
            cost += costs.pack.time_for(bytes);
        }
        if bytes >= costs.big_message {
            cost += costs.big.time_for(bytes);
        }
        if bytes >= costs.long_message && !self.ranks[rank as usize].first_use_paid {
            cost += costs.first_use;
            self.ranks[rank as usize].first_use_paid = true;
        }
        cost
    }

    /// Returns the processor time of taking received data, beyond the fixed overhead of its call.
    #[inline]
    pub(crate) fn taking(&self, bytes: u64, layout: Layout, copies: bool) -> SimDuration {
        let costs = &self.settings.costs;
        let mut cost = costs.receive_per_byte.time_for(bytes);
        if layout == Layout::Strided {
            cost += costs.pack.time_for(bytes);
        }
        if copies {
            cost += costs.copy.time_for(bytes);
        }
        cost
    }
}
