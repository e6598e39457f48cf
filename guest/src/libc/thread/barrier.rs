//! Barriers of threads (`pthread_barrier_t`).
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::ffi::c_int;

use super::{
    super::system::wait::until,
    parking::{self, Why},
};
use crate::replacement::Replacement;

/// `pthread_barrier_t` as this module stores it.
#[repr(C)]
struct Barrier {
    threads: u32,
    arrived: u32,
    /// Whether threads of other ranks use it, too.
    shared: u32,
    /// Number of completed rounds.
    rounds: u32,
}

/// The return value for the last thread to arrive.
const SERIAL: c_int = libc::PTHREAD_BARRIER_SERIAL_THREAD;

unsafe extern "C" fn init(place: *mut Barrier, attributes: *const c_int, threads: u32) -> c_int {
    if threads == 0 {
        return libc::EINVAL;
    }
    // SAFETY: the program passes attributes, which are those of glibc, or null.
    let shared = unsafe { attributes.as_ref() }.map_or(0, |shared| u32::from(*shared != 0));
    // SAFETY: the program passes a variable.
    unsafe { place.write(Barrier { threads, arrived: 0, shared, rounds: 0 }) };
    0
}

unsafe extern "C" fn destroy(place: *mut Barrier) -> c_int {
    // SAFETY: the program passes a barrier.
    let arrived = unsafe { (*place).arrived };
    if arrived == 0 { 0 } else { libc::EBUSY }
}

unsafe extern "C" fn wait(place: *mut Barrier) -> c_int {
    // SAFETY: the program passes a barrier; other threads do not run meanwhile.
    let barrier = unsafe { &mut *place };
    if barrier.arrived + 1 >= barrier.threads {
        barrier.arrived = 0;
        barrier.rounds = barrier.rounds.wrapping_add(1);
        parking::wake(place as usize, usize::MAX);
        return SERIAL;
    }
    barrier.arrived += 1;
    if barrier.shared != 0 {
        let round = barrier.rounds;
        until("pthread_barrier_wait", || {
            // SAFETY: as above; other ranks may write it meanwhile.
            let rounds = unsafe { (&raw const (*place).rounds).read_volatile() };
            (rounds != round).then_some(())
        });
    } else {
        parking::wait(place as usize, &Why::here("pthread_barrier_wait"));
    }
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("pthread_barrier_init", init as *const () as usize),
        ("pthread_barrier_destroy", destroy as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![("pthread_barrier_wait", wait as *const () as usize)]
}
