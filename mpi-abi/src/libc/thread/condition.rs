//! Conditions.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::{ffi::c_int, time::Duration};

use super::{
    super::{Replacement, clock},
    mutex::Mutex,
    nothing,
    parking::{self, Why},
};

/// `pthread_cond_t`: all zeros is the standard one. Its attributes are the same number.
#[repr(C)]
pub(super) struct Condition {
    clock: libc::clockid_t,
}

/// Gives up the mutex and waits for a signal; then the mutex is taken again.
pub(super) fn wait_as(place: *mut Condition, mutex: *mut Mutex, why: &Why) -> c_int {
    // SAFETY: the program passes a mutex, which threads use one after another.
    let own = || unsafe { &mut *mutex };
    if !own().may_unlock() {
        return libc::EPERM;
    }
    parking::enter(place as usize);
    let count = own().release();
    let woken = parking::sleep(place as usize, why);
    own().lock_as(|| why.again());
    own().set_count(count);
    if woken { 0 } else { libc::ETIMEDOUT }
}

pub(super) fn wait_for(
    place: *mut Condition,
    mutex: *mut Mutex,
    why: Why,
    left: Option<Duration>,
) -> c_int {
    match left {
        Some(left) => wait_as(place, mutex, &why.within(Some(left))),
        None => libc::EINVAL,
    }
}

extern "C" fn wait(place: *mut Condition, mutex: *mut Mutex) -> c_int {
    wait_as(place, mutex, &Why::here("pthread_cond_wait"))
}

extern "C" fn wait_until(
    place: *mut Condition,
    mutex: *mut Mutex,
    time: *const libc::timespec,
) -> c_int {
    // SAFETY: the program passes a condition.
    let clock = unsafe { (*place).clock };
    wait_until_on(place, mutex, clock, time)
}

extern "C" fn wait_until_on(
    place: *mut Condition,
    mutex: *mut Mutex,
    clock: libc::clockid_t,
    time: *const libc::timespec,
) -> c_int {
    let why = Why::here("pthread_cond_timedwait");
    wait_for(place, mutex, why, clock::left(clock, time))
}

pub(super) extern "C" fn signal(place: *mut Condition) -> c_int {
    parking::wake(place as usize, 1);
    0
}

pub(super) extern "C" fn broadcast(place: *mut Condition) -> c_int {
    parking::wake(place as usize, usize::MAX);
    0
}

pub(super) extern "C" fn init(place: *mut Condition, attributes: *const libc::clockid_t) -> c_int {
    // SAFETY: the program passes attributes or null.
    let clock = unsafe { attributes.as_ref() }.map_or(libc::CLOCK_REALTIME, |clock| *clock);
    // SAFETY: the program passes a variable.
    unsafe { place.write(Condition { clock }) };
    0
}

extern "C" fn init_attributes(place: *mut libc::clockid_t) -> c_int {
    set_clock(place, libc::CLOCK_REALTIME)
}

extern "C" fn set_clock(place: *mut libc::clockid_t, clock: libc::clockid_t) -> c_int {
    if !matches!(clock, libc::CLOCK_REALTIME | libc::CLOCK_MONOTONIC) {
        return libc::EINVAL;
    }
    // SAFETY: the program passes attributes.
    unsafe { place.write(clock) };
    0
}

extern "C" fn get_clock(place: *const libc::clockid_t, clock: *mut libc::clockid_t) -> c_int {
    // SAFETY: the program passes attributes and a variable.
    unsafe { clock.write(*place) };
    0
}

extern "C" fn set_shared(_place: *mut c_int, _value: c_int) -> c_int {
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("pthread_cond_init", init as *const () as usize),
        ("pthread_cond_destroy", nothing as *const () as usize),
        ("pthread_condattr_init", init_attributes as *const () as usize),
        ("pthread_condattr_destroy", nothing as *const () as usize),
        ("pthread_condattr_setclock", set_clock as *const () as usize),
        ("pthread_condattr_getclock", get_clock as *const () as usize),
        ("pthread_condattr_setpshared", set_shared as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("pthread_cond_wait", wait as *const () as usize),
        ("pthread_cond_timedwait", wait_until as *const () as usize),
        ("pthread_cond_clockwait", wait_until_on as *const () as usize),
        ("pthread_cond_signal", signal as *const () as usize),
        ("pthread_cond_broadcast", broadcast as *const () as usize),
    ]
}
