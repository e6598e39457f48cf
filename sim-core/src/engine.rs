//! The run loop: resumes ready processes, passes their calls to the kernel, takes the next event.

use std::rc::Rc;

use crate::{
    id::ProcessId,
    interrupt::{self, STEPS_BETWEEN_LOOKS},
    kernel::{Due, Kernel, Scheduler},
    limit::Limits,
    meter::Meter,
    metering::Metering,
    outcome::{Limit, Outcome},
    prefetch::prefetch,
    process::{Foresight, Port, Processes, Script, Step},
    queue::TieBreak,
    tap::Tap,
    time::SimTime,
};

/// Minimum number of processes for prefetching. With fewer, their data stay in the processor's
/// caches and prefetching costs more than it saves.
const FETCHING_MIN: usize = 2048;
/// Number of events ahead for which memory is prefetched: first the data an event names, then its
/// process, then what these name, then the stack, or the data of a script.
const FAR: usize = 12;
const NEAR: usize = 9;
const NEARER: usize = 6;
const NEXT: usize = 3;
const LAST: usize = 1;

/// One simulation: a value that shares nothing with any other. Dropping it unwinds its processes.
pub struct Simulation<K: Kernel>
where
    K::Call: 'static,
    K::Reply: 'static,
{
    kernel: K,
    limits: Limits,
    scheduler: Scheduler<K::Event, K::Reply>,
    processes: Processes<K::Call, K::Reply>,
    metering: Option<Box<Metering<K::Call, K::Reply>>>,
    /// Steps until the next look at the memory of this process.
    until_look: u32,
    /// Number of these looks.
    looks: u64,
}

/// The next step of the run after an event.
enum Next {
    /// Resume a process with its reply.
    Resume(ProcessId),
    /// Take the next event.
    Handled,
    /// End the run.
    End(Box<Outcome>),
}

/// Statistics of a finished run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStats {
    /// Simulated time of the last event.
    pub end: SimTime,
    /// Number of events handled.
    pub events: u64,
    /// The run's digest.
    pub digest: u64,
    /// Processes that had not ended, in order of number.
    pub unfinished: Vec<ProcessId>,
}

