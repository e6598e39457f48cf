//! System calls by number: waiting at an address, used by C++20 atomics, and queries about the
//! rank's process.
#![allow(unsafe_code, reason = "is called by programs")]

use std::{
    ffi::{c_int, c_long, c_uint, c_void},
    time::Duration,
};

use super::{
    super::{clock, entropy, errno::fails, process, signal, string},
    affinity, attribute,
    caller::caller,
    parking::{self, Why},
};
use crate::replacement::Replacement;

/// Mask of the futex operation without its flags.
const OPERATION: c_int = 127;

fn failed(code: c_int) -> c_long {
    c_long::from(fails(code))
}

/// Waits while a word holds a value. Returns false on a timeout.
pub(super) fn wait_at(place: *const u32, value: u32, why: &Why) -> Option<bool> {
    // SAFETY: the program passes a variable.
    let present = unsafe { place.read() };
    (present == value).then(|| parking::wait(place as usize, why))
}

fn wait(place: *const u32, value: u32, within: Option<Duration>) -> c_long {
    match wait_at(place, value, &Why::here("atomic wait (futex)").within(within)) {
        Some(true) => 0,
        Some(false) => failed(libc::ETIMEDOUT),
        None => failed(libc::EAGAIN),
    }
}

fn futex(place: *const u32, operation: c_int, value: u32, time: *const libc::timespec) -> c_long {
    let real = operation & libc::FUTEX_CLOCK_REALTIME != 0;
    match operation & OPERATION {
        libc::FUTEX_WAIT => wait(place, value, clock::duration(time)),
        libc::FUTEX_WAIT_BITSET => {
            let clock = if real { libc::CLOCK_REALTIME } else { libc::CLOCK_MONOTONIC };
            let within = (!time.is_null()).then(|| clock::left(clock, time)).flatten();
            wait(place, value, within)
        }
        libc::FUTEX_WAKE | libc::FUTEX_WAKE_BITSET => {
            parking::wake(place as usize, value as usize) as c_long
        }
        _ => failed(libc::ENOSYS),
    }
}

/// Implements `syscall`; calls that do not concern the rank alone are passed on to the system.
extern "C" fn system_call(
    number: c_long,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
) -> c_long {
    match number {
        libc::SYS_futex => futex(a as *const u32, b as c_int, c as u32, d as *const libc::timespec),
        libc::SYS_exit_group | libc::SYS_exit => process::exit_at_once(a as c_int),
        libc::SYS_getpid => c_long::from(string::process_of(caller().0)),
        libc::SYS_gettid => c_long::from(attribute::system_number()),
        // SAFETY: the program vouches for the arguments, which are passed on.
        libc::SYS_sched_getaffinity => {
            match unsafe { affinity::get(a as c_int, b, c as *mut u8) } {
                // The system returns the size of its set.
                0 => b.min(affinity::SET) as c_long,
                failed => c_long::from(failed),
            }
        }
        libc::SYS_sched_setaffinity => {
            // SAFETY: as above.
            c_long::from(unsafe { affinity::set(a as c_int, b, c as *const u8) })
        }
        libc::SYS_getcpu => {
            // SAFETY: as above.
            c_long::from(unsafe { affinity::place(a as *mut c_uint, b as *mut c_uint) })
        }
        // SAFETY: the program vouches for the arguments, which are passed on.
        libc::SYS_getrandom => {
            (unsafe { entropy::getrandom(a as *mut c_void, b, c as c_uint) }) as c_long
        }
        libc::SYS_kill | libc::SYS_tkill => c_long::from(signal::kill(a as c_int, b as c_int)),
        libc::SYS_tgkill => c_long::from(signal::kill(a as c_int, c as c_int)),
        // SAFETY: the arguments are passed on unchanged.
        _ => unsafe { libc::syscall(number, a, b, c, d, e, f) },
    }
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![("syscall", system_call as *const () as usize)]
}
