//! Runs program code on behalf of the kernel, such as a user's reduction function: on a separate
//! stack, so that a panic, overflow or signal there ends the simulated process and not the
//! simulator.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use corosensei::{Coroutine, CoroutineResult, Yielder, stack::Stack};

use super::{
    end::{End, Trap, caught},
    running::{Running, running},
    stack::Arena,
    trap::keep_link,
};
use crate::{
    id::ProcessId,
    interrupt,
    outcome::{Crash, Outcome},
    time::SimTime,
};

/// Size of that stack. Untouched pages take no memory.
const STACK_BYTES: usize = 1 << 20;
/// The process number while such code runs: that of no process, so that no port works.
const GUEST: ProcessId = ProcessId(u32::MAX);

thread_local! {
    static STACKS: RefCell<Option<Arena>> = const { RefCell::new(None) };
}

/// Runs `work` for a process at simulated time `now`; an error is the outcome that ends the run.
#[allow(unsafe_code, reason = "reads the simulation that runs on this thread")]
pub(crate) fn guarded<T: 'static>(
    process: ProcessId,
    now: SimTime,
    work: impl FnOnce() -> T + 'static,
) -> Result<T, Outcome> {
    let Some(running) = running() else { return Ok(work()) };
    // SAFETY: `Entered` keeps it alive while the pointer is set, on this thread alone.
    let running = unsafe { running.as_ref() };
    running.now.set(now);
    let done = Rc::new(Cell::new(None));
    let result = Rc::clone(&done);
    let end = on_own_stack(running, move || done.set(Some(work())));
    match (end, result.take()) {
        (End::Returned, Some(value)) => Ok(value),
        (End::Trapped(Trap::Signal { signal, address, access }), _) => {
            Err(Outcome::Signal { process, signal, address, access })
        }
        (End::Trapped(Trap::Interrupted { address }), _) => {
            Err(interrupt::outcome(Some((process, address))))
        }
        (End::Trapped(Trap::Overflow { address }), _) => {
            Err(Outcome::StackOverflow { process, address: Some(address) })
        }
        (End::Returned | End::Unwound, _) => {
            let (message, location) = running.report.take().unwrap_or_default();
            Err(Outcome::Panicked(Crash { process, message, location }))
        }
    }
}

#[allow(unsafe_code, reason = "reads the simulation that runs on this thread")]
fn keep_own_link() {
    if let Some(running) = running() {
        // SAFETY: as in `guarded`.
        keep_link(unsafe { running.as_ref() });
    }
}

fn on_own_stack(running: &Running, work: impl FnOnce() + 'static) -> End {
    let stack = STACKS.with_borrow_mut(|stacks| {
        let arena = stacks.get_or_insert_with(|| Arena::new(STACK_BYTES, running.guard_bytes));
        arena.acquire_or_end()
    });
    let (bottom, top) = (stack.limit().get(), stack.base().get());
    let body = move |_: &Yielder<(), ()>, ()| {
        keep_own_link();
        caught(work)
    };
    let mut coroutine = Coroutine::<(), (), End, _>::with_stack(stack, body);
    running.trap.set(Some(coroutine.trap_handler()));
    running.bottom.set(bottom);
    running.top.set(top);
    running.unwinding.set(false);
    running.process.set(Some(GUEST));
    let link = running.link.get();
    let progress = coroutine.resume(());
    running.link.set(link);
    running.process.set(None);
    let CoroutineResult::Return(end) = progress else {
        unreachable!("a guest has no way to yield")
    };
    STACKS.with_borrow_mut(|stacks| {
        let arena = stacks.as_mut().expect("the arena that gave the stack");
        arena.release(coroutine.into_stack());
    });
    end
}
