//! The table of all processes of a simulation, with their stacks.
#![allow(unsafe_code, reason = "abandons coroutines of foreign code")]

use std::rc::Rc;

use corosensei::CoroutineResult;

use super::{
    Body, Called, Process,
    end::{End, Trap},
    entropy,
    mailbox::Mailboxes,
    running::{Entered, Running, enter},
    script::{Foresight, Script, Scripted},
    stack::{Arena, SlotStack},
    trap::prepare,
};
use crate::{
    id::ProcessId,
    interrupt,
    limit::Limits,
    outcome::{Crash, Outcome},
    prefetch::{lines, prefetch},
    time::SimTime,
};

/// Number of stacks returned to the system at once when processes are unwound: unwinding touches
/// more of a stack than running did.
const BATCH: usize = 1024;
/// The part of a suspended process's stack that is prefetched: bytes below the data of its call,
/// and number of cache lines.
const BELOW: usize = 128;
const NEEDED: usize = 8;

/// The result of resuming a process.
pub(crate) enum Step<C> {
    /// It made a call and waits for the reply.
    Called(Called<C>),
    /// It ended.
    Ended,
    /// It had ended before; nothing was done.
    Nothing,
    /// It ended the run with this outcome. A box, so that the usual step stays in registers.
    Failed(Box<Outcome>),
}

/// The entry of one process, one cache line in size.
#[repr(align(64))]
enum Slot<C, R> {
    Fresh(Body<C, R>),
    Live(Process<C, R>),
    Scripted(Box<Scripted<C, R>>),
    Ended,
}

/// The processes. Dropping this value unwinds all that have begun and not ended.
pub(crate) struct Processes<C: 'static, R: 'static> {
    slots: Vec<Slot<C, R>>,
    running: Rc<Running>,
    arena: Arena,
    unfinished: usize,
    /// The function run by processes that begin during the run.
    children: Option<Body<C, R>>,
    /// Seed of the random numbers that processes request from the system.
    seed: u64,
}

impl<C: 'static, R: 'static> Processes<C, R> {
    pub(crate) fn new(limits: &Limits) -> Self {
        let arena =
            Arena::new(limits.stack_bytes, limits.guard_bytes).executable(limits.executable_stacks);
        Self {
            slots: Vec::new(),
            running: Rc::new(Running::new(arena.guard_bytes(), limits.foreign)),
            arena,
            unfinished: 0,
            children: None,
            seed: 0,
        }
    }

    /// Sets the seed of the random numbers that processes request from the system.
    pub(crate) fn seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Adds a process that has not begun and returns its number.
    pub(crate) fn add(&mut self, body: Body<C, R>) -> ProcessId {
        let id = ProcessId(self.slots.len() as u32);
        self.slots.push(Slot::Fresh(body));
        self.unfinished += 1;
        id
    }

    /// Adds a script that has not begun and returns its number.
    pub(crate) fn add_script(&mut self, script: Box<dyn Script<C, R>>) -> ProcessId {
        let id = ProcessId(self.slots.len() as u32);
        self.slots.push(Slot::Scripted(Box::new(Scripted::new(script))));
        self.unfinished += 1;
        id
    }

    /// Sets the function run by processes that begin during the run.
    pub(crate) fn children(&mut self, body: Body<C, R>) {
        self.children = Some(body);
    }

    /// Adds the processes up to `id`, which the kernel has spawned.
    #[cold]
    fn grow(&mut self, id: ProcessId) {
        while self.slots.len() <= id.0 as usize {
            let body = self.children.as_ref().expect("a kernel that spawns gives a body");
            self.add(Rc::clone(body));
        }
    }

    /// Returns the number of processes that have not ended.
    pub(crate) fn unfinished(&self) -> usize {
        self.unfinished
    }

    /// Registers this simulation as the one that runs on this thread.
    pub(crate) fn enter(&self) -> Entered {
        prepare();
        entropy::begin(self.seed);
        enter(&self.running)
    }

    /// Runs a process until its next call: starts it, or resumes it with its reply. Inlined into
    /// the run loop: a separate function costs a tenth of the time of a message.
    #[inline(always)]
    pub(crate) fn resume(
        &mut self,
        id: ProcessId,
        now: SimTime,
        mailboxes: &mut Mailboxes<R>,
    ) -> Step<C> {
        let slot = match self.slots.get_mut(id.0 as usize) {
            Some(slot) => slot,
            None => {
                self.grow(id);
                &mut self.slots[id.0 as usize]
            }
        };
        if let Slot::Fresh(body) = slot {
            let stack = self.arena.acquire_or_end();
            let running = Rc::clone(&self.running);
            *slot = Slot::Live(Process::new(id, running, stack, Rc::clone(body)));
        }
        let Slot::Live(process) = slot else { return self.step_script(id, now, mailboxes) };
        let running = &*self.running;
        let handler = process.coroutine.trap_handler();
        let bottom = process.bottom;
        running.trap.set(Some(handler));
        running.bottom.set(bottom);
        running.top.set(process.top);
        running.now.set(now);
        running.process.set(Some(id));
        running.stretch.set(running.stretch.get() + 1);
        let progress = process.coroutine.resume(());
        running.process.set(None);
        if self.arena.has_canaries() && !self.arena.intact(bottom) {
            return Step::Failed(Box::new(Outcome::StackOverflow { process: id, address: None }));
        }
        match progress {
            CoroutineResult::Yield(exchange) => {
                // SAFETY: the process is suspended in the call that holds the place, and only
                // resumed when a reply has been put there, or to be unwound when all is over.
                unsafe { mailboxes.open(id, exchange.as_ref().reply) };
                Step::Called(Called::of(exchange))
            }
            CoroutineResult::Return(end) => self.end(id, end),
        }
    }

