//! The run loop: resume the ready, answer their calls, take the next event.

use std::{cell::Cell, rc::Rc};

use corosensei::stack::DefaultStack;

use crate::{
    kernel::{Due, Kernel, ProcessId, Scheduler},
    limit::Limits,
    outcome::{Limit, Outcome},
    process::{Body, Port, Process, Step},
    queue::TieBreak,
    time::SimTime,
};

/// One simulation: a value that shares nothing with any other.
pub struct Simulation<K: Kernel> {
    kernel: K,
    limits: Limits,
    scheduler: Scheduler<K::Event, K::Reply>,
    processes: Vec<Slot<K>>,
    running: Rc<Cell<Option<ProcessId>>>,
    stacks: Vec<DefaultStack>,
    unfinished: usize,
}

enum Slot<K: Kernel> {
    Fresh(Body<K::Call, K::Reply>),
    Live(Process<K::Call, K::Reply>),
    Ended,
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
        Self {
            kernel,
            limits,
            scheduler: Scheduler::new(ties),
            processes: Vec::new(),
            running: Rc::new(Cell::new(None)),
            stacks: Vec::new(),
            unfinished: 0,
        }
    }

    /// Adds a process that begins at time 0.
    pub fn spawn(&mut self, body: Rc<dyn Fn(Port<K::Call, K::Reply>)>) -> ProcessId {
        self.spawn_at(SimTime::ZERO, body)
    }

    /// Adds a process that begins at `start`.
    pub fn spawn_at(
        &mut self,
        start: SimTime,
        body: Rc<dyn Fn(Port<K::Call, K::Reply>)>,
    ) -> ProcessId {
        let id = ProcessId(self.processes.len() as u32);
        self.processes.push(Slot::Fresh(body));
        self.scheduler.queue.push(start, Due::Start(id));
        self.unfinished += 1;
        id
    }

    /// Runs to the end and unwinds whatever is left.
    pub fn run(mut self) -> (Outcome, K, RunStats) {
        let outcome = self.drive();
        let mut unfinished = Vec::new();
        for (index, slot) in self.processes.drain(..).enumerate() {
            match slot {
                Slot::Ended => {}
                Slot::Fresh(_) => unfinished.push(ProcessId(index as u32)),
                Slot::Live(process) => {
                    unfinished.push(ProcessId(index as u32));
                    drop(process.into_stack());
                }
            }
        }
        let stats = RunStats {
            end: self.scheduler.now,
            events: self.scheduler.events,
            digest: self.scheduler.digest.value(),
            unfinished,
        };
        (outcome, self.kernel, stats)
    }

    fn drive(&mut self) -> Outcome {
        loop {
            while let Some((process, reply)) = self.scheduler.ready.pop_front() {
                if let Some(outcome) = self.resume(process, Some(reply)) {
                    return outcome;
                }
            }
            if self.scheduler.stopped {
                return Outcome::Stopped;
            }
            let Some((time, due)) = self.scheduler.queue.pop() else {
                if self.unfinished == 0 {
                    return Outcome::Completed;
                }
                if self.kernel.quiescent(&mut self.scheduler) {
                    continue;
                }
                return Outcome::Stalled;
            };
            if let Some(limit) = self.over_limit(time) {
                return Outcome::LimitReached(limit);
            }
            self.scheduler.now = time;
            self.scheduler.events += 1;
            self.scheduler.digest.mix(time.as_ps());
            let outcome = match due {
                Due::Kernel(event) => {
                    self.kernel.event(event, &mut self.scheduler);
                    None
                }
                Due::Wake(process, reply) => self.resume(process, Some(reply)),
                Due::Start(process) => self.resume(process, None),
            };
            if let Some(outcome) = outcome {
                return outcome;
            }
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

    fn resume(&mut self, id: ProcessId, reply: Option<K::Reply>) -> Option<Outcome> {
        self.scheduler.digest.mix(u64::from(id.0));
        let slot = &mut self.processes[id.0 as usize];
        if let Slot::Fresh(body) = slot {
            let bytes = self.limits.stack_bytes;
            let stack = self.stacks.pop().unwrap_or_else(|| {
                DefaultStack::new(bytes).expect("the system gives memory for a stack")
            });
            let running = Rc::clone(&self.running);
            *slot = Slot::Live(Process::new(id, running, stack, Rc::clone(body)));
        }
        let Slot::Live(process) = slot else { return None };
        match process.resume(reply) {
            Step::Called(call) => {
                self.kernel.call(id, call, &mut self.scheduler);
                None
            }
            Step::Ended => {
                if let Slot::Live(process) = std::mem::replace(slot, Slot::Ended) {
                    self.stacks.push(process.into_stack());
                }
                self.unfinished -= 1;
                self.kernel.finished(id, &mut self.scheduler);
                None
            }
            Step::Crashed(crash) => {
                *slot = Slot::Ended;
                Some(Outcome::Panicked(crash))
            }
        }
    }
}
