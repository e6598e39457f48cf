//! `getopt`, `getopt_long` and `getopt_long_only` with separate state per rank: the C library
//! stores its position within an argument in a variable that is not accessible.
#![allow(unsafe_code, reason = "reads the arguments of programs and writes their variables")]

mod long;
mod scan;

use std::{
    cell::Cell,
    ffi::{c_char, c_int},
    ptr, slice,
};

use long::{LongOption, Longs, long_options};
use scan::{END, FAULT, Order, Place, Scan, Variables, bytes};

use super::rank::Rank;
use crate::replacement::Replacement;

fn scan(
    (argc, argv): (c_int, *const *mut c_char),
    letters: *const c_char,
    longs: Option<Longs<'_>>,
) -> c_int {
    let rank = Rank::running();
    if argc < 1 {
        return END;
    }
    let [argument, index, messages, option] = rank.c_variables.getopt;
    let variables = Variables {
        argument: argument as *mut *mut c_char,
        index: index as *mut c_int,
        messages: messages as *const c_int,
        option: option as *mut c_int,
    };
    // SAFETY: the program passes that many arguments, which may be reordered, and a C string.
    let (arguments, letters) =
        unsafe { (slice::from_raw_parts_mut(argv.cast_mut(), argc as usize), bytes(letters)) };
    let place = rank.state::<Options>();
    let mut scan = Scan { variables, place: place.get(), arguments, letters, longs };
    begin(&mut scan);
    if matches!(letters.first(), Some(b'-' | b'+')) {
        scan.letters = &letters[1..];
    }
    let answer = scan.next();
    place.set(scan.place);
    answer
}

/// Resets the state on the first call, or when the program restarts the scan.
fn begin(scan: &mut Scan<'_>) {
    if scan.place.begun && scan.index() != 0 {
        return;
    }
    let index = scan.index().max(1);
    scan.set_index(index);
    let order = match scan.letters.first() {
        Some(b'-') => Order::Return,
        Some(b'+') => Order::Stop,
        // SAFETY: the name is a C string.
        _ if !unsafe { libc::getenv(c"POSIXLY_CORRECT".as_ptr()) }.is_null() => Order::Stop,
        _ => Order::Permute,
    };
    scan.place = Place { begun: true, order, rest: ptr::null(), skipped: (index, index) };
}

unsafe extern "C" fn short(argc: c_int, argv: *const *mut c_char, letters: *const c_char) -> c_int {
    scan((argc, argv), letters, None)
}

unsafe extern "C" fn long(
    argc: c_int,
    argv: *const *mut c_char,
    letters: *const c_char,
    longs: *const LongOption,
    position: *mut c_int,
) -> c_int {
    let options = long_options(longs);
    scan((argc, argv), letters, Some(Longs { options, position, single_dash: false }))
}

unsafe extern "C" fn long_only(
    argc: c_int,
    argv: *const *mut c_char,
    letters: *const c_char,
    longs: *const LongOption,
    position: *mut c_int,
) -> c_int {
    let options = long_options(longs);
    scan((argc, argv), letters, Some(Longs { options, position, single_dash: true }))
}

/// Sets the variables of a program to their initial values.
pub(super) fn begin_rank(rank: &Rank) {
    let [argument, index, messages, option] = rank.c_variables.getopt;
    // SAFETY: the cells of the rank.
    unsafe {
        *(argument as *mut *mut c_char) = ptr::null_mut();
        *(index as *mut c_int) = 1;
        *(messages as *mut c_int) = 1;
        *(option as *mut c_int) = FAULT;
    }
}

/// The scan position of a rank.
pub(crate) type Options = Cell<Place>;

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("getopt", short as *const () as usize),
        ("__posix_getopt", short as *const () as usize),
        ("getopt_long", long as *const () as usize),
        ("getopt_long_only", long_only as *const () as usize),
    ]
}
