//! Condition variables (`pthread_cond_t`).
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::{ffi::c_int, time::Duration};

use super::{
    super::{clock, system::wait::within},
    caller::nothing,
    mutex::Mutex,
    parking::{self, Why},
};
use crate::replacement::Replacement;

/// `pthread_cond_t`; all zeros are a condition with default attributes.
#[repr(C)]
pub(super) struct Condition {
    clock: libc::clockid_t,
    /// Whether other ranks use it, too.
    shared: u32,
    /// Number of signals sent, if other ranks use it.
    signals: u32,
}

/// The bit of glibc's condition attributes that makes it shared with other processes.
const SHARED_ATTRIBUTE: u32 = 1;

/// Releases the mutex, waits for a signal, and takes the mutex again.
pub(super) fn wait_as(place: *mut Condition, mutex: *mut Mutex, why: &Why) -> c_int {
    // SAFETY: the program passes a mutex, which threads use one after another.
    let own = || unsafe { &mut *mutex };
    if !own().may_unlock() {
        return libc::EPERM;
    }
    // SAFETY: the program passes a condition.
    let condition = || unsafe { &mut *place };
    let (count, woken);
    if condition().shared == 0 {
        parking::enter(place as usize);
        count = own().release();
        woken = parking::sleep(place as usize, why);
    } else {
        let seen = condition().signals;
        count = own().release();
        let signalled = || (condition().signals != seen).then_some(());
        woken = within(why.call, why.within, signalled).is_some();
    }
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

unsafe extern "C" fn wait(place: *mut Condition, mutex: *mut Mutex) -> c_int {
    wait_as(place, mutex, &Why::here("pthread_cond_wait"))
}

unsafe extern "C" fn wait_until(
    place: *mut Condition,
    mutex: *mut Mutex,
    time: *const libc::timespec,
) -> c_int {
    // SAFETY: the program passes a condition.
    let clock = unsafe { (*place).clock };
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { wait_until_on(place, mutex, clock, time) }
}

unsafe extern "C" fn wait_until_on(
    place: *mut Condition,
    mutex: *mut Mutex,
    clock: libc::clockid_t,
    time: *const libc::timespec,
) -> c_int {
    let why = Why::here("pthread_cond_timedwait");
    wait_for(place, mutex, why, clock::left(clock, time))
}

/// Wakes waiting threads, at most `most`; all of them if several ranks use the condition, which the
/// standard allows.
fn wake(place: *mut Condition, most: usize) {
    // SAFETY: the program passes a condition.
    let condition = unsafe { &mut *place };
    if condition.shared != 0 {
        condition.signals = condition.signals.wrapping_add(1);
    } else {
        parking::wake(place as usize, most);
    }
}

pub(super) unsafe extern "C" fn signal(place: *mut Condition) -> c_int {
    wake(place, 1);
    0
}

pub(super) unsafe extern "C" fn broadcast(place: *mut Condition) -> c_int {
    wake(place, usize::MAX);
    0
}

pub(super) unsafe extern "C" fn init(place: *mut Condition, attributes: *const u32) -> c_int {
    // SAFETY: the program passes attributes or null.
    let attributes = unsafe { attributes.as_ref() }.map_or(0, |attributes| *attributes);
    let clock = (attributes >> 1 & 1) as libc::clockid_t;
    let shared = attributes & SHARED_ATTRIBUTE;
    // SAFETY: the program passes a variable.
    unsafe { place.write(Condition { clock, shared, signals: 0 }) };
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("pthread_cond_init", init as *const () as usize),
        ("pthread_cond_destroy", nothing as *const () as usize),
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
