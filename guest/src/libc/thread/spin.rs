//! Spin locks: they wait like mutexes, because spinning would never end.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::ffi::c_int;

use super::{
    super::system::wait::until,
    caller,
    parking::{self, Why},
};
use crate::replacement::Replacement;

/// The bit that marks a lock used by other ranks, too.
const SHARED: u32 = 1 << 31;

/// Takes the lock if it is free; otherwise returns the handle of the thread that holds it.
fn take(place: *mut u32) -> Result<(), u32> {
    // SAFETY: as below.
    if unsafe { *place } & !SHARED == 0 {
        parking::before_free_lock();
    }
    // SAFETY: the program passes a lock; other threads do not run meanwhile.
    let owner = unsafe { &mut *place };
    if *owner & !SHARED > 0 {
        return Err(*owner);
    }
    *owner |= caller().1.handle as u32;
    Ok(())
}

unsafe extern "C" fn init(place: *mut u32, shared: c_int) -> c_int {
    // SAFETY: the program passes a variable.
    unsafe { place.write(if shared == 0 { 0 } else { SHARED }) };
    0
}

unsafe extern "C" fn destroy(_place: *mut u32) -> c_int {
    0
}

unsafe extern "C" fn lock(place: *mut u32) -> c_int {
    let Err(owner) = take(place) else { return 0 };
    if owner & SHARED != 0 {
        until("pthread_spin_lock", || take(place).ok());
    } else {
        parking::wait(place as usize, &Why::here("pthread_spin_lock").held_by(owner - 1));
    }
    0
}

unsafe extern "C" fn try_lock(place: *mut u32) -> c_int {
    take(place).map_or(libc::EBUSY, |()| 0)
}

unsafe extern "C" fn unlock(place: *mut u32) -> c_int {
    // SAFETY: as in `take`.
    let shared = unsafe { *place } & SHARED;
    let next = parking::take(place as usize, 1);
    // SAFETY: as in `take`.
    unsafe { place.write(shared | next.first().map_or(0, |thread| thread + 1)) };
    parking::hand_over(next, &[place as usize]);
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("pthread_spin_init", init as *const () as usize),
        ("pthread_spin_destroy", destroy as *const () as usize),
        ("pthread_spin_trylock", try_lock as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("pthread_spin_lock", lock as *const () as usize),
        ("pthread_spin_unlock", unlock as *const () as usize),
    ]
}
