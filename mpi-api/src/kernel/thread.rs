//! Several threads of control in one rank (MPI sections 11.6 and 12.4 of older editions).
//!
//! A rank that has one thread never comes here. A rank that has several keeps what belongs to a
//! call (why it is blocked, where it was made) once a thread: the present thread's lies in the
//! rank itself, where all of the kernel looks for it, the others' are parked here. Whoever wakes
//! something of a rank first has the thread that waits for it take the place of the present one.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::FxHashMap;
use sim_core::{ProcessId, SimDuration, SimTime};

use super::{
    MpiKernel, Rank, Sched,
    completion::{Blocked, call_name},
    receive::FREE,
};
use crate::{
    call::{Call, CommId, Operation, Reply, RequestId, Site, ThreadBody, Threading},
    finding::{CallSite, Code, Finding, Severity},
    policy::Policy,
};

/// What threads run that have not begun, by process.
pub(crate) type Bodies = Rc<RefCell<FxHashMap<u32, ThreadBody>>>;

/// The threads of one rank.
pub(crate) struct Threads {
    level: Threading,
    /// Whose state lies in the rank.
    current: u32,
    all: Vec<Thread>,
}

/// One thread, as long as it is not the present one.
struct Thread {
    process: ProcessId,
    ended: bool,
    parked: Parked,
}

/// What belongs to a thread's call.
struct Parked {
    blocked: Option<Blocked>,
    missing: u32,
    call: &'static str,
    site: Site,
    busy_until: SimTime,
    polling: bool,
    /// Computing, overhead and waiting.
    times: [SimDuration; 3],
}

/// A thread to come back to.
pub(crate) type Before = Option<u32>;

impl Parked {
    fn new(now: SimTime) -> Self {
        Self {
            blocked: None,
            missing: 0,
            call: "spawn",
            site: Site { file: "", line: 0, column: 0 },
            busy_until: now,
            polling: false,
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
        let totals = &mut rank.totals;
        let places = [&mut totals.compute, &mut totals.overhead, &mut totals.waiting];
        for (mine, place) in self.times.iter_mut().zip(places) {
            swap(mine, place);
        }
    }
}

impl Rank {
    /// Whether some thread of it is not blocked.
    pub(crate) fn runs(&self) -> bool {
        self.calls().any(|call| call.blocked.is_none())
    }

    /// The call of each thread that has not ended.
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

/// What one thread of a rank is in.
pub(crate) struct ThreadCall<'a> {
    pub(crate) process: ProcessId,
    /// Its number, where the rank has several.
    pub(crate) number: Option<u32>,
    pub(crate) blocked: Option<&'a Blocked>,
    pub(crate) call: &'static str,
    pub(crate) site: Site,
}

impl MpiKernel {
    /// Whether any rank has more than one thread.
    #[inline]
    pub(crate) fn has_threads(&self) -> bool {
        !self.further.is_empty()
    }

    /// What threads run that have not begun.
    pub(crate) fn bodies(&self) -> Bodies {
        Rc::clone(&self.bodies)
    }

    /// The rank a process belongs to.
    #[inline]
    pub(crate) fn rank_of(&self, process: ProcessId) -> u32 {
        if self.has_threads() { self.thread_of(process).0 } else { process.0 }
    }

    #[cold]
    fn thread_of(&self, process: ProcessId) -> (u32, u32) {
        match process.0.checked_sub(self.ranks.len() as u32) {
            Some(further) => self.further[further as usize],
            None => (process.0, 0),
        }
    }

    /// The process of one of a rank's threads.
    pub(crate) fn process_of(&self, rank: u32, thread: u32) -> Option<u32> {
        let threads = self.ranks[rank as usize].threads.as_ref()?;
        Some(threads.all.get(thread as usize)?.process.0)
    }

    /// `rank 3`, or `thread 1 of rank 3` of a rank that has several.
    pub(crate) fn name_of(&self, process: ProcessId) -> String {
        let (rank, thread) = self.thread_of(process);
        match self.ranks[rank as usize].threads {
            Some(_) => format!("thread {thread} of rank {rank}"),
            None => format!("rank {rank}"),
        }
    }

    /// Makes a thread the present one; returns which was.
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

