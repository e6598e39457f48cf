//! The name by which a program was called, which the C library puts before messages of `warn` and `error`.
#![allow(unsafe_code, reason = "reads and writes variables of programs and of libc")]

use std::{
    ffi::{CStr, c_char},
    sync::OnceLock,
};

use super::rank::Rank;
use crate::loader::symbol::host_symbol;

/// The library's variables, in the order of a rank's.
const NAMES: [&str; 2] = ["program_invocation_name", "program_invocation_short_name"];

/// Addresses of the library's variables, and their values in the process itself.
static VARIABLES: OnceLock<Option<[(usize, usize); 2]>> = OnceLock::new();

/// Sets the variables of a program that was called by this name; it has none if that is null.
pub(super) fn begin_rank(rank: &Rank, name: *const c_char) {
    let name = if name.is_null() { c"".as_ptr() } else { name };
    // SAFETY: the name ends with a null character.
    let letters = unsafe { CStr::from_ptr(name) }.to_bytes();
    let start = letters.iter().rposition(|letter| *letter == b'/').map_or(0, |slash| slash + 1);
    let [whole, short] = rank.c_variables.program_name;
    // SAFETY: the cells of the rank; the second name lies in the first one.
    unsafe {
        *(whole as *mut *const c_char) = name;
        *(short as *mut *const c_char) = name.add(start);
    }
}

/// Sets the library's variables to those of the running program.
pub(super) fn follow(rank: &Rank) {
    let [whole, short] = rank.c_variables.program_name;
    show([whole, short]);
}

/// Like [`follow`], but both have the whole name, which `error` puts before its messages.
pub(super) fn follow_whole(rank: &Rank) {
    let [whole, _] = rank.c_variables.program_name;
    show([whole, whole]);
}

/// Restores the values of the process itself.
pub(super) fn restore() {
    for (variable, own) in VARIABLES.get().iter().copied().flatten().flatten() {
        // SAFETY: a variable of the library, and a value that it has had.
        unsafe { *(*variable as *mut usize) = *own };
    }
}

fn show(places: [usize; 2]) {
    let variables = VARIABLES.get_or_init(|| {
        // SAFETY: variables of the library that hold an address.
        let with_value = |address: usize| unsafe { (address, *(address as *const usize)) };
        let [whole, short] = NAMES.map(|name| host_symbol(name).map(with_value));
        Some([whole?, short?])
    });
    for ((variable, _), place) in variables.iter().flatten().zip(places) {
        // SAFETY: the cells of the rank, and variables of the library of the same type.
        unsafe { *(*variable as *mut usize) = *(place as *const usize) };
    }
}
