//! Access to thread-local variables of private libraries.
#![allow(unsafe_code, reason = "reads what the loader wrote")]

use crate::replacement::Replacement;

/// The words that the loader writes for a variable: address of the rank's block, and offset in it.
#[repr(C)]
struct Index {
    block: usize,
    offset: usize,
}

unsafe extern "C" fn address(index: *const Index) -> usize {
    // SAFETY: code of the program passes the words that the loader wrote.
    let index = unsafe { &*index };
    index.block + index.offset
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![("__tls_get_addr", address as *const () as usize)]
}
