//! C functions whose arguments differ from Fortran's by more than their kind.

use std::ffi::{c_char, c_int, c_void};

use super::super::{buffer, communicator, environment, info, session};
use crate::{
    constant::Handle,
    memory::{read, write},
    state::{HandlePlace, Number},
};

/// Calls `MPI_Init` without arguments: Fortran has none of `main`.
pub(super) fn init() -> c_int {
    environment::init(std::ptr::null_mut(), std::ptr::null_mut())
}

pub(super) fn init_thread(required: c_int, provided: *mut c_int) -> c_int {
    let none = std::ptr::null_mut();
    environment::init_thread(none, std::ptr::null_mut(), required, provided)
}

pub(super) fn info_create_env(place: *mut Handle) -> c_int {
    info::info_create_env(0, std::ptr::null_mut(), place)
}

/// Detaches the buffer; the Fortran binding does not return its address (MPI 3.6).
pub(super) fn buffer_detach<N: Number>(_buffer: *mut c_void, size: *mut N) -> c_int {
    let mut address: *mut c_void = std::ptr::null_mut();
    buffer::buffer_detach::<N>((&raw mut address).cast(), size)
}

/// Like [`buffer_detach`], for a communicator.
pub(super) fn comm_detach_buffer<N: Number>(
    comm: Handle,
    _buffer: *mut c_void,
    size: *mut N,
) -> c_int {
    let mut address: *mut c_void = std::ptr::null_mut();
    buffer::comm_detach::<N>(comm, (&raw mut address).cast(), size)
}

/// Like [`buffer_detach`], for a session.
pub(super) fn session_detach_buffer<N: Number>(
    session: Handle,
    _buffer: *mut c_void,
    size: *mut N,
) -> c_int {
    let mut address: *mut c_void = std::ptr::null_mut();
    buffer::session_detach::<N>(session, (&raw mut address).cast(), size)
}

/// Starts a duplication; the handle is written when the request completes.
pub(super) fn comm_idup(comm: Handle, place: *mut c_int, request: *mut Handle) -> c_int {
    communicator::duplicate(comm, None, HandlePlace::Integer(place), request)
}

pub(super) fn comm_idup_with_info(
    comm: Handle,
    info: Handle,
    place: *mut c_int,
    request: *mut Handle,
) -> c_int {
    communicator::duplicate(comm, Some(info), HandlePlace::Integer(place), request)
}

/// Adapts a length argument: C counts the terminating zero, which Fortran does not have.
fn without_end(length: *mut c_int, body: impl FnOnce(*mut c_int) -> c_int) -> c_int {
    let given = read(length);
    let mut room = if given > 0 { given + 1 } else { 0 };
    let code = body(&raw mut room);
    if room > 0 {
        write(length, room - 1);
    }
    code
}

pub(super) fn info_get_string(
    info: Handle,
    key: *const c_char,
    length: *mut c_int,
    value: *mut c_char,
    flag: *mut c_int,
) -> c_int {
    without_end(length, |room| info::info_get_string(info, key, room, value, flag))
}

pub(super) fn get_nth_pset(
    session: Handle,
    info: Handle,
    at: c_int,
    length: *mut c_int,
    name: *mut c_char,
) -> c_int {
    without_end(length, |room| session::get_nth_pset(session, info, at, room, name))
}
