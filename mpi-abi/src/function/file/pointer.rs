//! File pointers (MPI sections 14.4.3 and 14.4.4).

use std::ffi::c_int;

use mpi_api::call::{Brought, FileCall, FileMeeting, Pointer, Reply, Site, Whence};

use super::{meet, on_file, with_all};
use crate::{
    constant::{Handle, class, number},
    state::{Fault, File, Mpi, State, put, wanted},
};

fn whence_of(whence: c_int) -> Mpi<Whence> {
    match whence {
        number::SEEK_SET => Ok(Whence::Start),
        number::SEEK_CUR => Ok(Whence::Current),
        number::SEEK_END => Ok(Whence::End),
        other => Err(Fault::new(class::ARG, format!("whence {other} is no constant MPI_SEEK_"))),
    }
}

/// Checks that a file has individual file pointers.
pub(super) fn not_sequential(file: &File) -> Mpi {
    if file.is_sequential() {
        let text = "a file opened with MPI_MODE_SEQUENTIAL has a shared file pointer only";
        return Err(Fault::new(class::UNSUPPORTED_OPERATION, text));
    }
    Ok(())
}

/// Asks the kernel for an offset or a size.
pub(super) fn offset(state: &State, site: Site, call: FileCall) -> Mpi<i64> {
    match state.kernel(site, call)? {
        Reply::Offset(offset) => Ok(offset),
        _ => Err(Fault::new(class::INTERN, "no offset")),
    }
}

pub(in super::super) extern "C-unwind" fn seek(file: Handle, by: i64, whence: c_int) -> c_int {
    on_file(file, |state, site, file| {
        not_sequential(file)?;
        let whence = whence_of(whence)?;
        state.kernel(site, FileCall::Seek(file.id(), by, whence)).map(|_| ())
    })
}

pub(in super::super) extern "C-unwind" fn seek_shared(
    file: Handle,
    by: i64,
    whence: c_int,
) -> c_int {
    with_all(file, |state, site, file| {
        let whence = whence_of(whence)?;
        if file.is_sequential() {
            let text = "a file opened with MPI_MODE_SEQUENTIAL is not sought in";
            return Err(Fault::new(class::UNSUPPORTED_OPERATION, text));
        }
        meet(state, site, file, FileMeeting::SeekShared(by, whence), Brought::Nothing)
    })
}

pub(in super::super) extern "C-unwind" fn get_position(file: Handle, place: *mut i64) -> c_int {
    on_file(file, |state, site, file| {
        wanted(place)?;
        not_sequential(file)?;
        put(place, offset(state, site, FileCall::Position(file.id(), Pointer::Individual))?)
    })
}

pub(in super::super) extern "C-unwind" fn get_position_shared(
    file: Handle,
    place: *mut i64,
) -> c_int {
    on_file(file, |state, site, file| {
        wanted(place)?;
        put(place, offset(state, site, FileCall::Position(file.id(), Pointer::Shared))?)
    })
}

pub(in super::super) extern "C-unwind" fn get_byte_offset(
    file: Handle,
    given: i64,
    place: *mut i64,
) -> c_int {
    on_file(file, |state, site, file| {
        wanted(place)?;
        not_sequential(file)?;
        put(place, offset(state, site, FileCall::Byte(file.id(), given))?)
    })
}
