//! Looks at the memory of this process while its simulations run, whatever code runs: a process may touch more
//! memory between two calls than there is.
#![allow(unsafe_code, reason = "creates a timer and changes the interrupted context")]

use std::{
    mem::MaybeUninit,
    ptr,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use super::{handler, trap::abandon};
use crate::interrupt;

/// Processor time between two looks, in nanoseconds: a processor touches 100 MB of new memory in it.
const INTERVAL: libc::c_long = 20_000_000;

/// Number of looks that find too much memory before the process that runs is abandoned. Until then it
/// may come to its next call.
const PATIENCE: u32 = 3;

/// The signal of the timer: one at which debuggers do not stop, and which means nothing to a process that handles
/// no out-of-band data of sockets.
pub const GROWTH_SIGNAL: libc::c_int = libc::SIGURG;

/// The process that has the timer: a fork has none.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// Calls the function of [`watch_memory`](crate::interrupt::watch_memory) each 20 ms of processor time, too, in a signal handler: once it
/// returns `true` the simulations of this process are asked to stop, and end with
/// [`Limit::Memory`](crate::Limit). A fork of this process must call this function again.
///
/// [`GROWTH_SIGNAL`] is reserved for this mechanism from then on. Where no handler may run it is blocked.
pub fn limit_growth() {
    let own = std::process::id();
    if OWNER.swap(own, Relaxed) == own {
        return;
    }
    let interval = libc::timespec { tv_sec: 0, tv_nsec: INTERVAL };
    let each = libc::itimerspec { it_interval: interval, it_value: interval };
    // Handlers that look at the process that runs come after this one. They would find this one.
    let held = [libc::SIGALRM, libc::SIGVTALRM];
    // SAFETY: `on_tick` does only what a signal handler may; the structures are ours. Without a timer the
    // engine looks at memory between calls only.
    unsafe {
        handler::install(GROWTH_SIGNAL, on_tick, libc::SA_RESTART, &held);
        let mut event = MaybeUninit::<libc::sigevent>::zeroed().assume_init();
        event.sigev_notify = libc::SIGEV_SIGNAL;
        event.sigev_signo = GROWTH_SIGNAL;
        let mut timer: libc::timer_t = ptr::null_mut();
        if libc::timer_create(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut event, &raw mut timer) == 0 {
            libc::timer_settime(timer, 0, &raw const each, ptr::null_mut());
        }
    }
}

extern "C" fn on_tick(
    _signal: libc::c_int,
    _info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    if interrupt::look_at_memory() > PATIENCE {
        // SAFETY: the context is the system's.
        unsafe { abandon(context.cast()) };
    }
}