    /// Runs a script until its next call, if the process is one that has not ended.
    #[inline(never)]
    fn step_script(
        &mut self,
        id: ProcessId,
        now: SimTime,
        mailboxes: &mut Mailboxes<R>,
    ) -> Step<C> {
        let slot = &mut self.slots[id.0 as usize];
        let Slot::Scripted(script) = slot else { return Step::Nothing };
        // SAFETY: a process is resumed when it has been replied to, and its box is dropped when it
        // has ended or the run has.
        match unsafe { script.step(id, now, mailboxes) } {
            Some(call) => Step::Called(call),
            None => {
                *slot = Slot::Ended;
                self.unfinished -= 1;
                Step::Ended
            }
        }
    }

    /// Prefetches the table entry of a process.
    pub(crate) fn foresee(&self, id: ProcessId) {
        if let Some(slot) = self.slots.get(id.0 as usize) {
            prefetch(slot);
        }
    }

    /// Returns whether the first process is a script, as all or none mostly are.
    pub(crate) fn begin_with_script(&self) -> bool {
        matches!(self.slots.first(), Some(Slot::Scripted(_)))
    }

    /// Prefetches memory of a process if it is a script.
    pub(crate) fn foresee_script(&self, id: ProcessId, foresight: Foresight) {
        if let Some(Slot::Scripted(script)) = self.slots.get(id.0 as usize) {
            script.foresee(foresight);
        }
    }

    /// Prefetches the stack of a process around the call it waits in.
    pub(crate) fn foresee_stack(&self, reply: usize) {
        lines::<NEEDED>(reply.wrapping_sub(BELOW));
    }

    #[cold]
    fn end(&mut self, id: ProcessId, end: End) -> Step<C> {
        if let Slot::Live(process) = std::mem::replace(&mut self.slots[id.0 as usize], Slot::Ended)
        {
            self.arena.release(process.coroutine.into_stack());
        }
        self.unfinished -= 1;
        self.running.unwinding.set(false);
        Step::Failed(Box::new(match end {
            End::Returned => return Step::Ended,
            End::Unwound => {
                let (message, location) = self.running.report.take().unwrap_or_default();
                Outcome::Panicked(Crash { process: id, message, location })
            }
            End::Trapped(Trap::Interrupted { address }) => interrupt::outcome(Some((id, address))),
            End::Trapped(Trap::Overflow { address }) => {
                Outcome::StackOverflow { process: id, address: Some(address) }
            }
            End::Trapped(Trap::Signal { signal, address, access }) => {
                Outcome::Signal { process: id, signal, address, access }
            }
        }))
    }

    /// Ends all processes that have not ended, in order of number, and returns their numbers.
    pub(crate) fn end_all(&mut self) -> Vec<ProcessId> {
        let _entered = self.enter();
        let mut unfinished = Vec::new();
        let mut stacks: Vec<SlotStack> = Vec::new();
        for index in 0..self.slots.len() {
            let id = ProcessId(index as u32);
            match std::mem::replace(&mut self.slots[index], Slot::Ended) {
                Slot::Ended => continue,
                Slot::Fresh(_) | Slot::Scripted(_) => {}
                Slot::Live(process) => stacks.push(self.unwind(id, process)),
            }
            unfinished.push(id);
            if stacks.len() == BATCH {
                self.arena.discard(&mut stacks);
            }
        }
        self.unfinished = 0;
        unfinished
    }

    fn unwind(&self, id: ProcessId, mut process: Process<C, R>) -> SlotStack {
        let running = &*self.running;
        if running.foreign || running.abandoned.borrow().contains(&id) {
            // SAFETY: the frames on the stack are abandoned with all they own. Nothing points
            // into them from outside: the kernel owns what it keeps of a call.
            unsafe { process.coroutine.force_reset() };
        } else {
            running.trap.set(Some(process.coroutine.trap_handler()));
            running.bottom.set(process.bottom);
            running.top.set(process.top);
            running.unwinding.set(true);
            running.process.set(Some(id));
            process.coroutine.force_unwind();
            running.process.set(None);
            running.unwinding.set(false);
            running.report.take();
        }
        process.coroutine.into_stack()
    }
}

impl<C: 'static, R: 'static> Drop for Processes<C, R> {
    fn drop(&mut self) {
        if self.unfinished > 0 {
            self.end_all();
        }
    }
}
