//! Thread-local variables of private libraries.
#![allow(unsafe_code, reason = "reads what the loader wrote")]

use super::Replacement;

/// What the loader writes for a variable: where the rank's block begins, and how far in it is.
#[repr(C)]
struct Index {
    block: usize,
    offset: usize,
}

extern "C" fn address(index: *const Index) -> usize {
    // SAFETY: the code of a program passes the words that the loader wrote.
    let index = unsafe { &*index };
    index.block + index.offset
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![("__tls_get_addr", address as *const () as usize)]
}