    /// Makes the thread that waits for something the present one, if there is one.
    #[inline]
    pub(crate) fn wake_whom(&mut self, rank: u32, waits: impl Fn(&Blocked) -> bool) -> Before {
        if self.has_threads() { self.switch_to_waiting(rank, waits) } else { None }
    }

    #[cold]
    fn switch_to_waiting(&mut self, rank: u32, waits: impl Fn(&Blocked) -> bool) -> Before {
        let state = &self.ranks[rank as usize];
        let found = state.calls().find(|call| call.blocked.is_some_and(&waits))?;
        let number = found.number?;
        Some(self.switch(rank, number))
    }

    /// As [`MpiKernel::wake`], as the thread that waits for the request.
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

    /// As [`MpiKernel::end_posting`], as the thread that posts.
    #[cold]
    pub(crate) fn end_threads_posting(&mut self, request: u32, time: SimTime, s: &mut Sched) {
        let rank = self.requests[request].rank;
        let posts = |blocked: &Blocked| matches!(blocked, Blocked::Posting(r) if *r == request);
        let before = self.switch_to_waiting(rank, posts);
        self.end_posting(rank, request, time, s);
        self.switch_back(rank, before);
    }

    /// Ends what [`Self::wake_whom`] began.
    #[inline]
    pub(crate) fn switch_back(&mut self, rank: u32, before: Before) {
        if let Some(thread) = before {
            self.switch(rank, thread);
        }
    }

    /// Does something as each thread in turn, until it has succeeded.
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

    /// A process calls: makes its thread the present one. False when the call is not allowed and
    /// the run has ended.
    #[cold]
    pub(crate) fn enter_thread(&mut self, process: ProcessId, call: &Call, s: &mut Sched) -> bool {
        let (rank, thread) = self.thread_of(process);
        self.switch(rank, thread);
        let Some(threads) = &self.ranks[rank as usize].threads else { return true };
        if !is_mpi(&call.operation) {
            return true;
        }
        let others = (0..).zip(&threads.all).filter(|(number, _)| *number != thread);
        let busy = others.clone().find(|(_, other)| other.parked.in_mpi(s.now()));
        let (text, other) = match (threads.level, busy) {
            (Threading::Multiple, _) | (Threading::Serialized, None) => return true,
            (Threading::Serialized, Some((number, other))) => (
                format!("calls MPI while thread {number} is in {}", other.parked.call),
                Some(other),
            ),
            (Threading::Single | Threading::Funneled, _) if thread == 0 => return true,
            (Threading::Single | Threading::Funneled, _) => ("calls MPI".into(), None),
        };
        let text = format!("thread {thread} {text}: the level is {}", threads.level.name());
        let other = other.map(|other| {
            CallSite::new(rank, other.parked.call, other.parked.site.known(), "meanwhile".into())
        });
        let state = &mut self.ranks[rank as usize];
        (state.call, state.site) = (call_name(&call.operation), call.site);
        self.misuse(rank, text, other, s);
        false
    }

    /// Ends the run: threads of a rank do what they must not.
    fn misuse(&mut self, rank: u32, text: String, other: Option<CallSite>, s: &mut Sched) {
        let mut sites = vec![self.present_site(rank, text.clone())];
        sites.extend(other);
        let finding = Finding {
            code: Code::ThreadMisuse,
            severity: Severity::Error,
            message: format!("rank {rank}: {text}"),
            ranks: vec![rank],
            sites,
            cycle: Vec::new(),
            notes: vec!["what threads may do is in MPI 11.6".into()],
            help: None,
        };
        self.fail(finding, s);
    }

    /// A further thread of a rank begins.
    pub(crate) fn spawn_thread(
        &mut self,
        rank: u32,
        level: Threading,
        body: ThreadBody,
        s: &mut Sched,
    ) {
        let none = self.settings.environment.policies.differs(Policy::ThreadLevels);
        let level = if none { Threading::Single } else { level };
        let process = s.spawn();
        self.bodies.borrow_mut().insert(process.0, body);
        let now = s.now();
        let thread = |process| Thread { process, ended: false, parked: Parked::new(now) };
        let threads = self.ranks[rank as usize].threads.get_or_insert_with(|| {
            Box::new(Threads { level, current: 0, all: vec![thread(ProcessId(rank))] })
        });
        let number = threads.all.len() as u32;
        threads.all.push(thread(process));
        self.further.push((rank, number));
        self.answer(rank, now, FREE, Reply::Object(number), s);
    }

