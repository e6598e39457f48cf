//! Semaphores: those of the threads of a rank, and named or shared ones of all ranks.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::{ffi::c_int, time::Duration};

use super::{
    super::{clock, errno::fails, system::wait::within},
    parking::{self, Why},
};
use crate::replacement::Replacement;

/// The value of a semaphore, where glibc stores it, for semaphores opened by other processes.
type Semaphore = u32;

const VALUE_MAX: u32 = i32::MAX as u32;

/// Index of the word in which glibc stores whether it is shared, and the value for shared ones.
const SHARED: (usize, u32) = (2, 128);

/// Reports whether other ranks may use it.
fn is_shared(place: *mut Semaphore) -> bool {
    // SAFETY: the program passes a semaphore.
    unsafe { place.add(SHARED.0).read() == SHARED.1 }
}

/// Decrements the semaphore if it is positive.
fn take(place: *mut Semaphore) -> bool {
    // SAFETY: the program passes a semaphore; other threads do not run meanwhile.
    let value = unsafe { &mut *place };
    let taken = *value > 0;
    *value -= u32::from(taken);
    taken
}

/// Waits for the semaphore; a posting thread hands it over.
fn wait_as(place: *mut Semaphore, why: &Why) -> c_int {
    if is_shared(place) {
        let most = why.within;
        let taken = within("sem_wait", most, || take(place).then_some(()));
        return taken.map_or_else(|| fails(libc::ETIMEDOUT), |()| 0);
    }
    match take(place) || parking::wait(place as usize, why) {
        true => 0,
        false => fails(libc::ETIMEDOUT),
    }
}

fn wait_for(place: *mut Semaphore, why: Why, left: Option<Duration>) -> c_int {
    match left {
        Some(left) => wait_as(place, &why.within(Some(left))),
        None => fails(libc::EINVAL),
    }
}

unsafe extern "C" fn init(place: *mut Semaphore, shared: c_int, value: u32) -> c_int {
    if value > VALUE_MAX {
        return fails(libc::EINVAL);
    }
    // SAFETY: the program passes a variable of four words.
    unsafe {
        place.cast::<[u64; 4]>().write([u64::from(value), 0, 0, 0]);
        if shared != 0 {
            place.add(SHARED.0).write(SHARED.1);
        }
    }
    0
}

unsafe extern "C" fn destroy(_place: *mut Semaphore) -> c_int {
    0
}

unsafe extern "C" fn wait(place: *mut Semaphore) -> c_int {
    if take(place) { 0 } else { wait_as(place, &Why::here("sem_wait")) }
}

unsafe extern "C" fn try_wait(place: *mut Semaphore) -> c_int {
    if take(place) { 0 } else { fails(libc::EAGAIN) }
}

unsafe extern "C" fn wait_until(place: *mut Semaphore, time: *const libc::timespec) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { wait_until_on(place, libc::CLOCK_REALTIME, time) }
}

unsafe extern "C" fn wait_until_on(
    place: *mut Semaphore,
    clock: libc::clockid_t,
    time: *const libc::timespec,
) -> c_int {
    if take(place) {
        return 0;
    }
    let why = Why::here("sem_timedwait");
    wait_for(place, why, clock::left(clock, time))
}

unsafe extern "C" fn post(place: *mut Semaphore) -> c_int {
    if parking::wake(place as usize, 1) == 1 {
        return 0;
    }
    // SAFETY: as in `take`.
    let value = unsafe { &mut *place };
    if *value == VALUE_MAX {
        return fails(libc::EOVERFLOW);
    }
    *value += 1;
    0
}

unsafe extern "C" fn value(place: *const Semaphore, value: *mut c_int) -> c_int {
    // SAFETY: the program passes a semaphore and a variable.
    unsafe { value.write(*place as c_int) };
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("sem_init", init as *const () as usize),
        ("sem_destroy", destroy as *const () as usize),
        ("sem_trywait", try_wait as *const () as usize),
        ("sem_getvalue", value as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("sem_wait", wait as *const () as usize),
        ("sem_timedwait", wait_until as *const () as usize),
        ("sem_clockwait", wait_until_on as *const () as usize),
        ("sem_post", post as *const () as usize),
    ]
}
