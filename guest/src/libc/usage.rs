//! Resource usage of a rank: its processor time is simulated time, as in `clock`.
#![allow(unsafe_code, reason = "writes to the memory of programs")]

use std::ffi::c_int;

use super::rank::Rank;
use crate::replacement::Replacement;

/// Implements `getrusage`, which Fortran's `cpu_time` calls.
unsafe extern "C" fn getrusage(who: c_int, place: *mut libc::rusage) -> c_int {
    let now = Rank::current().and_then(|rank| rank.host().now(rank.number()));
    let Some(now) = now.filter(|_| !place.is_null()) else {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::getrusage(who, place) };
    };
    // SAFETY: the program passes a structure; all fields are numbers, for which zero means nothing
    // used.
    unsafe {
        place.write_bytes(0, 1);
        (*place).ru_utime.tv_sec = now.as_secs() as libc::time_t;
        (*place).ru_utime.tv_usec = libc::suseconds_t::from(now.subsec_micros() as i32);
    }
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![("getrusage", getrusage as *const () as usize)]
}