    /// Answers when a thread of the rank has ended.
    pub(crate) fn join_thread(&mut self, rank: u32, thread: u32, s: &mut Sched) {
        let threads = self.ranks[rank as usize].threads.as_ref();
        let known = threads.and_then(|threads| threads.all.get(thread as usize));
        if known.is_none_or(|thread| thread.ended) {
            self.done(rank, s);
        } else {
            self.ranks[rank as usize].blocked = Some(Blocked::Join(thread));
        }
    }

    /// A thread came to its end. True if it was the last one of its rank.
    #[cold]
    pub(crate) fn end_thread(&mut self, process: ProcessId, s: &mut Sched) -> bool {
        let (rank, thread) = self.thread_of(process);
        let Some(threads) = &mut self.ranks[rank as usize].threads else { return true };
        threads.all[thread as usize].ended = true;
        let last = threads.all.iter().all(|thread| thread.ended);
        self.each_thread(rank, |kernel| {
            let blocked = &mut kernel.ranks[rank as usize].blocked;
            if blocked.take_if(|b| matches!(b, Blocked::Join(other) if *other == thread)).is_some()
            {
                let now = s.now();
                kernel.answer(rank, now, FREE, Reply::Done, s);
            }
            false
        });
        last
    }

    /// Whether another thread waits for one of these requests, which ends the run
    /// (MPI section 11.6.1).
    #[cold]
    pub(crate) fn awaited_twice(&mut self, rank: u32, list: &[RequestId], s: &mut Sched) -> bool {
        let state = &self.ranks[rank as usize];
        let shared = |blocked: Option<&Blocked>| match blocked {
            Some(Blocked::Wait(other, _)) => list.iter().any(|id| other.contains(id)),
            _ => false,
        };
        let Some(other) = state.calls().find(|call| shared(call.blocked)) else { return false };
        let number = other.number.unwrap_or(0);
        let label = format!("thread {number} waits for it here");
        let site = CallSite::new(rank, other.call, other.site.known(), label);
        let text = format!("two threads wait for one request, thread {number} among them");
        self.misuse(rank, text, Some(site), s);
        true
    }

    /// Whether another thread is in a collective operation of the same communicator, which ends
    /// the run (MPI section 6.14).
    #[cold]
    pub(crate) fn entered_twice(&mut self, rank: u32, comm: CommId, s: &mut Sched) -> bool {
        let state = &self.ranks[rank as usize];
        let same = |blocked: Option<&Blocked>| match blocked {
            Some(Blocked::Collective(execution)) => self.executions[*execution].comm == comm,
            _ => false,
        };
        let Some(other) = state.calls().find(|call| same(call.blocked)) else { return false };
        let number = other.number.unwrap_or(0);
        let label = format!("thread {number} is in this one");
        let site = CallSite::new(rank, other.call, other.site.known(), label);
        let text = "two threads are in collective operations of one communicator".into();
        self.misuse(rank, text, Some(site), s);
        true
    }

    /// Whether finalize is called by another than the main thread, or before the other threads
    /// have ended; that ends the run.
    #[cold]
    pub(crate) fn finalized_too_early(&mut self, rank: u32, s: &mut Sched) -> bool {
        let Some(threads) = &self.ranks[rank as usize].threads else { return false };
        let current = threads.current;
        let running = (1..).zip(&threads.all[1..]).find(|(_, thread)| !thread.ended);
        let text = match running {
            _ if current != 0 => format!("thread {current} calls finalize, not the main thread"),
            Some((number, _)) => format!("finalize is called while thread {number} runs"),
            None => return false,
        };
        self.misuse(rank, text, None, s);
        true
    }
}

impl Parked {
    /// Whether it is inside a call of MPI.
    fn in_mpi(&self, now: SimTime) -> bool {
        match &self.blocked {
            Some(Blocked::Join(_)) => false,
            Some(_) => true,
            None => self.busy_until > now,
        }
    }
}

/// Whether an operation stands for a call of MPI.
fn is_mpi(operation: &Operation) -> bool {
    !matches!(
        operation,
        Operation::Compute(_)
            | Operation::Report(_)
            | Operation::SpawnThread(..)
            | Operation::JoinThread(_)
    )
}
