//! Functions of libc that keep a text or a time between calls.
#![allow(unsafe_code, reason = "calls the reentrant functions of libc")]

use std::{
    ffi::{c_char, c_int},
    mem, ptr,
};

use super::{Replacement, rank::Rank};

/// What these functions keep, per rank.
pub(crate) struct Texts {
    rest: *mut c_char,
    time: libc::tm,
    text: [c_char; 64],
}

impl Default for Texts {
    fn default() -> Self {
        // SAFETY: numbers and a pointer to a zone's name, for which null is a value.
        let time = unsafe { mem::zeroed() };
        Self { rest: ptr::null_mut(), time, text: [0; 64] }
    }
}

unsafe extern "C" {
    fn strtok_r(text: *mut c_char, between: *const c_char, rest: *mut *mut c_char) -> *mut c_char;
    fn asctime_r(time: *const libc::tm, text: *mut c_char) -> *mut c_char;
}

/// What the calling rank keeps.
fn texts<'a>() -> &'a mut Texts {
    let rank = Rank::current().unwrap_or_else(|| std::process::abort());
    // SAFETY: one thread, and no two of the functions below are active at once.
    unsafe { &mut *rank.texts.get() }
}

extern "C" fn strtok(text: *mut c_char, between: *const c_char) -> *mut c_char {
    // SAFETY: handed on as it came, with the rank's own place.
    unsafe { strtok_r(text, between, &raw mut texts().rest) }
}

/// Where the calling rank keeps a time.
pub(super) fn time() -> *mut libc::tm {
    &raw mut texts().time
}

/// Where it keeps the text of a date: longer than the 26 bytes of one.
pub(super) fn date() -> *mut c_char {
    texts().text.as_mut_ptr()
}

extern "C" fn gmtime(clock: *const libc::time_t) -> *mut libc::tm {
    // SAFETY: as in `strtok`.
    unsafe { libc::gmtime_r(clock, time()) }
}

extern "C" fn asctime(time: *const libc::tm) -> *mut c_char {
    // SAFETY: as in `strtok`; the text is larger than the 26 bytes that are asked for.
    unsafe { asctime_r(time, date()) }
}

/// All ranks are threads of one process; each may ask for a number of its own.
extern "C" fn process_number() -> c_int {
    // SAFETY: asks the system for a number.
    let process = unsafe { libc::getpid() };
    Rank::current().map_or(process, process_of)
}

/// The process number that a rank has.
pub(super) fn process_of(rank: &Rank) -> c_int {
    rank.number() as c_int + FIRST_PROCESS
}

/// Process number of rank 0: the same in every run.
const FIRST_PROCESS: c_int = 1000;

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("strtok", strtok as *const () as usize),
        ("gmtime", gmtime as *const () as usize),
        ("asctime", asctime as *const () as usize),
        ("getpid", process_number as *const () as usize),
    ]
}
