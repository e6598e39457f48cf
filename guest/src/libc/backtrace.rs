//! The call stack as a program requests it: `backtrace` and related functions of glibc.
//!
//! Only frames of the program and of its own libraries are reported, as far as they keep frame
//! pointers, which the compiler commands ensure.
#![allow(unsafe_code, reason = "fills the memory of programs")]

use std::ffi::{c_char, c_int, c_void};

use super::{dynamic, rank::Rank, stdio};
use crate::{replacement::Replacement, site};

/// Implements `backtrace`: writes return addresses, innermost first, and returns their number.
unsafe extern "C" fn backtrace(places: *mut usize, room: c_int) -> c_int {
    let found = site::return_addresses(usize::try_from(room).unwrap_or(0));
    for (at, address) in found.iter().enumerate() {
        // SAFETY: the program passes room for that many addresses.
        unsafe { places.add(at).write(*address) };
    }
    found.len() as c_int
}

/// Formats an address as glibc does: the file, the function with the offset in it, and the address.
/// The name of a function without a symbol comes from the debug information.
fn describe(address: usize) -> String {
    let Some(known) = Rank::current().and_then(|rank| dynamic::about(rank, address)) else {
        return format!("[{address:#x}]");
    };
    let function = match known.name {
        Some((name, start)) => format!("{name}+{:#x}", address - start),
        None => match site::of_code(address).filter(|site| !site.function.is_empty()) {
            Some(site) => site.function.to_string(),
            None => format!("+{:#x}", address - known.start),
        },
    };
    format!("{}({function}) [{address:#x}]", known.path.display())
}

fn described(places: *const usize, count: c_int) -> Vec<String> {
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: the program passes that many addresses.
    (0..count).map(|at| describe(unsafe { places.add(at).read() })).collect()
}

/// Implements `backtrace_symbols`: returns one block that the program frees, with the pointers and
/// the texts.
unsafe extern "C" fn backtrace_symbols(places: *const usize, count: c_int) -> *mut *mut c_char {
    let texts = described(places, count);
    let bytes: usize = texts.iter().map(|text| text.len() + 1).sum();
    let head = texts.len() * size_of::<*mut c_char>();
    // SAFETY: allocates memory, which is null or has room for all that is written below.
    unsafe {
        let block = libc::malloc((head + bytes).max(1)).cast::<*mut c_char>();
        if block.is_null() {
            return block;
        }
        let mut rest = block.byte_add(head).cast::<u8>();
        for (at, text) in texts.iter().enumerate() {
            block.add(at).write(rest.cast());
            rest.copy_from_nonoverlapping(text.as_ptr(), text.len());
            rest.add(text.len()).write(0);
            rest = rest.add(text.len() + 1);
        }
        block
    }
}

unsafe extern "C" fn backtrace_symbols_into(places: *const usize, count: c_int, descriptor: c_int) {
    for text in described(places, count) {
        let line = format!("{text}\n");
        // SAFETY: the program vouches for the arguments, which are passed on.
        unsafe { stdio::write_to(descriptor, line.as_ptr().cast::<c_void>(), line.len()) };
    }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("backtrace_symbols", backtrace_symbols as *const () as usize),
        ("backtrace_symbols_fd", backtrace_symbols_into as *const () as usize),
    ]
}

/// Returns the function that needs the place of its caller.
pub(super) fn waiting() -> Vec<Replacement> {
    vec![("backtrace", backtrace as *const () as usize)]
}
