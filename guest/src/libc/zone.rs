//! Time zones. The C library has one zone per process, which is set to that of the rank's variable
//! `TZ` whenever a rank asks for a local time. The program's variables `tzname`, `timezone` and
//! `daylight` are its own.
#![allow(unsafe_code, reason = "calls functions of libc and writes variables of programs")]

use std::ffi::{c_char, c_int, c_long};

use super::{rank::Rank, string, surroundings};
use crate::replacement::Replacement;

/// Initial value of `tzname`.
const NAMES: [&std::ffi::CStr; 2] = [c"GMT", c"GMT"];

unsafe extern "C" {
    static mut tzname: [*mut c_char; 2];
    static mut timezone: c_long;
    static mut daylight: c_int;
    #[link_name = "tzset"]
    fn host_tzset();
    fn ctime_r(time: *const libc::time_t, text: *mut c_char) -> *mut c_char;
}

/// The values of a program's variables.
struct Zone {
    names: [*mut c_char; 2],
    west: c_long,
    daylight: c_int,
}

impl Zone {
    fn tell(self, rank: &Rank) {
        let [names, west, daylight_place] = rank.c_variables.zone;
        // SAFETY: the rank's cells.
        unsafe {
            (names as *mut [*mut c_char; 2]).write(self.names);
            (west as *mut c_long).write(self.west);
            (daylight_place as *mut c_int).write(self.daylight);
        }
    }
}

/// Sets the variables of a program to their initial values.
pub(super) fn begin_rank(rank: &Rank) {
    Zone { names: NAMES.map(|name| name.as_ptr().cast_mut()), west: 0, daylight: 0 }.tell(rank);
}

/// Implements `tzset`: sets the zone of the rank's environment.
extern "C" fn tzset() {
    let rank = Rank::running();
    surroundings::follow(rank);
    // SAFETY: the ranks of a simulation share one thread; names of zones stay at their addresses.
    let zone = unsafe {
        host_tzset();
        Zone { names: tzname, west: timezone, daylight }
    };
    zone.tell(rank);
}

unsafe extern "C" fn localtime_r(time: *const libc::time_t, place: *mut libc::tm) -> *mut libc::tm {
    tzset();
    // SAFETY: the arguments are passed on unchanged.
    unsafe { libc::localtime_r(time, place) }
}

unsafe extern "C" fn localtime(time: *const libc::time_t) -> *mut libc::tm {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { localtime_r(time, string::time()) }
}

unsafe extern "C" fn ctime_into(time: *const libc::time_t, text: *mut c_char) -> *mut c_char {
    tzset();
    // SAFETY: the arguments are passed on unchanged.
    unsafe { ctime_r(time, text) }
}

unsafe extern "C" fn ctime(time: *const libc::time_t) -> *mut c_char {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { ctime_into(time, string::date()) }
}

unsafe extern "C" fn mktime(time: *mut libc::tm) -> libc::time_t {
    tzset();
    // SAFETY: the arguments are passed on unchanged.
    unsafe { libc::mktime(time) }
}

unsafe extern "C" fn strftime(
    text: *mut c_char,
    bytes: usize,
    format: *const c_char,
    time: *const libc::tm,
) -> usize {
    tzset();
    // SAFETY: the arguments are passed on unchanged.
    unsafe { libc::strftime(text, bytes, format, time) }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("tzset", tzset as *const () as usize),
        ("localtime", localtime as *const () as usize),
        ("localtime_r", localtime_r as *const () as usize),
        ("ctime", ctime as *const () as usize),
        ("ctime_r", ctime_into as *const () as usize),
        ("mktime", mktime as *const () as usize),
        ("timelocal", mktime as *const () as usize),
        ("strftime", strftime as *const () as usize),
    ]
}
