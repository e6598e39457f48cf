//! Stops simulations from outside: a signal handler makes a request, and the engine stops between
//! two events.
//!
//! A process that does not make another call cannot be stopped between events. So the first signal
//! also starts a timer, and if that expires while a process runs, the process is abandoned and the
//! run ends with [`Outcome::Interrupted`](crate::Outcome). A third signal from outside has the
//! system's default effect.

use std::sync::{
    OnceLock,
    atomic::{AtomicU32, AtomicUsize, Ordering},
};

use crate::{
    id::ProcessId,
    outcome::{Limit, Outcome},
    time::SimTime,
};

/// Number of requests since the last [`clear`].
static REQUESTS: AtomicU32 = AtomicU32::new(0);

/// Asks the simulations of this process to stop. Safe to call in a signal handler.
///
/// Returns the number of requests before this one.
pub fn request() -> u32 {
    REQUESTS.fetch_add(1, Ordering::Relaxed)
}

/// Reports whether the simulations of this process are asked to stop.
#[inline]
pub fn requested() -> bool {
    REQUESTS.load(Ordering::Relaxed) > 0
}

/// Withdraws all requests.
pub fn clear() {
    REQUESTS.store(0, Ordering::Relaxed);
    EXCEEDED.store(0, Ordering::Relaxed);
}

/// Number of times that this process was found to use too much memory. The first of them made a request.
static EXCEEDED: AtomicU32 = AtomicU32::new(0);

/// Bytes that were noted since the last look.
static GROWN: AtomicUsize = AtomicUsize::new(0);

/// Number of noted bytes after which the function of [`watch_memory`] is called.
const GROWTH: usize = 64 << 20;

/// Notes that this process allocates a large block, for simulations that store much in few steps: whenever such
/// blocks add up to 64 MiB the function of [`watch_memory`] is called. An allocator may call this.
#[cold]
pub fn note_allocation(bytes: usize) {
    if GROWN.fetch_add(bytes, Ordering::Relaxed) + bytes < GROWTH {
        return;
    }
    GROWN.store(0, Ordering::Relaxed);
    look_at_memory();
}

/// Asks the simulations of this process to stop if it uses too much memory. Returns how often that was found;
/// 0 if it is not so now. Safe to call in a signal handler.
pub(crate) fn look_at_memory() -> u32 {
    if !memory_is_exceeded() {
        return 0;
    }
    let before = EXCEEDED.fetch_add(1, Ordering::Relaxed);
    if before == 0 {
        request();
    }
    before + 1
}

/// Returns the outcome of a run that was asked to stop. `running` is the process that was abandoned for it,
/// with the address of its next instruction.
#[cold]
pub(crate) fn outcome(running: Option<(ProcessId, usize)>) -> Outcome {
    match EXCEEDED.load(Ordering::Relaxed) {
        0 => Outcome::Interrupted { running },
        _ => Outcome::LimitReached(Limit::Memory),
    }
}

/// A function that reports whether this process has used more memory than it may.
pub type MemoryHook = fn() -> bool;

static MEMORY: OnceLock<MemoryHook> = OnceLock::new();

/// Sets the function that simulations of this process call every [`STEPS_BETWEEN_LOOKS`] steps: once it
/// returns `true` the run ends with [`Limit::Memory`]. It decides nothing else about
/// a run. It may be called in a signal handler (see [`limit_growth`]). Only the first call has an effect.
pub fn watch_memory(hook: MemoryHook) {
    MEMORY.get_or_init(|| hook);
}

/// A function that is told the simulated time and the number of events of the simulation that runs.
pub type ProgressHook = fn(SimTime, u64);

static PROGRESS: OnceLock<ProgressHook> = OnceLock::new();

/// Sets the function that simulations of this process call every [`STEPS_BETWEEN_LOOKS`] steps, for users who
/// wait. It has no effect on a run. Only the first call has an effect.
pub fn tell_progress(hook: ProgressHook) {
    PROGRESS.get_or_init(|| hook);
}

/// Calls the function of [`tell_progress`].
#[cold]
pub(crate) fn progress(now: SimTime, events: u64) {
    if let Some(hook) = PROGRESS.get() {
        hook(now, events);
    }
}

/// Number of events and resumptions of processes between two calls of the function of [`watch_memory`].
pub const STEPS_BETWEEN_LOOKS: u32 = 2048;

/// Reports whether the function of [`watch_memory`] finds that this process uses too much memory.
#[cold]
pub(crate) fn memory_is_exceeded() -> bool {
    MEMORY.get().is_some_and(|hook| hook())
}

pub use crate::process::{
    ExamineHook, GROWTH_SIGNAL, StretchHook, after, examine_long_stretches, examine_sooner,
    limit_growth, stop_at, tell_long_stretches, watch_long_stretches,
};
