//! [`Threads`]: the threads of a rank, of which one is the current one.

use sim_core::{ChaCha8Rng, ProcessId, SimDuration, SimTime};

use crate::{
    call::{RequestId, Site, ThreadBody, Threading},
    finding::CallPlace,
    kernel::{
        process::birth::Newcomer,
        rank::Rank,
        request::{completion::Blocked, table::Pattern},
    },
};

/// The body of a process that begins during the run.
pub(crate) enum Further {
    Thread(ThreadBody),
    Rank(Box<Newcomer>),
}

/// The threads of one rank.
pub(crate) struct Threads {
    pub(super) level: Threading,
    /// The thread that has initialized MPI.
    pub(super) main: u32,
    /// The thread in which the program of the rank has ended; after that no other thread continues.
    pub(super) ended_in: Option<u32>,
    /// The thread whose state is stored in the rank.
    pub(super) current: u32,
    pub(super) all: Vec<Thread>,
    /// What the last probe of each thread has found.
    pub(super) probed: Vec<Probed>,
    /// Whether a warning tells of a thread that calls MPI though the level does not allow it.
    pub(super) is_warned: bool,
    /// Draws whether a thread that wakes others continues before them; it does not where this is `None`.
    pub(super) draws: Option<ChaCha8Rng>,
}

/// One thread, with its state while it is not the current one.
pub(super) struct Thread {
    pub(super) process: ProcessId,
    pub(super) ended: bool,
    /// Whether it may continue outside MPI after the rank has finalized.
    pub(super) outlives: bool,
    /// Whether its last operation was one of MPI, rather than of a library of threads.
    pub(super) calls_mpi: bool,
    pub(super) parked: Parked,
    /// Whether it was unparked before its call to park has taken effect.
    pub(super) permitted: bool,
}

/// What the last probe of a thread has found.
pub(in crate::kernel) struct Probed {
    pub(super) thread: u32,
    /// Identity of the message.
    pub(super) message: u64,
    /// What accepts the message and nothing else.
    pub(super) pattern: Pattern,
    pub(super) by: CallPlace,
    /// The first receive of the thread after it that accepts the message.
    pub(super) receive: Option<RequestId>,
    /// The receive of another thread that has got the message.
    pub(super) taken: Option<CallPlace>,
}

/// The state of a thread's call.
pub(super) struct Parked {
    pub(super) blocked: Option<Blocked>,
    missing: u32,
    pub(super) call: &'static str,
    pub(super) site: Site,
    pub(super) busy_until: SimTime,
    polling: bool,
    failed_polls: u32,
    /// Times of computing, overhead and waiting.
    times: [SimDuration; 3],
}

/// The previously current thread, to switch back to; `None` if there was no switch.
pub(crate) type PreviousThread = Option<u32>;

impl Parked {
    pub(super) fn new(now: SimTime) -> Self {
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

    pub(super) fn exchange(&mut self, rank: &mut Rank) {
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

    /// Returns the number of the present thread.
    pub(crate) fn thread(&self) -> u32 {
        self.threads.as_ref().map_or(0, |threads| threads.current)
    }

    /// Calls a function with each thread whose last call of MPI has returned, where the present thread makes
    /// its next one. A rank without threads is its own thread 0.
    pub(crate) fn returned(&self, mut act: impl FnMut(u32)) {
        let Some(threads) = &self.threads else { return act(0) };
        for (number, thread) in (0..).zip(&threads.all) {
            let blocked = thread.parked.blocked.as_ref();
            if number == threads.current || blocked.is_none_or(Blocked::is_outside_mpi) {
                act(number);
            }
        }
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
