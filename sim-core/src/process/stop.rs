//! Signals that ask the running simulation to stop.
#![allow(unsafe_code, reason = "installs a signal handler and changes the interrupted context")]

use std::{ptr, time::Duration};

use super::{handler, trap::abandon};
use crate::interrupt;

/// Time a process may run on after the first request before it is abandoned.
const GRACE: Duration = Duration::from_millis(300);

/// Number of requests from outside after which the system's default action takes place.
const PATIENCE: u32 = 2;

/// Installs a handler: `signal`, such as `SIGINT`, then asks the simulations of this process to
/// stop.
///
/// `SIGALRM` and its timer (`ITIMER_REAL`) are reserved for this mechanism from then on.
pub fn stop_at(signal: i32) {
    handle(signal);
    handle(libc::SIGALRM);
}

/// Asks the simulations of this process to stop when `time` has passed on the host's clock.
pub fn after(time: Duration) {
    handle(libc::SIGALRM);
    arm(time.max(Duration::from_micros(1)));
}

fn handle(signal: i32) {
    // SAFETY: `on_request` does only what a signal handler may.
    unsafe { handler::install(signal, on_request, libc::SA_RESTART, &[]) };
}

fn arm(time: Duration) {
    let value = libc::timeval {
        tv_sec: time.as_secs() as libc::time_t,
        tv_usec: libc::suseconds_t::from(time.subsec_micros()),
    };
    let once =
        libc::itimerval { it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 }, it_value: value };
    // SAFETY: the structure is ours.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const once, ptr::null_mut()) };
}

extern "C" fn on_request(
    signal: libc::c_int,
    _info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    let before = if signal == libc::SIGALRM && interrupt::requested() {
        // SAFETY: the context is the system's.
        unsafe { abandon(context.cast()) };
        1
    } else {
        interrupt::request()
    };
    if before >= PATIENCE {
        // SAFETY: restores the default action and repeats the signal; both are allowed here.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
    arm(GRACE);
}
