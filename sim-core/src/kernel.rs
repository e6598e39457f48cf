//! The interface between the engine and the kernel, which answers the calls of processes.

use crate::{
    digest::Digest,
    fifo::Fifo,
    id::ProcessId,
    outcome::Outcome,
    process::{Mailboxes, Pending, guarded, suspended_state},
    queue::{EventQueue, TieBreak},
    time::{SimDuration, SimTime},
};

/// Answers the calls of processes. Each callback reads the present simulated time from the
/// scheduler.
pub trait Kernel {
    /// A request of a process.
    type Call;
    /// The answer to a call.
    type Reply;
    /// An event that the kernel schedules for itself: a small value, which the event queue copies.
    type Event: Copy;

    /// Handles a call of a process, which stays suspended until it gets a reply. The call lies on
    /// the stack of the process; whatever is not moved out of it is dropped with `call`.
    fn call(
        &mut self,
        process: ProcessId,
        call: Pending<'_, Self::Call>,
        scheduler: &mut Scheduler<Self::Event, Self::Reply>,
    );

    /// Handles a scheduled event that is due.
    fn event(&mut self, event: Self::Event, scheduler: &mut Scheduler<Self::Event, Self::Reply>);

    /// Notes that a process has ended.
    fn finished(&mut self, process: ProcessId, scheduler: &mut Scheduler<Self::Event, Self::Reply>);

    /// Notes that a process has computed for `time`; its call or end is passed to the kernel next.
    /// Called only with a [`Meter`](crate::Meter).
    fn computed(
        &mut self,
        _process: ProcessId,
        _time: SimDuration,
        _scheduler: &mut Scheduler<Self::Event, Self::Reply>,
    ) {
    }

    /// Returns how long a process that computes for `time` from `now` on takes for it, if something
    /// else takes its processor meanwhile. Called only with a [`Meter`](crate::Meter).
    ///
    /// The default is `time`.
    fn stretched(&mut self, _process: ProcessId, _now: SimTime, time: SimDuration) -> SimDuration {
        time
    }

    /// Called when no event is left and some process is blocked. Returns true if the kernel has
    /// scheduled something, so that the run continues.
    fn quiescent(&mut self, scheduler: &mut Scheduler<Self::Event, Self::Reply>) -> bool;

    /// Called every [`STEPS_BETWEEN_LOOKS`](crate::interrupt::STEPS_BETWEEN_LOOKS) steps: an opportunity to
    /// end a run that does not end by itself. The default does nothing.
    fn look(&mut self, _scheduler: &mut Scheduler<Self::Event, Self::Reply>) {}

    /// Called for an event that is due soon: an opportunity to [`prefetch`](crate::prefetch()) the
    /// data it names.
    fn foresee(&self, _event: &Self::Event) {}

    /// Returns the process that this event is about. A wrong answer costs time only.
    fn process_of(&self, _event: &Self::Event) -> Option<ProcessId> {
        None
    }

    /// Called for an event that is due very soon, after [`Kernel::foresee`] and
    /// [`Kernel::foresee_process`]: an opportunity to prefetch data that are found through those.
    fn foresee_related(&self, _event: &Self::Event) {}

    /// Called for an event that is due next but for a few, the last opportunity to prefetch. Returns
    /// the process that the event will probably resume. A wrong answer costs time only.
    fn resumed_by(&self, event: &Self::Event) -> Option<ProcessId> {
        self.process_of(event)
    }

    /// Called for a process that is resumed soon: an opportunity to prefetch what the kernel stores
    /// about it.
    fn foresee_process(&self, _process: ProcessId) {}
}

/// An entry of the event queue. Small, because the queue moves it about: replies are stored
/// elsewhere.
#[derive(Clone, Copy)]
pub(crate) enum Due<E> {
    /// A process begins, or is resumed with its reply.
    Resume(ProcessId),
    /// An event of the kernel.
    Kernel(E),
    /// A process has computed for as long as its meter said, and takes its next step.
    Step(ProcessId),
}

/// The kernel's access to the run: time, events, replies, processes.
pub struct Scheduler<E, R> {
    pub(crate) now: SimTime,
    pub(crate) queue: EventQueue<Due<E>>,
    /// Processes to resume at the present time, in order.
    pub(crate) ready: Fifo<ProcessId>,
    /// The reply slots of the processes.
    pub(crate) mailboxes: Mailboxes<R>,
    pub(crate) digest: Digest,
    pub(crate) events: u64,
    /// The outcome, if the kernel has ended the run.
    pub(crate) stopped: Option<Outcome>,
}

