//! One-time initialisation: `pthread_once`, on which `std::call_once` is based.
#![allow(unsafe_code, reason = "is called by programs and calls their functions")]

use std::ffi::{c_int, c_void};

use super::{
    caller::caller,
    parking::{self, Why},
};
use crate::{loader::symbol::host_symbol, replacement::Replacement};

/// State after completion, as glibc writes it; 0 is the initial state, other values identify the
/// thread that runs the function.
const DONE: u32 = 2;
/// The lowest value that identifies a thread.
const FIRST: u32 = 3;

/// Thread-local variables of the C++ library that `std::call_once` sets until its function is
/// called.
const CALLED: [&str; 2] = ["_ZSt15__once_callable", "_ZSt11__once_call"];

/// Restores a variable if the running function throws, so that another thread may try.
struct Trying(*mut u32, u32);

impl Drop for Trying {
    fn drop(&mut self) {
        // SAFETY: the program's variable, as it passed it.
        unsafe { self.0.write(self.1) };
        parking::wake(self.0 as usize, usize::MAX);
    }
}

fn called() -> [Option<(*mut *mut c_void, *mut c_void)>; 2] {
    CALLED.map(|name| {
        let place = host_symbol(name)? as *mut *mut c_void;
        // SAFETY: a variable of the C++ library that holds a pointer.
        Some((place, unsafe { place.read() }))
    })
}

/// Waits while another thread runs the function.
fn wait(place: *mut u32, call: &'static str) {
    let why = Why::here(call);
    let kept = called();
    loop {
        // SAFETY: the program passes a variable.
        let state = unsafe { place.read() };
        if state == 0 || state == DONE {
            break;
        }
        parking::wait(place as usize, &Why { holder: Some(state - FIRST), ..why.again() });
    }
    for (place, value) in kept.into_iter().flatten() {
        // SAFETY: as in `called`.
        unsafe { place.write(value) };
    }
}

/// Calls the function once; its exceptions pass through.
fn once_as(place: *mut u32, function: extern "C-unwind" fn(), call: &'static str) {
    // SAFETY: the program passes a variable.
    let state = || unsafe { place.read() };
    if state() != 0 && state() != DONE {
        wait(place, call);
    }
    if state() == DONE {
        return;
    }
    // SAFETY: as above.
    unsafe { place.write(caller().1.number + FIRST) };
    let mut trying = Trying(place, 0);
    function();
    trying.1 = DONE;
}

unsafe extern "C-unwind" fn once(place: *mut u32, function: extern "C-unwind" fn()) -> c_int {
    once_as(place, function, "pthread_once");
    0
}

/// Implements `call_once` of C11, which returns nothing.
unsafe extern "C-unwind" fn call_once(place: *mut u32, function: extern "C-unwind" fn()) {
    once_as(place, function, "call_once");
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("pthread_once", once as *const () as usize),
        ("call_once", call_once as *const () as usize),
    ]
}
