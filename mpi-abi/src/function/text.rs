//! String arguments of programs.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::ffi::{CStr, c_char, c_int};

use crate::{
    constant::class,
    state::{Fault, Mpi, put},
};

/// Reads a string argument.
pub(super) fn read(text: *const c_char) -> Mpi<String> {
    if text.is_null() {
        return Err(Fault::new(class::ARG, "a string argument is null"));
    }
    // SAFETY: the program passes a NUL-terminated string.
    Ok(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Returns the beginning of a text, at most `bytes` bytes, cut at a character boundary.
pub(super) fn shortened(mut text: String, bytes: usize) -> String {
    let most = bytes.min(text.len());
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.truncate(end);
    text
}

/// Writes a NUL-terminated string and its length; `place` has the room that the standard requires.
pub(super) fn write(text: &str, place: *mut c_char, length: *mut c_int) -> Mpi {
    copy(text, place)?;
    put(length, text.len() as c_int)
}

/// Like [`write`], without returning the length.
pub(super) fn copy(text: &str, place: *mut c_char) -> Mpi {
    if place.is_null() {
        return Err(Fault::new(class::ARG, "the place of a string is null"));
    }
    let bytes = text.as_bytes();
    // SAFETY: the program passes room for the longest string the standard allows here.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), place.cast(), bytes.len());
        place.add(bytes.len()).write(0);
    }
    Ok(())
}
