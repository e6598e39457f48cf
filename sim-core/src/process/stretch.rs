//! Reports about processes that compute for long without making a call. Nothing else happens in the
//! simulation meanwhile, and users want to know where the program is.
//!
//! A timer of processor time ticks each second. If the same process has been running since an
//! earlier tick, the signal handler makes a copy of the whole simulator process (`clone`), and the
//! copy reports where the code is. In the copy any function may be called, whatever was
//! interrupted, and a failure there does not affect the run.
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

/// Seconds of computing after which a process is reported.
const TOLD: [u32; 5] = [1, 5, 60, 600, 3600];
/// Maximum number of copies made by one simulator process.
const COPIES: u32 = 64;
/// Maximum lifetime of a copy, seconds.
const LIFE: libc::c_uint = 10;

/// The stretch that ran at the last tick, and the number of ticks it has been running.
static LAST: AtomicU64 = AtomicU64::new(0);
static TICKS: AtomicU32 = AtomicU32::new(0);
static MADE: AtomicU32 = AtomicU32::new(0);
/// What the copy reports: set by the signal handler just before the copy is made.
static PROCESS: AtomicU32 = AtomicU32::new(0);
static ADDRESS: AtomicUsize = AtomicUsize::new(0);

/// Installs `hook`, which is called in a copy of this process when a process of a simulation has
/// computed for 1, 5, 60, 600 and 3,600 seconds of processor time without a call. Only the first
/// hook is kept. A fork of this process must call this function again.
///
/// `SIGVTALRM` and its timer (`ITIMER_VIRTUAL`) are reserved for this mechanism from then on.
pub fn tell_long_stretches(hook: StretchHook) {
    HOOK.get_or_init(|| hook);
    let second = libc::timeval { tv_sec: 1, tv_usec: 0 };
    let each = libc::itimerval { it_interval: second, it_value: second };
    // SAFETY: `on_tick` does only what a signal handler may; the structure is ours.
    unsafe {
        handler::install(libc::SIGVTALRM, on_tick, libc::SA_RESTART, &[]);
        libc::setitimer(libc::ITIMER_VIRTUAL, &raw const each, ptr::null_mut());
    }
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
    let ticks = if LAST.swap(stretch, Relaxed) == stretch { TICKS.load(Relaxed) + 1 } else { 0 };
    TICKS.store(ticks, Relaxed);
    if !TOLD.contains(&ticks) || MADE.load(Relaxed) >= COPIES {
        return;
    }
    let context: *mut libc::ucontext_t = context.cast();
    // SAFETY: the context is the system's; a switch to or from the process may be half done.
    unsafe {
        if !trap.stack_ptr_in_bounds(registers::stack_pointer(context)) {
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
        let _ = panic::catch_unwind(|| hook(process, address, TICKS.load(Relaxed)));
    }
    // SAFETY: ends the copy, without handlers.
    unsafe { libc::_exit(0) }
}
