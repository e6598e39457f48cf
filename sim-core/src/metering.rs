//! Delays calls and ends of processes by the time the processes computed before them.

use std::{collections::BTreeMap, rc::Rc};

use crate::{
    id::ProcessId,
    kernel::{Due, Kernel, Scheduler},
    meter::Meter,
    outcome::Outcome,
    process::{Called, Processes, Step},
    time::SimDuration,
};

/// The meter, and the processes whose computing is simulated at present.
pub(crate) struct Metering<C> {
    meter: Rc<dyn Meter<C>>,
    computing: BTreeMap<u32, (PendingStep<C>, SimDuration)>,
}

/// The step that a process takes when its computing is over.
enum PendingStep<C> {
    Call(Called<C>),
    End,
}

impl<C: 'static> Metering<C> {
    pub(crate) fn new(meter: Rc<dyn Meter<C>>) -> Self {
        Self { meter, computing: BTreeMap::new() }
    }

    /// Resumes a process; its next call or end takes effect when its computing time has passed.
    #[cold]
    pub(crate) fn resume<K: Kernel<Call = C, Reply: 'static>>(
        &mut self,
        id: ProcessId,
        processes: &mut Processes<C, K::Reply>,
        kernel: &mut K,
        scheduler: &mut Scheduler<K::Event, K::Reply>,
    ) -> Option<Outcome> {
        self.meter.begin(id);
        let (time, step) = match processes.resume(id, scheduler.now, &mut scheduler.mailboxes) {
            Step::Called(call) => (self.meter.end(id, Some(call.peek())), PendingStep::Call(call)),
            Step::Ended => (self.meter.end(id, None), PendingStep::End),
            Step::Nothing => return None,
            Step::Failed(outcome) => return Some(outcome),
        };
        let known = time.is_some();
        let time = time.unwrap_or(SimDuration::ZERO);
        let time = kernel.stretched(id, scheduler.now, time);
        self.computing.insert(id.0, (step, time));
        if !known {
            return Some(Outcome::Stopped);
        }
        if time > SimDuration::ZERO {
            scheduler.queue.push(scheduler.now + time, Due::Step(id));
        } else {
            self.act(id, kernel, scheduler);
        }
        None
    }

    /// Carries out the step of a process whose computing is over.
    #[cold]
    pub(crate) fn act<K: Kernel<Call = C>>(
        &mut self,
        id: ProcessId,
        kernel: &mut K,
        scheduler: &mut Scheduler<K::Event, K::Reply>,
    ) {
        let Some((step, time)) = self.computing.remove(&id.0) else { return };
        if time > SimDuration::ZERO {
            kernel.computed(id, time, scheduler);
        }
        match step {
            PendingStep::Call(call) => kernel.call(id, call.pending(), scheduler),
            PendingStep::End => kernel.finished(id, scheduler),
        }
    }

    /// Drops the calls that were never made; their processes are still suspended in them.
    pub(crate) fn forget(&mut self) {
        for (step, _) in std::mem::take(&mut self.computing).into_values() {
            if let PendingStep::Call(call) = step {
                drop(call.pending());
            }
        }
    }
}