impl<K: Kernel> Simulation<K>
where
    K::Call: 'static,
    K::Reply: 'static,
{
    /// Creates a simulation without processes around a kernel.
    pub fn new(kernel: K, mut limits: Limits, ties: TieBreak) -> Self {
        let processes = Processes::new(&limits);
        // The last time of all is that of sums too large to be represented: no run reaches it.
        limits.time = limits.time.min(SimTime::from_ps(u64::MAX - 1));
        let (scheduler, until_look) = (Scheduler::new(ties), STEPS_BETWEEN_LOOKS);
        Self { kernel, limits, scheduler, processes, metering: None, until_look, looks: 0 }
    }

    /// Sets the meter that determines how much simulated time processes compute between their
    /// calls.
    pub fn meter(&mut self, meter: Rc<dyn Meter<K::Call>>) {
        self.metering.get_or_insert_with(|| Box::new(Metering::new())).meter = Some(meter);
    }

    /// Sets the tap that observes the calls of all processes and the replies to them.
    pub fn tap(&mut self, tap: Rc<dyn Tap<K::Call, K::Reply>>) {
        self.metering.get_or_insert_with(|| Box::new(Metering::new())).tap = Some(tap);
    }

    /// Sets the seed of the random numbers that processes request from the system; 0 by default.
    pub fn seed(&mut self, seed: u64) {
        self.processes.seed(seed);
    }

    /// Adds a process that begins at time 0 and returns its number.
    pub fn spawn(&mut self, body: Rc<dyn Fn(Port<K::Call, K::Reply>)>) -> ProcessId {
        self.spawn_at(SimTime::ZERO, body)
    }

    /// Adds a process that begins at `start` and returns its number. Its stack is mapped when it
    /// begins.
    pub fn spawn_at(
        &mut self,
        start: SimTime,
        body: Rc<dyn Fn(Port<K::Call, K::Reply>)>,
    ) -> ProcessId {
        let id = self.processes.add(body);
        self.scheduler.mailboxes.add();
        self.scheduler.queue.push(start, Due::Resume(id));
        id
    }

    /// Adds a process without a stack that begins at `start` and returns its number.
    pub fn spawn_script_at(
        &mut self,
        start: SimTime,
        script: Box<dyn Script<K::Call, K::Reply>>,
    ) -> ProcessId {
        let id = self.processes.add_script(script);
        self.scheduler.mailboxes.add();
        self.scheduler.queue.push(start, Due::Resume(id));
        id
    }

    /// Sets the function run by processes that the kernel begins with [`Scheduler::spawn`].
    pub fn children(&mut self, body: Rc<dyn Fn(Port<K::Call, K::Reply>)>) {
        self.processes.children(body);
    }

    /// Runs the simulation to its end, unwinds the processes that are left, and returns the
    /// outcome, the kernel and the statistics.
    ///
    /// # Panics
    /// Panics if the system gives no memory for a stack.
    pub fn run(mut self) -> (Outcome, K, RunStats) {
        let outcome = self.drive();
        if let Some(metering) = &mut self.metering {
            metering.forget();
        }
        let stats = RunStats {
            end: self.scheduler.now,
            events: self.scheduler.events,
            digest: self.scheduler.digest.value(),
            unfinished: self.processes.end_all(),
        };
        (outcome, self.kernel, stats)
    }

    fn drive(&mut self) -> Outcome {
        let _entered = self.processes.enter();
        loop {
            self.until_look -= 1;
            if self.until_look == 0 {
                self.until_look = STEPS_BETWEEN_LOOKS;
                if interrupt::memory_is_exceeded() {
                    return Outcome::LimitReached(Limit::Memory);
                }
                self.looks += 1;
                // Each event may resume a process besides.
                if self.looks * u64::from(STEPS_BETWEEN_LOOKS / 2) >= self.limits.events {
                    return Outcome::LimitReached(Limit::Events);
                }
                interrupt::progress(self.scheduler.now, self.scheduler.events);
                self.kernel.look(&mut self.scheduler);
            }
            // Processes are resumed in one place only, so that the whole path of a message is in
            // this loop.
            let process = match self.scheduler.ready.pop() {
                Some(process) => {
                    if self.scheduler.mailboxes.len() >= FETCHING_MIN {
                        let ready = &self.scheduler.ready;
                        self.fetch(ready.get(NEAR).copied(), ready.get(NEXT).copied());
                    }
                    process
                }
                None => match self.next_event() {
                    Next::Resume(process) => process,
                    Next::Handled => continue,
                    Next::End(outcome) => return *outcome,
                },
            };
            if let Some(outcome) = self.resume(process) {
                return outcome;
            }
            if interrupt::requested() {
                return interrupt::outcome(None);
            }
        }
    }

    /// Takes the next event when no process is ready at the present time.
    #[inline(always)]
    fn next_event(&mut self) -> Next {
        if let Some(outcome) = &self.scheduler.stopped {
            return Next::End(Box::new(outcome.clone()));
        }
        let Some((time, due)) = self.scheduler.queue.pop() else {
            return self.rest();
        };
        if let Some(limit) = self.over_limit(time) {
            return Next::End(Box::new(Outcome::LimitReached(limit)));
        }
        if interrupt::requested() {
            return Next::End(Box::new(interrupt::outcome(None)));
        }
        if self.scheduler.mailboxes.len() >= FETCHING_MIN {
            self.foresee();
        }
        self.scheduler.now = time;
        self.scheduler.events += 1;
        self.scheduler.digest.mix(time.as_ps());
        match due {
            Due::Kernel(event) => self.kernel.event(event, &mut self.scheduler),
            Due::Resume(process) => return Next::Resume(process),
            Due::Step(process) => {
                if let Some(metering) = &mut self.metering {
                    metering.act(process, &mut self.kernel, &mut self.scheduler);
                }
            }
        }
        Next::Handled
    }

    /// Decides what happens when no event is left.
    #[cold]
    fn rest(&mut self) -> Next {
        if self.processes.unfinished() == 0 {
            Next::End(Box::new(Outcome::Completed))
        } else if self.kernel.quiescent(&mut self.scheduler) {
            Next::Handled
        } else {
            Next::End(Box::new(Outcome::Stalled))
        }
    }

    /// Prefetches the memory that the next events need: first the data they name, then the table
    /// entries of their processes, then what the kernel finds there, then the stacks.
    fn foresee(&self) {
        let queue = &self.scheduler.queue;
        if let Some(Due::Kernel(event)) = queue.upcoming(FAR) {
            self.kernel.foresee(event);
        }
        if let Some(Due::Kernel(event)) = queue.upcoming(NEARER) {
            self.kernel.foresee_related(event);
        }
        let near = queue.upcoming(NEAR).and_then(|due| self.process_of(due));
        let next = queue.upcoming(NEXT).and_then(|due| match due {
            Due::Resume(process) | Due::Step(process) => Some(*process),
            Due::Kernel(event) => self.kernel.resumed_by(event),
        });
        self.fetch(near, next);
        if self.processes.begin_with_script() {
            self.foresee_scripts();
        }
    }

    /// Returns the process that an event is about, if the kernel knows it.
    #[inline]
    fn process_of(&self, due: &Due<K::Event>) -> Option<ProcessId> {
        match due {
            Due::Resume(process) | Due::Step(process) => Some(*process),
            Due::Kernel(event) => self.kernel.process_of(event),
        }
    }

    /// Prefetches what the scripts need that take their next steps soon, one pointer after the other.
    fn foresee_scripts(&self) {
        let scripts =
            [(NEARER, Foresight::Slots), (NEXT, Foresight::Script), (LAST, Foresight::Data)];
        for (skipped, foresight) in scripts {
            let due = self.scheduler.queue.upcoming(skipped);
            if let Some(process) = due.and_then(|due| self.process_of(due)) {
                self.processes.foresee_script(process, foresight);
            }
        }
    }

    /// Prefetches the table entry of one process, and the stack of one that is resumed earlier.
    #[inline]
    fn fetch(&self, near: Option<ProcessId>, next: Option<ProcessId>) {
        if let Some(process) = near {
            self.processes.foresee(process);
            self.kernel.foresee_process(process);
            prefetch(self.scheduler.mailboxes.place(process));
        }
        if let Some(process) = next
            && let Some(reply) = self.scheduler.mailboxes.reply_of(process)
        {
            self.processes.foresee_stack(reply);
        }
    }

    fn over_limit(&self, time: SimTime) -> Option<Limit> {
        if self.scheduler.events >= self.limits.events {
            Some(Limit::Events)
        } else if time > self.limits.time {
            Some(Limit::Time)
        } else {
            None
        }
    }

    #[inline(always)]
    fn resume(&mut self, id: ProcessId) -> Option<Outcome> {
        let Self { kernel, scheduler, processes, metering, .. } = self;
        scheduler.digest.mix(u64::from(id.0));
        if let Some(metering) = metering {
            return metering.resume(id, processes, kernel, scheduler);
        }
        match processes.resume(id, scheduler.now, &mut scheduler.mailboxes) {
            Step::Called(call) => kernel.call(id, call.pending(), scheduler),
            Step::Ended => kernel.finished(id, scheduler),
            Step::Nothing => {}
            Step::Failed(outcome) => return Some(*outcome),
        }
        None
    }
}
