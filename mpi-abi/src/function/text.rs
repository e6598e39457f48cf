//! String arguments of programs.

use std::ffi::{c_char, c_int};

use crate::{
    constant::class,
    memory,
    state::{Fault, Mpi, put},
};

pub(super) use crate::memory::text as read;

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
    memory::fill(place.cast(), 0, bytes);
    memory::put_at(place, bytes.len(), 0);
    Ok(())
}
