//! String arguments of programs.

use std::ffi::{c_char, c_int};

use crate::{
    constant::{class, number},
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

/// The number of characters that the standard requires of the place of a text, with the name of the constant.
pub(super) type Room = (&'static str, usize);

pub(super) const PROCESSOR_NAME: Room = ("MPI_MAX_PROCESSOR_NAME", number::MAX_PROCESSOR_NAME);
pub(super) const LIBRARY_VERSION: Room =
    ("MPI_MAX_LIBRARY_VERSION_STRING", number::MAX_LIBRARY_VERSION_STRING);
pub(super) const ERROR_STRING: Room = ("MPI_MAX_ERROR_STRING", number::MAX_ERROR_STRING);
pub(super) const OBJECT_NAME: Room = ("MPI_MAX_OBJECT_NAME", number::MAX_OBJECT_NAME);
pub(super) const PORT_NAME: Room = ("MPI_MAX_PORT_NAME", number::MAX_PORT_NAME);
pub(super) const INFO_KEY: Room = ("MPI_MAX_INFO_KEY", number::MAX_INFO_KEY);
pub(super) const DATAREP: Room = ("MPI_MAX_DATAREP_STRING", number::MAX_DATAREP_STRING);

/// Writes a NUL-terminated string and its length to a place that has this room.
pub(super) fn write(text: &str, room: Room, place: *mut c_char, length: *mut c_int) -> Mpi {
    copy_into(text, room, place)?;
    put(length, text.len() as c_int)
}

/// Like [`write`], without returning the length.
pub(super) fn copy_into(text: &str, room: Room, place: *mut c_char) -> Mpi {
    memory::look_at_room(place, room, text.len() + 1);
    copy(text, place)
}

/// Writes a NUL-terminated string to a place that is as long as the program has said.
pub(super) fn copy(text: &str, place: *mut c_char) -> Mpi {
    if place.is_null() {
        return Err(Fault::new(class::ARG, "the place of a string is null"));
    }
    let bytes = text.as_bytes();
    memory::fill(place.cast(), 0, bytes);
    memory::put_at(place, bytes.len(), 0);
    Ok(())
}
