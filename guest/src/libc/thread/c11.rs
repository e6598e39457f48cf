//! The C11 thread functions: the same mechanisms under other names and with other return values.
#![allow(unsafe_code, reason = "is called by programs")]

use std::ffi::{c_int, c_void};

use super::{
    super::clock,
    caller::nothing,
    condition::{self, Condition},
    key, leave, life,
    mutex::{self, Mutex},
    parking::Why,
};
use crate::replacement::Replacement;

const BUSY: c_int = 1;
const ERROR: c_int = 2;
const NO_MEMORY: c_int = 3;
const TIMED_OUT: c_int = 4;
/// The bit of a mutex type that makes it recursive.
const RECURSIVE: c_int = 1;

/// Converts a POSIX error number to the C11 result.
fn answer(code: c_int) -> c_int {
    match code {
        0 => 0,
        libc::EBUSY => BUSY,
        libc::ENOMEM | libc::EAGAIN => NO_MEMORY,
        libc::ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    }
}

unsafe extern "C" fn create(place: *mut usize, function: usize, argument: usize) -> c_int {
    answer(life::begin(place, None, (function, argument)))
}

unsafe extern "C" fn join(handle: usize, place: *mut c_int) -> c_int {
    let mut result = 0;
    let code = life::join_as(handle, &raw mut result, Why::here("thrd_join"));
    if code == 0 && !place.is_null() {
        // SAFETY: the program passes a variable or null.
        unsafe { place.write(result as c_int) };
    }
    answer(code)
}

extern "C" fn detach(handle: usize) -> c_int {
    answer(life::detach_handle(handle))
}

extern "C" fn exit(result: c_int) -> ! {
    leave::exit(result as usize)
}

extern "C" fn equal(one: usize, other: usize) -> c_int {
    c_int::from(one == other)
}

unsafe extern "C" fn sleep(time: *const libc::timespec, left: *mut libc::timespec) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { clock::nanosleep(time, left) }
}

unsafe extern "C" fn mutex_init(place: *mut Mutex, kind: c_int) -> c_int {
    let recursive = libc::PTHREAD_MUTEX_RECURSIVE as u32;
    let kind = if kind & RECURSIVE != 0 { recursive } else { 0 };
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { mutex::init(place, &raw const kind) }
}

unsafe extern "C" fn mutex_destroy(place: *mut Mutex) {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { mutex::destroy(place) };
}

unsafe extern "C" fn mutex_lock(place: *mut Mutex) -> c_int {
    answer(mutex::lock_in(place, "mtx_lock"))
}

unsafe extern "C" fn mutex_lock_until(place: *mut Mutex, time: *const libc::timespec) -> c_int {
    answer(mutex::lock_until_in(place, (libc::CLOCK_REALTIME, time), "mtx_timedlock"))
}

unsafe extern "C" fn mutex_try_lock(place: *mut Mutex) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    answer(unsafe { mutex::try_lock(place) })
}

unsafe extern "C" fn mutex_unlock(place: *mut Mutex) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    answer(unsafe { mutex::unlock(place) })
}

unsafe extern "C" fn condition_init(place: *mut Condition) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { condition::init(place, std::ptr::null()) }
}

unsafe extern "C" fn condition_destroy(place: *mut c_void) {
    nothing(place);
}

unsafe extern "C" fn condition_wait(place: *mut Condition, mutex: *mut Mutex) -> c_int {
    answer(condition::wait_as(place, mutex, &Why::here("cnd_wait")))
}

unsafe extern "C" fn condition_wait_until(
    place: *mut Condition,
    mutex: *mut Mutex,
    time: *const libc::timespec,
) -> c_int {
    let why = Why::here("cnd_timedwait");
    let left = clock::left(libc::CLOCK_REALTIME, time);
    answer(condition::wait_for(place, mutex, why, left))
}

unsafe extern "C" fn key_create(place: *mut u32, destructor: usize) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    answer(unsafe { key::create(place, destructor) })
}

extern "C" fn key_delete(key: u32) {
    key::delete(key);
}

extern "C" fn key_set(key: u32, value: usize) -> c_int {
    answer(key::set(key, value))
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("thrd_detach", detach as *const () as usize),
        ("thrd_current", life::this as *const () as usize),
        ("thrd_equal", equal as *const () as usize),
        ("thrd_sleep", sleep as *const () as usize),
        ("mtx_init", mutex_init as *const () as usize),
        ("mtx_destroy", mutex_destroy as *const () as usize),
        ("mtx_trylock", mutex_try_lock as *const () as usize),
        ("cnd_init", condition_init as *const () as usize),
        ("cnd_destroy", condition_destroy as *const () as usize),
        ("tss_create", key_create as *const () as usize),
        ("tss_delete", key_delete as *const () as usize),
        ("tss_set", key_set as *const () as usize),
        ("tss_get", key::get as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("thrd_create", create as *const () as usize),
        ("thrd_join", join as *const () as usize),
        ("thrd_exit", exit as *const () as usize),
        ("mtx_lock", mutex_lock as *const () as usize),
        ("mtx_timedlock", mutex_lock_until as *const () as usize),
        ("mtx_unlock", mutex_unlock as *const () as usize),
        ("cnd_wait", condition_wait as *const () as usize),
        ("cnd_timedwait", condition_wait_until as *const () as usize),
        ("cnd_signal", condition::signal as *const () as usize),
        ("cnd_broadcast", condition::broadcast as *const () as usize),
    ]
}
