//! Functions of libc that keep a text or a time in static memory between calls.
#![allow(unsafe_code, reason = "calls the reentrant functions of libc")]

use std::{
    cell::UnsafeCell,
    ffi::{c_char, c_int},
    mem, ptr,
};

use super::rank::Rank;
use crate::replacement::Replacement;

/// The static memory of these functions for one rank.
pub(crate) struct Texts {
    rest: *mut c_char,
    time: libc::tm,
    text: [c_char; 64],
}

impl Default for Texts {
    fn default() -> Self {
        // SAFETY: the fields are numbers and a pointer to a zone's name, which may be null.
        let time = unsafe { mem::zeroed() };
        Self { rest: ptr::null_mut(), time, text: [0; 64] }
    }
}

unsafe extern "C" {
    fn strtok_r(text: *mut c_char, between: *const c_char, rest: *mut *mut c_char) -> *mut c_char;
    fn asctime_r(time: *const libc::tm, text: *mut c_char) -> *mut c_char;
}

/// Returns the static memory of the calling rank.
fn texts<'a>() -> &'a mut Texts {
    let rank = Rank::running();
    // SAFETY: there is one thread, and no two of the functions below are active at once.
    unsafe { &mut *rank.state::<UnsafeCell<Texts>>().get() }
}

unsafe extern "C" fn strtok(text: *mut c_char, between: *const c_char) -> *mut c_char {
    // SAFETY: the arguments are passed on unchanged, with the rank's own state.
    unsafe { strtok_r(text, between, &raw mut texts().rest) }
}

/// Returns the rank's static `struct tm`.
pub(super) fn time() -> *mut libc::tm {
    &raw mut texts().time
}

/// Returns the rank's buffer for the text of a date, which is longer than the 26 bytes needed.
pub(super) fn date() -> *mut c_char {
    texts().text.as_mut_ptr()
}

unsafe extern "C" fn gmtime(clock: *const libc::time_t) -> *mut libc::tm {
    // SAFETY: as in `strtok`.
    unsafe { libc::gmtime_r(clock, time()) }
}

unsafe extern "C" fn asctime(time: *const libc::tm) -> *mut c_char {
    // SAFETY: as in `strtok`; the buffer is larger than the 26 bytes required.
    unsafe { asctime_r(time, date()) }
}

/// Implements `getpid`: all ranks share one process, but each has its own number.
extern "C" fn process_number() -> c_int {
    // SAFETY: a system call without arguments.
    let process = unsafe { libc::getpid() };
    Rank::current().map_or(process, process_of)
}

/// Returns the process number of a rank.
pub(super) fn process_of(rank: &Rank) -> c_int {
    rank.number() as c_int + FIRST_PROCESS
}

/// Process number of rank 0, the same in every run.
const FIRST_PROCESS: c_int = 1000;

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("strtok", strtok as *const () as usize),
        ("gmtime", gmtime as *const () as usize),
        ("asctime", asctime as *const () as usize),
        ("getpid", process_number as *const () as usize),
    ]
}
