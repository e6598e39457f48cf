//! Reports about processes that compute for long without making a call. Nothing else happens in the
//! simulation meanwhile, and users want to know where the program is.
//!
//! A timer of processor time ticks fifty times a second, at first. If the same process has been running since an
//! earlier tick, it may be in a loop that waits for something: the function of
//! [`examine_long_stretches`] can find out. If the process goes on for longer, the signal handler makes
//! a copy of the whole simulator process (`clone`), and the copy reports where the code is. In the copy
//! any function may be called, whatever was interrupted, and a failure there does not affect the run.
#![allow(unsafe_code, reason = "installs a signal handler and copies this process")]

use std::{
    panic, ptr,
    sync::{
        OnceLock,
        atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
};

use super::{handler, registers, running::running};
use crate::id::ProcessId;

/// A function that reports a long computation: the process, the address of its next instruction,
/// and the seconds of processor time it has computed at least since its last call.
pub type StretchHook = fn(ProcessId, usize, u32);

static HOOK: OnceLock<StretchHook> = OnceLock::new();

/// A function that examines a process of foreign code that has run for long without a call; gets the
/// context that a signal has interrupted, as the third argument of a signal handler. It is called on the
/// alternate stack and may use only what is allowed in a signal handler.
pub type ExamineHook = unsafe fn(*mut libc::c_void);

static EXAMINE: OnceLock<ExamineHook> = OnceLock::new();

/// Milliseconds of processor time between two ticks of the timer.
const INTERVAL: u32 = 20;
/// The same once a process was found in a loop that waits: a program that waits so once does so often.
const SHORT_INTERVAL: u32 = 4;
/// Seconds of computing after which a process is reported.
const TOLD: [u32; 5] = [1, 5, 60, 600, 3600];
/// Maximum number of copies made by one simulator process.
const COPIES: u32 = 64;
/// Maximum lifetime of a copy, seconds.
const LIFE: libc::c_uint = 10;

/// The interval of the timer.
static PRESENT: AtomicU32 = AtomicU32::new(0);
/// The stretch that ran at the last tick, and the milliseconds for which it has been running at least.
static LAST: AtomicU64 = AtomicU64::new(0);
static RUN: AtomicU32 = AtomicU32::new(0);
/// The milliseconds after which it is examined next.
static NEXT: AtomicU32 = AtomicU32::new(0);
static MADE: AtomicU32 = AtomicU32::new(0);
/// What the copy reports: set by the signal handler just before the copy is made.
static PROCESS: AtomicU32 = AtomicU32::new(0);
static ADDRESS: AtomicUsize = AtomicUsize::new(0);

/// Sets the function that is called in a copy of this process when a process of a simulation has computed for
/// 1, 5, 60, 600 and 3,600 seconds of processor time without a call, where [`watch_long_stretches`] was called. Only the
/// first one is kept.
pub fn tell_long_stretches(hook: StretchHook) {
    HOOK.get_or_init(|| hook);
}

/// Sets the function that examines processes of foreign code that have run for long without a call, where
/// [`watch_long_stretches`] was called: after 20, 40, 80 ms of processor time, and so on. Only the
/// first one is kept.
pub fn examine_long_stretches(hook: ExamineHook) {
    EXAMINE.get_or_init(|| hook);
}

/// Lets the function of [`examine_long_stretches`] be called earlier from now on. Safe to call in a signal
/// handler.
pub fn examine_sooner() {
    if PRESENT.load(Relaxed) == INTERVAL {
        set_timer(SHORT_INTERVAL);
    }
}

/// Lets processes be examined and reported that compute for long without a call, by the functions of
/// [`examine_long_stretches`] and [`tell_long_stretches`]. A fork of this process must call this function
/// again.
///
/// `SIGVTALRM` and its timer (`ITIMER_VIRTUAL`) are reserved for this mechanism from then on.
pub fn watch_long_stretches() {
    // SAFETY: `on_tick` does only what a signal handler may.
    unsafe { handler::install(libc::SIGVTALRM, on_tick, libc::SA_RESTART, &[]) };
    set_timer(INTERVAL);
}

fn set_timer(milliseconds: u32) {
    PRESENT.store(milliseconds, Relaxed);
    let usec = libc::suseconds_t::from(milliseconds) * 1000;
    let tick = libc::timeval { tv_sec: 0, tv_usec: usec };
    let each = libc::itimerval { it_interval: tick, it_value: tick };
    // SAFETY: the structure is ours.
    unsafe { libc::setitimer(libc::ITIMER_VIRTUAL, &raw const each, ptr::null_mut()) };
}

extern "C" fn on_tick(
    _signal: libc::c_int,
    _info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    let Some(running) = running() else { return };
    // SAFETY: alive while the pointer is set, and only this thread writes it.
    let running = unsafe { running.as_ref() };
    let stretch = running.stretch.get();
    let (Some(process), Some(trap)) = (running.process.get(), running.trap.get()) else { return };
    let interval = PRESENT.load(Relaxed);
    if LAST.swap(stretch, Relaxed) != stretch {
        RUN.store(0, Relaxed);
        NEXT.store(interval, Relaxed);
        return;
    }
    let before = RUN.fetch_add(interval, Relaxed);
    let run = before + interval;
    let context: *mut libc::ucontext_t = context.cast();
    // SAFETY: the context is the system's; a switch to or from the process may be half done.
    unsafe {
        if !trap.stack_ptr_in_bounds(registers::stack_pointer(context)) {
            return;
        }
        if run >= NEXT.load(Relaxed)
            && running.foreign
            && let Some(examine) = EXAMINE.get()
        {
            NEXT.store(run.saturating_mul(2), Relaxed);
            examine(context.cast());
        }
        let is_told = TOLD.iter().any(|told| before < told * 1000 && run >= told * 1000);
        if !is_told || HOOK.get().is_none() || MADE.load(Relaxed) >= COPIES {
            return;
        }
        MADE.fetch_add(1, Relaxed);
        PROCESS.store(process.0, Relaxed);
        ADDRESS.store(registers::address(context), Relaxed);
        // Calls `clone` by number: the C library's `fork` would run handlers registered with
        // `pthread_atfork`.
        if libc::syscall(libc::SYS_clone, 0, 0, 0, 0, 0) == 0 {
            registers::divert(context, tell);
        }
    }
}

/// Runs in the copy: calls the hook and exits.
extern "C" fn tell() -> ! {
    // SAFETY: calls of the system that change this copy alone.
    unsafe {
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
        let deadly = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGABRT, libc::SIGALRM];
        for signal in deadly {
            libc::signal(signal, libc::SIG_DFL);
        }
        libc::alarm(LIFE);
    }
    let (process, address) = (ProcessId(PROCESS.load(Relaxed)), ADDRESS.load(Relaxed));
    if let Some(hook) = HOOK.get() {
        let _ = panic::catch_unwind(|| hook(process, address, RUN.load(Relaxed) / 1000));
    }
    // SAFETY: ends the copy, without handlers.
    unsafe { libc::_exit(0) }
}