impl<E: Copy, R> Scheduler<E, R> {
    pub(crate) fn new(ties: TieBreak) -> Self {
        Self {
            now: SimTime::ZERO,
            queue: EventQueue::new(ties),
            ready: Fifo::new(),
            mailboxes: Mailboxes::new(),
            digest: Digest::new(),
            events: 0,
            stopped: None,
        }
    }

    /// Returns a hash of the stack of a process, which has been suspended last in a call that was not answered yet: the
    /// variables of its functions, and registers that hold some of them. 0 if that is not known, as where a program has
    /// made its own stack.
    ///
    /// A loop that only makes the same call again, which is answered in the same way, has the same hash each time. A loop
    /// that counts has not. Hashes of different processes or runs cannot be compared, since they contain addresses.
    pub fn caller_state(&self, process: ProcessId) -> u64 {
        self.mailboxes.reply_of(process).map_or(0, suspended_state)
    }

    /// Returns the present simulated time.
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// Schedules `event` at `at`, or at the present time if `at` is past.
    #[inline(never)]
    pub fn schedule(&mut self, at: SimTime, event: E) {
        self.schedule_here(at, event);
    }

    /// Like [`Scheduler::schedule`], inlined: for the arrival of messages.
    #[inline(always)]
    pub fn schedule_here(&mut self, at: SimTime, event: E) {
        self.queue.push(at.max(self.now), Due::Kernel(event));
    }

    /// Replies to the call of a process, which is resumed at `at`, or at the present time if `at`
    /// is past.
    ///
    /// # Panics
    /// Panics if the process's call has been replied to already.
    #[inline(always)]
    pub fn reply(&mut self, process: ProcessId, at: SimTime, reply: R) {
        self.reply_with(process, at, || reply);
    }

    /// Like [`Scheduler::reply`], with a reply that is made in the place where the process waits for
    /// it: a value that is passed on is copied.
    ///
    /// # Panics
    /// Panics if the process's call has been replied to already.
    #[inline(always)]
    pub fn reply_with(&mut self, process: ProcessId, at: SimTime, make: impl FnOnce() -> R) {
        self.mailboxes.put(process, make);
        if at <= self.now {
            self.ready.push(process);
        } else {
            self.resume_later(at, process);
        }
    }

    #[inline(never)]
    fn resume_later(&mut self, at: SimTime, process: ProcessId) {
        self.queue.push(at, Due::Resume(process));
    }

    /// Like [`Scheduler::reply`], but a process that is resumed at the present time is resumed only
    /// after all events that are due.
    ///
    /// # Panics
    /// Panics if the process's call has been replied to already.
    pub fn reply_in_turn(&mut self, process: ProcessId, at: SimTime, reply: R) {
        self.mailboxes.put(process, || reply);
        self.queue.push(at.max(self.now), Due::Resume(process));
    }

    /// Lets a process continue before all others that are ready at the present time, if its call was the last one that was
    /// replied to.
    pub fn resume_first(&mut self, process: ProcessId) {
        let ready = self.ready.as_mut_slice();
        if ready.last() == Some(&process) {
            ready.rotate_right(1);
        }
    }

    /// Begins another process at the present time and returns its number; it runs the function
    /// given to [`Simulation::children`](crate::Simulation::children).
    pub fn spawn(&mut self) -> ProcessId {
        let process = self.mailboxes.add();
        self.ready.push(process);
        process
    }

    /// Like [`Scheduler::spawn`], but the process begins at `at`, or at the present time if `at` is past.
    pub fn spawn_at(&mut self, at: SimTime) -> ProcessId {
        let process = self.mailboxes.add();
        self.queue.push(at.max(self.now), Due::Resume(process));
        process
    }

    /// Ends the run with [`Outcome::Stopped`].
    pub fn stop(&mut self) {
        self.stopped.get_or_insert(Outcome::Stopped);
    }

    /// Ends the run as one in which nothing can happen any more.
    pub fn stall(&mut self) {
        self.stopped.get_or_insert(Outcome::Stalled);
    }

    /// Runs code that a process has given the kernel, on a separate stack, and returns its result.
    /// Returns `None` if the code panicked, overflowed its stack or raised a signal: then the run
    /// ends as if the process had done so.
    ///
    /// # Panics
    /// Panics if the system gives no memory for a stack, unless [`on_exhausted`](crate::on_exhausted) has set
    /// another end.
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

    /// Returns the number of events and replies that are still to come.
    pub fn pending(&self) -> usize {
        self.queue.len() + self.ready.len()
    }

    /// Returns the time of the earliest event or reply after the present time.
    pub fn next_later(&self) -> Option<SimTime> {
        self.queue.next_later()
    }

    /// Returns the number of events handled so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Returns the digest so far.
    pub fn digest(&self) -> u64 {
        self.digest.value()
    }
}
