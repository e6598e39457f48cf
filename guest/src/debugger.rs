//! Where a debugger learns at what addresses the objects of a rank are.
//!
//! Debuggers know the objects that the system's loader has mapped. Those of ranks are mapped by `loader`, several
//! times in one process.
#![allow(unsafe_code, reason = "a function that scripts of debuggers know by its name")]

use std::{hint::black_box, os::unix::ffi::OsStrExt, path::Path};

/// Called for each object of a rank after it has been mapped: a debugger stops here and reads the arguments, the
/// path of `length` bytes at `path` and the difference between addresses in memory and in the file.
// A name that stays the same, so that a script finds it.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn windtunnel_object_mapped(rank: u32, path: *const u8, length: usize, base: usize) {
    black_box((rank, path, length, base));
}

/// Announces an object that has been mapped for a rank.
pub(crate) fn announce(rank: u32, path: &Path, base: usize) {
    let path = path.as_os_str().as_bytes();
    windtunnel_object_mapped(rank, path.as_ptr(), path.len(), base);
}
