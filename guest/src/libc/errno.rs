//! The error number of the running thread (`errno`).
#![allow(unsafe_code, reason = "reads and sets the thread's own variable")]

use std::ffi::c_int;

/// What a function of the C library returns.
pub(super) trait Outcome {
    /// Returns whether the function has failed, so that `errno` says why.
    fn is_failure(&self) -> bool;
}

impl Outcome for c_int {
    fn is_failure(&self) -> bool {
        *self < 0
    }
}

impl Outcome for isize {
    fn is_failure(&self) -> bool {
        *self < 0
    }
}

/// The address of a file buffer of C++.
impl Outcome for usize {
    fn is_failure(&self) -> bool {
        *self == 0
    }
}

impl<T> Outcome for *mut T {
    fn is_failure(&self) -> bool {
        self.is_null()
    }
}

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

/// Executes a function of the C library in place of the host's, which sets the error number only if it fails: what it
/// does besides may set it as well.
pub(super) fn if_failed<T: Outcome>(function: impl FnOnce() -> T) -> T {
    let before = present();
    let outcome = function();
    if !outcome.is_failure() {
        set(before);
    }
    outcome
}

/// Does work of the host for the running thread, and keeps the error number of its program. Functions
/// of the host change it, as does a lock that another thread of the host holds.
pub(crate) fn keeping<T>(work: impl FnOnce() -> T) -> T {
    let number = present();
    let result = work();
    set(number);
    result
}
