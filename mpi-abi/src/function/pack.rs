//! Packing (MPI section 5.2): dense bytes in the representation of the machine.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::ffi::{c_char, c_int, c_void};

use super::{text, transfer::Part};
use crate::{
    constant::{Handle, class},
    state::{Fault, Mpi, Number, State, call, local, put},
};

fn position<N: Number>(place: *const N) -> Mpi<i64> {
    if place.is_null() {
        return Err(Fault::new(class::ARG, "the position is null"));
    }
    // SAFETY: the program passes the address of its position.
    Ok(unsafe { *place }.wide())
}

fn advance<N: Number>(place: *mut N, value: i64) -> Mpi {
    let fitting = N::narrow(value);
    put(place, fitting.ok_or_else(|| Fault::new(class::ARG, "the position is too large"))?)
}

fn pack_into<N: Number>(part: &Part, (buffer, size): (*mut c_void, i64), place: *mut N) -> Mpi {
    let start = position(place)?;
    let bytes = part.bytes() as i64;
    if start < 0 || start + bytes > size {
        let text = format!("{bytes} bytes at position {start} of a buffer of {size} bytes");
        return Err(Fault::new(class::TRUNCATE, text));
    }
    let mut out = Vec::with_capacity(bytes as usize);
    part.pack(&mut out);
    let target = buffer.cast::<u8>().wrapping_add(start as usize);
    // SAFETY: the program says that the buffer holds `size` bytes.
    unsafe { std::ptr::copy_nonoverlapping(out.as_ptr(), target, out.len()) };
    advance(place, start + bytes)
}

fn unpack_from<N: Number>(part: &Part, (buffer, size): (*const c_void, i64), place: *mut N) -> Mpi {
    let start = position(place)?;
    let bytes = part.bytes() as i64;
    if start < 0 || start + bytes > size {
        let text = format!("{bytes} bytes at position {start} of a buffer of {size} bytes");
        return Err(Fault::new(class::TRUNCATE, text));
    }
    let from = buffer.cast::<u8>().wrapping_add(start as usize);
    // SAFETY: as in `pack_into`.
    part.unpack(unsafe { std::slice::from_raw_parts(from, bytes as usize) });
    advance(place, start + bytes)
}

pub(super) extern "C" fn pack<N: Number>(
    input: *const c_void,
    count: N,
    datatype: Handle,
    buffer: *mut c_void,
    size: N,
    place: *mut N,
    comm: Handle,
) -> c_int {
    call(comm, |state, _| {
        state.comm(comm)?;
        let part = Part::new(state, input as usize, count.wide(), datatype)?;
        pack_into(&part, (buffer, size.wide()), place)
    })
}

pub(super) extern "C" fn unpack<N: Number>(
    buffer: *const c_void,
    size: N,
    place: *mut N,
    output: *mut c_void,
    count: N,
    datatype: Handle,
    comm: Handle,
) -> c_int {
    call(comm, |state, _| {
        state.comm(comm)?;
        let part = Part::new(state, output as usize, count.wide(), datatype)?;
        unpack_from(&part, (buffer, size.wide()), place)
    })
}

fn size_of<N: Number>(state: &State, count: N, datatype: Handle, size: *mut N) -> Mpi {
    let bytes = state.datatype(datatype)?.size() as i64 * count.wide();
    if count.wide() < 0 {
        return Err(Fault::new(class::COUNT, format!("the count is {}", count.wide())));
    }
    advance(size, bytes)
}

pub(super) extern "C" fn pack_size<N: Number>(
    count: N,
    datatype: Handle,
    comm: Handle,
    size: *mut N,
) -> c_int {
    call(comm, |state, _| {
        state.comm(comm)?;
        size_of(state, count, datatype, size)
    })
}

/// "external32" is big-endian; the sizes of all types here are the same as the machine's.
fn external(name: *const c_char) -> Mpi {
    let name = text::read(name)?;
    if name == "external32" {
        return Ok(());
    }
    Err(Fault::new(class::ARG, format!("there is no data representation {name}")))
}

/// Turns the bytes of every basic element around.
fn swap(part: &Part, bytes: &mut [u8]) {
    let signature = part.signature();
    let mut rest = bytes;
    for (primitive, count) in signature.runs() {
        let size = primitive.size();
        let (mine, after) = rest.split_at_mut(size * count as usize);
        mine.chunks_exact_mut(size).for_each(<[u8]>::reverse);
        rest = after;
    }
}

pub(super) extern "C" fn pack_external<N: Number>(
    representation: *const c_char,
    input: *const c_void,
    count: N,
    datatype: Handle,
    buffer: *mut c_void,
    size: i64,
    place: *mut i64,
) -> c_int {
    local(|state, _| {
        external(representation)?;
        let part = Part::new(state, input as usize, count.wide(), datatype)?;
        let start = position(place)?;
        pack_into(&part, (buffer, size), place)?;
        let target = buffer.cast::<u8>().wrapping_add(start as usize);
        // SAFETY: `pack_into` has just written there.
        swap(&part, unsafe { std::slice::from_raw_parts_mut(target, part.bytes() as usize) });
        Ok(())
    })
}

pub(super) extern "C" fn unpack_external<N: Number>(
    representation: *const c_char,
    buffer: *const c_void,
    size: i64,
    place: *mut i64,
    output: *mut c_void,
    count: N,
    datatype: Handle,
) -> c_int {
    local(|state, _| {
        external(representation)?;
        let part = Part::new(state, output as usize, count.wide(), datatype)?;
        let start = position(place)?;
        let bytes = part.bytes() as i64;
        if start < 0 || start + bytes > size {
            return Err(Fault::new(class::TRUNCATE, "the packed data end early"));
        }
        let from = buffer.cast::<u8>().wrapping_add(start as usize);
        // SAFETY: the program says that the buffer holds `size` bytes.
        let mut data = unsafe { std::slice::from_raw_parts(from, bytes as usize) }.to_vec();
        swap(&part, &mut data);
        part.unpack(&data);
        put(place, start + bytes)
    })
}

pub(super) extern "C" fn pack_external_size<N: Number>(
    representation: *const c_char,
    count: N,
    datatype: Handle,
    size: *mut i64,
) -> c_int {
    local(|state, _| {
        external(representation)?;
        size_of(state, count.wide(), datatype, size)
    })
}
