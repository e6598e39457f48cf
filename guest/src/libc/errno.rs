//! The error number of the running thread (`errno`).
#![allow(unsafe_code, reason = "reads and sets the thread's own variable")]

use std::ffi::c_int;

/// Sets the error number, and returns what a function returns that fails.
pub(super) fn fails(error: c_int) -> c_int {
    set(error);
    -1
}

fn set(error: c_int) {
    // SAFETY: `errno` is the thread's own variable.
    unsafe { *libc::__errno_location() = error };
}

/// Returns the error number.
pub(super) fn present() -> c_int {
    // SAFETY: as in `set`.
    unsafe { *libc::__errno_location() }
}

/// Does work of the host for the running thread, and keeps the error number of its program. Functions
/// of the host change it, as does a lock that another thread of the host holds.
pub(crate) fn keeping<T>(work: impl FnOnce() -> T) -> T {
    let number = present();
    let result = work();
    set(number);
    result
}
