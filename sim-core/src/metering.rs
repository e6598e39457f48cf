//! Calls and ends that come later than they were made, because what led to them takes time.

use std::{collections::BTreeMap, rc::Rc};

use crate::{
    kernel::{Due, Kernel, ProcessId, Scheduler},
    meter::Meter,
    outcome::Outcome,
    process::{Called, Processes, Step},
    time::SimDuration,
};

/// The meter, and the processes that are taken to compute.
pub(crate) struct Metering<C, R> {
    meter: Rc<dyn Meter<C>>,
    computing: BTreeMap<u32, (Deed<C, R>, SimDuration)>,
}

/// What a process does when its computing is over.
enum Deed<C, R> {
    Call(Called<C, R>),
    End,
}

impl<C: 'static, R: 'static> Metering<C, R> {
    pub(crate) fn new(meter: Rc<dyn Meter<C>>) -> Self {
        Self { meter, computing: BTreeMap::new() }
    }

    /// Resumes a process; what it does next happens when the time for it has passed.
    #[cold]
    pub(crate) fn resume<K: Kernel<Call = C, Reply = R>>(
        &mut self,
        id: ProcessId,
        processes: &mut Processes<C, R>,
        kernel: &mut K,
        scheduler: &mut Scheduler<K::Event, R>,
    ) -> Option<Outcome> {
        let reply = scheduler.replies[id.0 as usize].take();
        self.meter.begin(id);
        let (time, deed) = match processes.resume(id, scheduler.now, reply) {
            Step::Called(call) => (self.meter.end(id, Some(call.peek())), Deed::Call(call)),
            Step::Ended => (self.meter.end(id, None), Deed::End),
            Step::Nothing => return None,
            Step::Failed(outcome) => return Some(outcome),
        };
        let known = time.is_some();
        let time = time.unwrap_or(SimDuration::ZERO);
        self.computing.insert(id.0, (deed, time));
        if !known {
            return Some(Outcome::Stopped);
        }
        if time > SimDuration::ZERO {
            scheduler.queue.push(scheduler.now + time, Due::Deed(id));
        } else {
            self.act(id, kernel, scheduler);
        }
        None
    }

    /// The computing of a process is over.
    #[cold]
    pub(crate) fn act<K: Kernel<Call = C, Reply = R>>(
        &mut self,
        id: ProcessId,
        kernel: &mut K,
        scheduler: &mut Scheduler<K::Event, R>,
    ) {
        let Some((deed, time)) = self.computing.remove(&id.0) else { return };
        if time > SimDuration::ZERO {
            kernel.computed(id, time, scheduler);
        }
        match deed {
            Deed::Call(call) => kernel.call(id, call.take(), scheduler),
            Deed::End => kernel.finished(id, scheduler),
        }
    }

    /// Drops the calls that were never made; their processes still wait in them.
    pub(crate) fn forget(&mut self) {
        for (deed, _) in std::mem::take(&mut self.computing).into_values() {
            if let Deed::Call(call) = deed {
                drop(call.take());
            }
        }
    }
}
