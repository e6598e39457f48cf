//! Runs in which somebody looks at what processes do between their calls: a meter delays calls and
//! ends by the time the processes computed before them, and a tap observes calls and replies.
#![allow(unsafe_code, reason = "reads the replies of suspended processes")]

use std::{collections::BTreeMap, rc::Rc};

use crate::{
    id::ProcessId,
    kernel::{Due, Kernel, Scheduler},
    meter::Meter,
    outcome::Outcome,
    process::{Called, Processes, Step, Watched},
    tap::Tap,
    time::SimDuration,
};

/// The meter, the tap, and the processes whose computing is simulated at present.
pub(crate) struct Metering<C, R> {
    pub(crate) meter: Option<Rc<dyn Meter<C>>>,
    pub(crate) tap: Option<Rc<dyn Tap<C, R>>>,
    computing: BTreeMap<u32, (PendingStep<C>, SimDuration)>,
    /// Where the replies of waiting processes will be, for the tap.
    replies: BTreeMap<u32, Watched<R>>,
}

/// The step that a process takes when its computing is over.
enum PendingStep<C> {
    Call(Called<C>),
    End,
}

impl<C> PendingStep<C> {
    /// Returns the call, unless the process ends.
    fn call(&self) -> Option<&C> {
        match self {
            Self::Call(call) => Some(call.peek()),
            Self::End => None,
        }
    }
}

impl<C: 'static, R: 'static> Metering<C, R> {
    /// Creates a value without meter and tap.
    pub(crate) fn new() -> Self {
        let (computing, replies) = (BTreeMap::new(), BTreeMap::new());
        Self { meter: None, tap: None, computing, replies }
    }

    /// Resumes a process; its next call or end takes effect when its computing time has passed.
    #[cold]
    pub(crate) fn resume<K: Kernel<Call = C, Reply = R>>(
        &mut self,
        id: ProcessId,
        processes: &mut Processes<C, R>,
        kernel: &mut K,
        scheduler: &mut Scheduler<K::Event, R>,
    ) -> Option<Outcome> {
        if let Some(tap) = &self.tap {
            let reply = self.replies.remove(&id.0);
            // SAFETY: the process is resumed below, and was last resumed before the slot was
            // stored.
            tap.resumed(id, reply.as_ref().and_then(|reply| unsafe { reply.reply() }));
        }
        if let Some(meter) = &self.meter {
            meter.begin(id);
        }
        let step = match processes.resume(id, scheduler.now, &mut scheduler.mailboxes) {
            Step::Called(call) => PendingStep::Call(call),
            Step::Ended => PendingStep::End,
            Step::Nothing => return None,
            Step::Failed(outcome) => return Some(*outcome),
        };
        let time = match &self.meter {
            Some(meter) => meter.end(id, step.call()),
            None => Some(SimDuration::ZERO),
        };
        let known = time.is_some();
        let time = time.unwrap_or(SimDuration::ZERO);
        if let Some(tap) = &self.tap {
            tap.called(id, time, step.call());
            if let Some(reply) = scheduler.mailboxes.watch(id) {
                self.replies.insert(id.0, reply);
            }
        }
        // A run that is only observed stays as it is.
        let time = match &self.meter {
            Some(_) => kernel.stretched(id, scheduler.now, time),
            None => time,
        };
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
