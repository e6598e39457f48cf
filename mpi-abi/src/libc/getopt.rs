//! `getopt` with variables per rank: they are put into libc before a call and fetched after it.
#![allow(unsafe_code, reason = "copies the variables of getopt")]

use std::{
    cell::Cell,
    ffi::{c_char, c_int},
    ptr,
};

use super::{Replacement, rank::Rank};

unsafe extern "C" {
    static mut optarg: *mut c_char;
    static mut optind: c_int;
    static mut opterr: c_int;
    static mut optopt: c_int;
    fn getopt(argc: c_int, argv: *const *mut c_char, options: *const c_char) -> c_int;
    fn getopt_long(
        argc: c_int,
        argv: *const *mut c_char,
        options: *const c_char,
        long: *const u8,
        index: *mut c_int,
    ) -> c_int;
    fn getopt_long_only(
        argc: c_int,
        argv: *const *mut c_char,
        options: *const c_char,
        long: *const u8,
        index: *mut c_int,
    ) -> c_int;
}

thread_local! {
    /// The rank that called last: libc's hidden variables are its own.
    static LAST: Cell<*const Rank> = const { Cell::new(ptr::null()) };
}

fn with_variables(call: impl FnOnce() -> c_int) -> c_int {
    let rank = Rank::current().unwrap_or_else(|| std::process::abort());
    let [argument, index, messages, option] = rank.getopt;
    let fresh = LAST.replace(rank) != ptr::from_ref(rank);
    // SAFETY: the rank's cells hold variables of these types, and so does libc.
    unsafe {
        let place = *(index as *const c_int);
        // Zero makes libc forget what it kept for another rank.
        optind = if fresh && place == 1 { 0 } else { place };
        opterr = *(messages as *const c_int);
        let result = call();
        *(argument as *mut *mut c_char) = optarg;
        *(index as *mut c_int) = optind;
        *(option as *mut c_int) = optopt;
        result
    }
}

extern "C" fn short(argc: c_int, argv: *const *mut c_char, options: *const c_char) -> c_int {
    // SAFETY: handed on as it came.
    with_variables(|| unsafe { getopt(argc, argv, options) })
}

extern "C" fn long(
    argc: c_int,
    argv: *const *mut c_char,
    options: *const c_char,
    longs: *const u8,
    index: *mut c_int,
) -> c_int {
    // SAFETY: handed on as it came.
    with_variables(|| unsafe { getopt_long(argc, argv, options, longs, index) })
}

extern "C" fn long_only(
    argc: c_int,
    argv: *const *mut c_char,
    options: *const c_char,
    longs: *const u8,
    index: *mut c_int,
) -> c_int {
    // SAFETY: handed on as it came.
    with_variables(|| unsafe { getopt_long_only(argc, argv, options, longs, index) })
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("getopt", short as *const () as usize),
        ("__posix_getopt", short as *const () as usize),
        ("getopt_long", long as *const () as usize),
        ("getopt_long_only", long_only as *const () as usize),
    ]
}
