//! Barriers of threads.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::ffi::{c_int, c_void};

use super::{
    super::Replacement,
    nothing,
    parking::{self, Why},
};

/// `pthread_barrier_t`.
#[repr(C)]
struct Barrier {
    threads: u32,
    arrived: u32,
}

/// What the last thread to arrive is answered.
const SERIAL: c_int = libc::PTHREAD_BARRIER_SERIAL_THREAD;

extern "C" fn init(place: *mut Barrier, _attributes: *const c_void, threads: u32) -> c_int {
    if threads == 0 {
        return libc::EINVAL;
    }
    // SAFETY: the program passes a variable.
    unsafe { place.write(Barrier { threads, arrived: 0 }) };
    0
}

extern "C" fn destroy(place: *mut Barrier) -> c_int {
    // SAFETY: the program passes a barrier.
    let arrived = unsafe { (*place).arrived };
    if arrived == 0 { 0 } else { libc::EBUSY }
}

extern "C" fn wait(place: *mut Barrier) -> c_int {
    // SAFETY: the program passes a barrier; other threads do not run meanwhile.
    let barrier = unsafe { &mut *place };
    if barrier.arrived + 1 >= barrier.threads {
        barrier.arrived = 0;
        parking::wake(place as usize, usize::MAX);
        return SERIAL;
    }
    barrier.arrived += 1;
    parking::wait(place as usize, &Why::here("pthread_barrier_wait"));
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("pthread_barrier_init", init as *const () as usize),
        ("pthread_barrier_destroy", destroy as *const () as usize),
        ("pthread_barrierattr_init", nothing as *const () as usize),
        ("pthread_barrierattr_destroy", nothing as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![("pthread_barrier_wait", wait as *const () as usize)]
}
