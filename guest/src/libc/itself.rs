//! What a process finds of itself below `/proc`: the link `exe` to its program leads to the rank's program, and the number
//! that `getpid` returns is a name of the process.
#![allow(unsafe_code, reason = "reads a name and fills the buffer of a program")]

use std::{
    ffi::{CStr, CString, c_char, c_int},
    os::unix::ffi::OsStrExt,
    ptr,
};

use super::{folder, rank::Rank, string};
use crate::replacement::Replacement;

/// Splits a path below `/proc` into the name of a process and the rest.
fn split(path: &CStr) -> Option<(&[u8], &[u8])> {
    let below = path.to_bytes().strip_prefix(b"/proc/")?;
    Some(below.split_at(memchr::memchr(b'/', below).unwrap_or(below.len())))
}

/// Returns the path that is meant by one with this number of a process, which the system does not know.
fn known(path: &CStr, number: c_int) -> Option<CString> {
    let (name, rest) = split(path)?;
    let own = name == number.to_string().as_bytes();
    own.then(|| CString::new([b"/proc/self", rest].concat()).ok()).flatten()
}

/// Returns the path that is meant by one with the process number of the running rank.
pub(super) fn by_number(path: &CStr) -> Option<CString> {
    // Numbers are looked up only for paths that may have one.
    let (name, _) = split(path)?;
    name.first().filter(|first| first.is_ascii_digit())?;
    known(path, string::process_of(Rank::current()?))
}

/// Reports whether a path is the link to the program of the process.
fn is_own(path: &CStr) -> bool {
    let number = std::process::id().to_string();
    split(path).is_some_and(|(name, rest)| {
        rest == b"/exe" && (matches!(name, b"self" | b"thread-self") || name == number.as_bytes())
    })
}

/// Writes the target of the rank's link to `buffer` and returns its length; `None` for any other
/// path.
fn own_link(path: *const c_char, buffer: *mut c_char, size: usize) -> Option<isize> {
    // SAFETY: the program passes a string or null.
    let path = (!path.is_null()).then(|| unsafe { CStr::from_ptr(path) });
    path.filter(|path| by_number(path).as_deref().map_or_else(|| is_own(path), is_own))?;
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

    #[test]
    fn the_number_of_a_process_is_one_of_its_names() {
        assert_eq!(known(c"/proc/1002/status", 1002).as_deref(), Some(c"/proc/self/status"));
        assert_eq!(known(c"/proc/1002", 1002).as_deref(), Some(c"/proc/self"));
        for path in [c"/proc/1003/status", c"/proc/10021", c"/proc/self/stat", c"/proc/", c"1002"] {
            assert_eq!(known(path, 1002), None, "{path:?}");
        }
    }
}
