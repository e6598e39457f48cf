//! Several threads of control in one rank (MPI sections 11.6 and 12.4 of older editions).
//!
//! A rank with one thread never uses this module. A rank with several keeps the state of a call
//! (why it is blocked, where it was made) per thread: the state of the current thread is stored in
//! the rank itself, where the whole kernel looks for it, that of the others is parked here. Code
//! that wakes something of a rank first makes the thread that waits for it the current one.

mod life;
mod park;
mod rules;

use sim_core::{ProcessId, SimDuration, SimTime};

use super::{
    MpiKernel, Rank, Sched, process::spawn::Newcomer, process::table::Bodies,
    request::completion::Blocked,
};
pub(crate) use park::Alarms;

use crate::call::{Site, ThreadBody, Threading};

/// The body of a process that begins during the run.
pub(crate) enum Further {
    Thread(ThreadBody),
    Rank(Box<Newcomer>),
}

/// The threads of one rank.
pub(crate) struct Threads {
    level: Threading,
    /// The thread that has initialized MPI.
    main: u32,
    /// The thread in which the program of the rank has ended; after that no other thread continues.
    ended_in: Option<u32>,
    /// The thread whose state is stored in the rank.
    current: u32,
    all: Vec<Thread>,
}

/// One thread, with its state while it is not the current one.
struct Thread {
    process: ProcessId,
    ended: bool,
    /// Whether it may continue outside MPI after the rank has finalized.
    outlives: bool,
    parked: Parked,
}

/// The state of a thread's call.
struct Parked {
    blocked: Option<Blocked>,
    missing: u32,
    call: &'static str,
    site: Site,
    busy_until: SimTime,
    polling: bool,
    failed_polls: u32,
    /// Times of computing, overhead and waiting.
    times: [SimDuration; 3],
}

/// The previously current thread, to switch back to; `None` if there was no switch.
pub(crate) type PreviousThread = Option<u32>;

impl Parked {
    fn new(now: SimTime) -> Self {
        Self {
            blocked: None,
            missing: 0,
            call: "spawn",
            site: Site::NOWHERE,
            busy_until: now,
            polling: false,
            failed_polls: 0,
            times: [SimDuration::ZERO; 3],
        }
    }

    fn exchange(&mut self, rank: &mut Rank) {
        use std::mem::swap;
        swap(&mut self.blocked, &mut rank.blocked);
        swap(&mut self.missing, &mut rank.missing);
        swap(&mut self.call, &mut rank.call);
        swap(&mut self.site, &mut rank.site);
        swap(&mut self.busy_until, &mut rank.busy_until);
        swap(&mut self.polling, &mut rank.polling);
        swap(&mut self.failed_polls, &mut rank.failed_polls);
        let totals = &mut rank.totals;
        let places = [&mut totals.compute, &mut totals.overhead, &mut totals.waiting];
        for (mine, place) in self.times.iter_mut().zip(places) {
            swap(mine, place);
        }
    }
}

impl Threads {
    /// Reports whether the main thread is the current one.
    pub(crate) fn at_main(&self) -> bool {
        self.current == 0
    }
}

impl Rank {
    /// Reports whether any thread of the rank is not blocked.
    pub(crate) fn runs(&self) -> bool {
        self.calls().any(|call| call.blocked.is_none())
    }

    /// Returns the call of each thread that has not ended.
    pub(crate) fn calls(&self) -> impl Iterator<Item = ThreadCall<'_>> {
        let present = ThreadCall {
            process: self.process,
            number: self.threads.as_ref().map(|threads| threads.current),
            blocked: self.blocked.as_ref(),
            call: self.call,
            site: self.site,
        };
        let parked = self.threads.iter().flat_map(|threads| {
            let others = (0..).zip(&threads.all).filter(|(number, _)| *number != threads.current);
            others.filter(|(_, thread)| !thread.ended).map(|(number, thread)| ThreadCall {
                process: thread.process,
                number: Some(number),
                blocked: thread.parked.blocked.as_ref(),
                call: thread.parked.call,
                site: thread.parked.site,
            })
        });
        let ended = self.threads.as_ref().is_some_and(|t| t.all[t.current as usize].ended);
        (!ended).then_some(present).into_iter().chain(parked)
    }
}

/// The call that one thread of a rank is in.
pub(crate) struct ThreadCall<'a> {
    pub(crate) process: ProcessId,
    /// The thread's number, if the rank has several.
    pub(crate) number: Option<u32>,
    pub(crate) blocked: Option<&'a Blocked>,
    pub(crate) call: &'static str,
    pub(crate) site: Site,
}

impl MpiKernel {
    /// Reports whether any rank has more than one thread, or began later: then the numbers of
    /// processes differ from those of ranks.
    #[inline]
    pub(crate) fn has_threads(&self) -> bool {
        self.processes.are_more_than_ranks()
    }

    /// Returns the bodies of processes that have not begun.
    pub(crate) fn bodies(&self) -> Bodies<Further> {
        self.processes.bodies()
    }

    /// Returns the rank that a process belongs to.
    #[inline]
    pub(crate) fn rank_of(&self, process: ProcessId) -> u32 {
        if self.has_threads() { self.thread_of(process).0 } else { process.0 }
    }

    #[cold]
    pub(crate) fn thread_of(&self, process: ProcessId) -> (u32, u32) {
        self.processes.owner(process)
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
        let before = self.switch_to_waiting(rank, |blocked| match blocked {
            Blocked::Call(requests) => requests.contains(&request),
            Blocked::Posting(posting) => *posting == request,
            Blocked::Wait(list, _) => list.contains(&id),
            _ => false,
        });
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
