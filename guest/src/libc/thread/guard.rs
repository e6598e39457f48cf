//! Initialisation of C++ local statics: one thread constructs, the others wait.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::ffi::c_int;

use super::{
    caller::caller,
    parking::{self, Why},
};
use crate::replacement::Replacement;

/// A guard variable; the compiler reads the first byte, the rest belongs to the run-time system.
#[repr(C)]
struct Guard {
    done: u8,
    /// Handle of the thread that constructs.
    by: u32,
}

fn at<'a>(place: *mut Guard) -> &'a mut Guard {
    // SAFETY: the compiler passes eight bytes; no two borrows of them are used at once.
    unsafe { &mut *place }
}

/// Implements `__cxa_guard_acquire`: returns 1 if the caller is to construct.
unsafe extern "C" fn acquire(place: *mut Guard) -> c_int {
    loop {
        let guard = at(place);
        if guard.done != 0 {
            return 0;
        }
        if guard.by == 0 {
            guard.by = caller().1.handle as u32;
            return 1;
        }
        let why = Why::here("__cxa_guard_acquire").held_by(guard.by - 1);
        parking::wait(place as usize, &why);
    }
}

fn end(place: *mut Guard, done: u8) {
    let guard = at(place);
    (guard.done, guard.by) = (done, 0);
    parking::wake(place as usize, usize::MAX);
}

unsafe extern "C" fn release(place: *mut Guard) {
    end(place, 1);
}

unsafe extern "C" fn abort(place: *mut Guard) {
    end(place, 0);
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("__cxa_guard_release", release as *const () as usize),
        ("__cxa_guard_abort", abort as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![("__cxa_guard_acquire", acquire as *const () as usize)]
}
