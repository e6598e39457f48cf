//! The seam between the engine and whoever answers the processes' calls.

use std::collections::VecDeque;

use crate::{
    digest::Digest,
    outcome::Outcome,
    process::{Mailboxes, Pending, guarded},
    queue::{EventQueue, TieBreak},
    time::{SimDuration, SimTime},
};

/// Number of a process, from 0 in order of spawning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(pub u32);

/// Answers calls. Each callback sees the present simulated time through the scheduler.
pub trait Kernel {
    /// A request of a process.
    type Call;
    /// The answer to a call.
    type Reply;
    /// An event that the kernel schedules for itself.
    type Event;

    /// A process calls, and is suspended until it is replied to. The call lies on the stack of the
    /// process; what is not moved out of it is dropped with `call`.
    fn call(
        &mut self,
        process: ProcessId,
        call: Pending<'_, Self::Call>,
        scheduler: &mut Scheduler<Self::Event, Self::Reply>,
    );

    /// A scheduled event is due.
    fn event(&mut self, event: Self::Event, scheduler: &mut Scheduler<Self::Event, Self::Reply>);

    /// A process came to its end.
    fn finished(&mut self, process: ProcessId, scheduler: &mut Scheduler<Self::Event, Self::Reply>);

    /// A process has computed for `time` and does something now, of which the kernel is told next.
    /// Only with a [`Meter`](crate::Meter).
    fn computed(
        &mut self,
        _process: ProcessId,
        _time: SimDuration,
        _scheduler: &mut Scheduler<Self::Event, Self::Reply>,
    ) {
    }

    /// No event is left and some process is blocked. True if the kernel found a way on.
    fn quiescent(&mut self, scheduler: &mut Scheduler<Self::Event, Self::Reply>) -> bool;

    /// This event is due soon: a chance to [`prefetch`](crate::prefetch()) what it names.
    fn foresee(&self, _event: &Self::Event) {}

    /// The process this event will probably let go on. A wrong answer costs time only.
    fn process_of(&self, _event: &Self::Event) -> Option<ProcessId> {
        None
    }

    /// This process goes on soon: a chance to prefetch what is kept of it.
    fn foresee_process(&self, _process: ProcessId) {}
}

/// What can be due. Small, because the queue moves it about: replies wait elsewhere.
pub(crate) enum Due<E> {
    /// A process begins, or goes on with its reply.
    Resume(ProcessId),
    /// The kernel's own.
    Kernel(E),
    /// A process has computed as long as its meter said, and does what it does next.
    Step(ProcessId),
}

/// What a kernel may do to the run.
pub struct Scheduler<E, R> {
    pub(crate) now: SimTime,
    pub(crate) queue: EventQueue<Due<E>>,
    /// Processes that go on at the present time.
    pub(crate) ready: VecDeque<ProcessId>,
    /// Where each process that waits for a reply gets it.
    pub(crate) mailboxes: Mailboxes<R>,
    pub(crate) digest: Digest,
    pub(crate) events: u64,
    /// How the kernel has ended the run.
    pub(crate) stopped: Option<Outcome>,
}

impl<E, R> Scheduler<E, R> {
    pub(crate) fn new(ties: TieBreak) -> Self {
        Self {
            now: SimTime::ZERO,
            queue: EventQueue::new(ties),
            ready: VecDeque::new(),
            mailboxes: Mailboxes::new(),
            digest: Digest::new(),
            events: 0,
            stopped: None,
        }
    }

    /// The present.
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// Has `event` happen at `at`, or now if that is past.
    #[inline]
    pub fn schedule(&mut self, at: SimTime, event: E) {
        self.queue.push(at.max(self.now), Due::Kernel(event));
    }

    /// Lets a process go on at `at`, or at once.
    ///
    /// # Panics
    /// If its call has been replied to already.
    #[inline(always)]
    pub fn reply(&mut self, process: ProcessId, at: SimTime, reply: R) {
        self.mailboxes.put(process, reply);
        if at <= self.now {
            self.ready.push_back(process);
        } else {
            self.queue.push(at, Due::Resume(process));
        }
    }

    /// Like [`Scheduler::reply`], but also at the present time only after all events that are due.
    ///
    /// # Panics
    /// If its call has been replied to already.
    pub fn reply_in_turn(&mut self, process: ProcessId, at: SimTime, reply: R) {
        self.mailboxes.put(process, reply);
        self.queue.push(at.max(self.now), Due::Resume(process));
    }

    /// Begins a further process at the present time; it runs the body given to
    /// [`Simulation::children`](crate::Simulation::children).
    pub fn spawn(&mut self) -> ProcessId {
        let process = self.mailboxes.add();
        self.ready.push_back(process);
        process
    }

    /// Ends the run.
    pub fn stop(&mut self) {
        self.stopped.get_or_insert(Outcome::Stopped);
    }

    /// Runs code that a process has given the kernel, on a stack of its own; its result. `None` if
    /// it panicked, overflowed or was struck by a signal: then the run ends as if the process had.
    ///
    /// # Panics
    /// If the system gives no memory for a stack.
    pub fn guarded<T: 'static>(
        &mut self,
        process: ProcessId,
        work: impl FnOnce() -> T + 'static,
    ) -> Option<T> {
        guarded(process, self.now, work).map_err(|outcome| self.stopped = Some(outcome)).ok()
    }

    /// Mixes a word into the run's digest.
    pub fn record(&mut self, word: u64) {
        self.digest.mix(word);
    }

    /// How many events, and how many replies on their way, are still to come.
    pub fn pending(&self) -> usize {
        self.queue.len() + self.ready.len()
    }

    /// Events handled so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// The digest so far.
    pub fn digest(&self) -> u64 {
        self.digest.value()
    }
}
