//! The link `/proc/self/exe` from a process to its program, which leads to the rank's program.
#![allow(unsafe_code, reason = "reads a name and fills the buffer of a program")]

use std::{
    ffi::{CStr, c_char, c_int},
    os::unix::ffi::OsStrExt,
    ptr,
};

use super::{folder, rank::Rank};
use crate::replacement::Replacement;

/// Reports whether a path is that link.
fn is_own(path: &CStr) -> bool {
    let rest = path.to_bytes().strip_prefix(b"/proc/").and_then(|rest| rest.strip_suffix(b"/exe"));
    let number = std::process::id().to_string();
    rest.is_some_and(|process| {
        matches!(process, b"self" | b"thread-self") || process == number.as_bytes()
    })
}

/// Writes the target of the rank's link to `buffer` and returns its length; `None` for any other
/// path.
fn own_link(path: *const c_char, buffer: *mut c_char, size: usize) -> Option<isize> {
    // SAFETY: the program passes a string or null.
    let path = (!path.is_null()).then(|| unsafe { CStr::from_ptr(path) });
    path.filter(|path| is_own(path))?;
    let program = Rank::current()?.sites().program()?.as_os_str().as_bytes();
    let bytes = program.len().min(size);
    // SAFETY: the buffer has `size` bytes.
    unsafe { ptr::copy_nonoverlapping(program.as_ptr(), buffer.cast(), bytes) };
    Some(bytes as isize)
}

unsafe extern "C" fn readlink(path: *const c_char, buffer: *mut c_char, size: usize) -> isize {
    // SAFETY: the arguments are passed on unchanged.
    let other = || folder::with(path, |path| unsafe { libc::readlink(path, buffer, size) });
    own_link(path, buffer, size).unwrap_or_else(other)
}

unsafe extern "C" fn readlink_checked(
    path: *const c_char,
    buffer: *mut c_char,
    size: usize,
    room: usize,
) -> isize {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { readlink(path, buffer, size.min(room)) }
}

unsafe extern "C" fn readlinkat(
    folder: c_int,
    path: *const c_char,
    buffer: *mut c_char,
    size: usize,
) -> isize {
    // SAFETY: the arguments are passed on unchanged.
    let read = |path| unsafe { libc::readlinkat(folder, path, buffer, size) };
    let other = || match folder::is_elsewhere(folder, path) {
        true => read(path),
        false => folder::with(path, read),
    };
    own_link(path, buffer, size).unwrap_or_else(other)
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("readlink", readlink as *const () as usize),
        ("__readlink_chk", readlink_checked as *const () as usize),
        ("readlinkat", readlinkat as *const () as usize),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_link_is_meant() {
        let own = format!("/proc/{}/exe\0", std::process::id());
        for path in [c"/proc/self/exe", c"/proc/thread-self/exe"] {
            assert!(is_own(path));
        }
        assert!(is_own(CStr::from_bytes_with_nul(own.as_bytes()).expect("one zero")));
        for path in [c"/proc/1/exe", c"/proc/self/cwd", c"/proc/self/exe/a", c"a"] {
            assert!(!is_own(path), "{path:?}");
        }
    }
}
