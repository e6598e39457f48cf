//! The error number of the running thread (`errno`).
#![allow(unsafe_code, reason = "reads and sets the thread's own variable")]

use std::ffi::c_int;

/// Sets the error number, and returns what a function returns that fails.
pub(super) fn fails(error: c_int) -> c_int {
    // SAFETY: `errno` is the thread's own variable.
    unsafe { *libc::__errno_location() = error };
    -1
}

/// Returns the error number.
pub(super) fn present() -> c_int {
    // SAFETY: as above.
    unsafe { *libc::__errno_location() }
}
