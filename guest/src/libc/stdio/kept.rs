//! The simulator's own copies of descriptors 0 to 2, which programs cannot reach.
#![allow(unsafe_code, reason = "copies descriptors")]

use std::{cell::Cell, ffi::c_int, io};

use crate::libc::host::Stream;

/// The lowest number of a copy: programs that close all descriptors in a loop stop below it.
const FIRST: c_int = 1024;
/// The value for no copy.
const NONE: c_int = -1;

thread_local! {
    /// The copies of the simulation on this thread.
    static COPIES: Cell<[c_int; 3]> = const { Cell::new([NONE; 3]) };
}

/// Copies descriptors 0 to 2 at the start of a simulation.
pub(crate) fn keep() {
    forget();
    // SAFETY: system calls with integer arguments only.
    let copy = |number: c_int| unsafe {
        let high = libc::fcntl(number, libc::F_DUPFD_CLOEXEC, FIRST);
        if high >= 0 {
            return high;
        }
        // The system does not allow that many descriptors.
        let most = libc::sysconf(libc::_SC_OPEN_MAX) as c_int;
        libc::fcntl(number, libc::F_DUPFD_CLOEXEC, (most - 8).max(3))
    };
    COPIES.set([0, 1, 2].map(copy));
}

/// Restores descriptors 0 to 2 at the end of a simulation and closes the copies.
pub(crate) fn restore() {
    for (number, copy) in (0..).zip(COPIES.get()) {
        if copy != NONE {
            // SAFETY: the copy is ours.
            unsafe { libc::dup2(copy, number) };
        }
    }
    forget();
}

fn forget() {
    for copy in COPIES.replace([NONE; 3]) {
        if copy != NONE {
            // SAFETY: the copy is ours.
            unsafe { libc::close(copy) };
        }
    }
}

/// Returns the simulator's copy of descriptor 0, 1 or 2.
pub(crate) fn descriptor(number: c_int) -> c_int {
    let copy = COPIES.get()[number as usize];
    if copy == NONE { number } else { copy }
}

/// Writes to the simulator's standard output or standard error.
///
/// # Errors
/// If the write fails, for example because the disk is full or the reader has exited.
pub fn write(stream: Stream, bytes: &[u8]) -> io::Result<()> {
    let descriptor = descriptor(stream as c_int + 1);
    let mut rest = bytes;
    while !rest.is_empty() {
        // SAFETY: the buffer is valid for its length.
        let written = unsafe { libc::write(descriptor, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(written) {
            Ok(written) => rest = &rest[written..],
            Err(_) => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
    Ok(())
}
