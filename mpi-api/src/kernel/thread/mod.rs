//! Several threads of control in one rank (MPI sections 11.6 and 12.4 of older editions).
//!
//! A rank with one thread never uses this module. A rank with several keeps the state of a call
//! (why it is blocked, where it was made) per thread: the state of the current thread is stored in
//! the rank itself, where the whole kernel looks for it, that of the others is parked here. Code
//! that wakes something of a rank first makes the thread that waits for it the current one.

pub(in crate::kernel) mod alarms;
mod life;
mod park;
pub(in crate::kernel) mod probed;
mod rules;
pub(crate) mod threads;

use sim_core::{ProcessId, SimDuration, SimTime};

use crate::{
    kernel::{
        MpiKernel, Sched,
        process::table::Bodies,
        request::completion::Blocked,
        thread::threads::{Further, PreviousThread},
    },
    settings::Reversed,
};

/// How much later the first further thread of a rank begins where threads begin in reverse order; the next one begins a
/// picosecond earlier, and so on.
const REVERSE_DELAY: SimDuration = SimDuration::from_ns(1000);

impl MpiKernel {
    /// Reports whether the threads of a rank begin and wake in reverse order.
    pub(super) fn reverses_threads(&self, rank: u32) -> bool {
        Reversed::of(self.settings.tie_break).contains(rank)
    }

    /// Reports whether threads of some rank have begun in reverse order.
    pub(crate) fn has_reversed_threads(&self) -> bool {
        (0..)
            .zip(&self.ranks)
            .any(|(number, rank)| rank.threads.is_some() && self.reverses_threads(number))
    }

    /// Reports whether any rank has more than one thread, or began later: then the numbers of
    /// processes differ from those of ranks.
    #[inline]
    pub(crate) fn has_threads(&self) -> bool {
        self.population.processes.are_more_than_ranks()
    }

    /// Adds a process that is not the first thread of a rank the run began with. From here on each call
    /// is looked at, to find its rank, and blocking calls make requests.
    pub(crate) fn add_process(&mut self, rank: u32, thread: u32) {
        self.leave_short_ways();
        self.shortcuts.direct = false;
        self.attentive = true;
        self.population.processes.add(rank, thread);
    }

    /// Returns the bodies of processes that have not begun.
    pub(crate) fn bodies(&self) -> Bodies<Further> {
        self.population.processes.bodies()
    }

    /// Returns the rank that a process belongs to.
    #[inline]
    pub(crate) fn rank_of(&self, process: ProcessId) -> u32 {
        if self.has_threads() { self.thread_of(process).0 } else { process.0 }
    }

    #[cold]
    pub(crate) fn thread_of(&self, process: ProcessId) -> (u32, u32) {
        self.population.processes.owner(process)
    }

    /// Returns the process of one of a rank's threads.
    pub(crate) fn process_of(&self, rank: u32, thread: u32) -> Option<u32> {
        let state = &self.ranks[rank as usize];
        match &state.threads {
            Some(threads) => Some(threads.all.get(thread as usize)?.process.0),
            None => (thread == 0).then_some(state.process.0),
        }
    }

    /// Returns `rank 3`, or `thread 1 of rank 3` if the rank has several threads.
    pub(crate) fn name_of(&self, process: ProcessId) -> String {
        let (rank, thread) = self.thread_of(process);
        match self.ranks[rank as usize].threads {
            Some(_) => format!("thread {thread} of rank {rank}"),
            None => format!("rank {rank}"),
        }
    }

    /// Makes a thread the current one; returns the previous one.
    pub(crate) fn switch(&mut self, rank: u32, thread: u32) -> u32 {
        let rank = &mut self.ranks[rank as usize];
        let Some(mut threads) = rank.threads.take() else { return 0 };
        let before = threads.current;
        if before != thread {
            threads.all[before as usize].parked.exchange(rank);
            threads.all[thread as usize].parked.exchange(rank);
            threads.current = thread;
            rank.process = threads.all[thread as usize].process;
        }
        rank.threads = Some(threads);
        before
    }

    /// Makes the thread that waits for something the current one, if there is one.
    #[inline]
    pub(crate) fn wake_whom(
        &mut self,
        rank: u32,
        waits: impl Fn(&Blocked) -> bool,
    ) -> PreviousThread {
        if self.has_threads() { self.switch_to_waiting(rank, waits) } else { None }
    }

    #[cold]
    fn switch_to_waiting(&mut self, rank: u32, waits: impl Fn(&Blocked) -> bool) -> PreviousThread {
        let state = &self.ranks[rank as usize];
        let found = state.calls().find(|call| call.blocked.is_some_and(&waits))?;
        let number = found.number?;
        Some(self.switch(rank, number))
    }

    /// Like [`MpiKernel::wake`], as the thread that waits for the request.
    #[cold]
    pub(crate) fn wake_thread(&mut self, request: u32, s: &mut Sched) {
        let rank = self.requests[request].rank;
        let id = self.request_id(request);
        let before = self.switch_to_waiting(rank, |blocked| blocked.awaits(request, id));
        self.wake(rank, request, s);
        self.switch_back(rank, before);
    }

    /// Like [`MpiKernel::end_posting`], as the thread that posts.
    #[cold]
    pub(crate) fn end_threads_posting(&mut self, request: u32, time: SimTime, s: &mut Sched) {
        let rank = self.requests[request].rank;
        let posts = |blocked: &Blocked| matches!(blocked, Blocked::Posting(r) if *r == request);
        let before = self.switch_to_waiting(rank, posts);
        self.end_posting(rank, request, time, s);
        self.switch_back(rank, before);
    }

    /// Undoes the switch of [`Self::wake_whom`].
    #[inline]
    pub(crate) fn switch_back(&mut self, rank: u32, before: PreviousThread) {
        if let Some(thread) = before {
            self.switch(rank, thread);
        }
    }

    /// Calls a function as each thread in turn, until it succeeds.
    pub(crate) fn each_thread(
        &mut self,
        rank: u32,
        mut act: impl FnMut(&mut Self) -> bool,
    ) -> bool {
        let numbers: Vec<u32> =
            self.ranks[rank as usize].calls().filter_map(|call| call.number).collect();
        if numbers.is_empty() {
            return act(self);
        }
        let before = self.ranks[rank as usize].threads.as_ref().map(|threads| threads.current);
        let done = numbers.into_iter().any(|number| {
            self.switch(rank, number);
            act(self)
        });
        self.switch_back(rank, before);
        done
    }
}
