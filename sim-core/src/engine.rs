//! The run loop: resume the ready, answer their calls, take the next event.

use std::rc::Rc;

use crate::{
    interrupt,
    kernel::{Due, Kernel, ProcessId, Scheduler},
    limit::Limits,
    meter::Meter,
    metering::Metering,
    outcome::{Limit, Outcome},
    prefetch::prefetch,
    process::{Port, Processes, Step},
    queue::TieBreak,
    time::SimTime,
};

/// With fewer processes, all that is known of them stays in the caches of the processor: then
/// fetching costs more than it saves.
const FETCHING_MIN: usize = 2048;
/// How many events ahead memory is fetched: what an event names, its process, its stack.
const FAR: usize = 8;
const NEAR: usize = 6;
const NEXT: usize = 2;

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
    metering: Option<Box<Metering<K::Call>>>,
}

/// How the run goes on after an event.
enum Next {
    /// A process goes on with its reply.
    Resume(ProcessId),
    /// The event is over.
    Handled,
    /// The run ends.
    End(Box<Outcome>),
}

/// What a run used up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStats {
    /// Time of the last event.
    pub end: SimTime,
    /// Events handled.
    pub events: u64,
    /// Identity of the run.
    pub digest: u64,
    /// Processes that had not ended.
    pub unfinished: Vec<ProcessId>,
}

impl<K: Kernel> Simulation<K>
where
    K::Call: 'static,
    K::Reply: 'static,
{
    /// An empty simulation around a kernel.
    pub fn new(kernel: K, limits: Limits, ties: TieBreak) -> Self {
        let processes = Processes::new(&limits);
        Self { kernel, limits, scheduler: Scheduler::new(ties), processes, metering: None }
    }

    /// Has what processes do between their calls take the time that `meter` tells.
    pub fn meter(&mut self, meter: Rc<dyn Meter<K::Call>>) {
        self.metering = Some(Box::new(Metering::new(meter)));
    }

    /// Adds a process that begins at time 0.
    pub fn spawn(&mut self, body: Rc<dyn Fn(Port<K::Call, K::Reply>)>) -> ProcessId {
        self.spawn_at(SimTime::ZERO, body)
    }

    /// Adds a process that begins at `start`. Its stack is made when it begins.
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

    /// What processes run that the kernel begins with [`Scheduler::spawn`].
    pub fn children(&mut self, body: Rc<dyn Fn(Port<K::Call, K::Reply>)>) {
        self.processes.children(body);
    }

    /// Runs to the end and unwinds whatever is left.
    ///
    /// # Panics
    /// If the system gives no memory for a stack.
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
            // One place resumes processes, so that the whole way of a message is in this loop.
            let process = match self.scheduler.ready.pop_front() {
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
                return Outcome::Interrupted { running: None };
            }
        }
    }

    /// Takes the next event; no process goes on at the present time.
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
            return Next::End(Box::new(Outcome::Interrupted { running: None }));
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

    /// No event is left.
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

    /// Has the memory fetched that the events after this one need: first what they name, then
    /// what is known of their processes, then the stacks.
    fn foresee(&self) {
        let queue = &self.scheduler.queue;
        if let Some(Due::Kernel(event)) = queue.upcoming(FAR) {
            self.kernel.foresee(event);
        }
        let process = |due: Option<&Due<K::Event>>| match due? {
            Due::Resume(process) | Due::Step(process) => Some(*process),
            Due::Kernel(event) => self.kernel.process_of(event),
        };
        self.fetch(process(queue.upcoming(NEAR)), process(queue.upcoming(NEXT)));
    }

    /// Has what is known of one process fetched, and the stack of one that goes on sooner.
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
        } else if time > self.limits.time || time == SimTime::MAX {
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
            Step::Failed(outcome) => return Some(outcome),
        }
        None
    }
}
