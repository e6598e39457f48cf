//! Packing (MPI section 5.2): dense bytes in the machine's representation.

use std::{
    ffi::{c_int, c_void},
    ops::Range,
    slice,
};

use mpi_api::finding::CallPlace;

use super::{
    guard::{self, Memory},
    packed,
    transfer::Part,
};
pub(super) use crate::memory::bytes as read;
use crate::{
    constant::{Handle, class},
    memory::{fill, get},
    state::{Fault, Mpi, Number, State, argument, call, fitting, put},
};

pub(super) fn position<N: Number>(place: *const N) -> Mpi<i64> {
    get(place, "the position").map(Number::wide)
}

pub(super) fn advance<N: Number>(place: *mut N, value: i64) -> Mpi {
    let fitting = N::narrow(value);
    put(place, fitting.ok_or_else(|| Fault::new(class::ARG, "the position is too large"))?)
}

/// Returns the range of `bytes` packed bytes in a buffer of `size` bytes.
pub(super) fn range(
    buffer: *const c_void,
    (start, bytes, size): (i64, u64, i64),
) -> Mpi<Range<usize>> {
    if size < 0 || start < 0 {
        let text = format!("position {start} of a buffer of {size} bytes");
        return Err(Fault::new(class::ARG, text));
    }
    let end = (start as u64).checked_add(bytes).filter(|end| *end <= size as u64);
    let end = end.ok_or_else(|| {
        let text = format!("{bytes} bytes at position {start} of a buffer of {size} bytes");
        Fault::new(class::TRUNCATE, text)
    })?;
    if bytes > 0 && buffer.is_null() {
        return Err(Fault::new(class::BUFFER, "the buffer of packed data is null"));
    }
    Ok(start as usize..end as usize)
}

/// Checks both buffers of a call; `packs` if the data go from the part to the bytes `at` of the buffer.
fn check(
    state: &State,
    CallPlace { call, site }: CallPlace,
    part: &Part,
    (buffer, at): (*const c_void, &Range<usize>),
    packs: bool,
) -> Mpi {
    let packed = Part::of_bytes((buffer as usize).wrapping_add(at.start), at.len() as i64);
    let [part, packed] = [part, &packed].map(slice::from_ref);
    let (reads, writes) = if packs { (part, packed) } else { (packed, part) };
    guard::pass(state, CallPlace::at(site, call), Memory { reads, writes })
}

pub(super) extern "C-unwind" fn pack<N: Number>(
    input: *const c_void,
    count: N,
    datatype: Handle,
    buffer: *mut c_void,
    size: N,
    place: *mut N,
    comm: Handle,
) -> c_int {
    call(comm, |state, site| {
        state.comm(comm)?;
        let part = Part::new(state, input as usize, count.wide(), datatype)?;
        let at = range(buffer, (position(place)?, part.bytes(), size.wide()))?;
        check(state, CallPlace { call: "MPI_Pack", site }, &part, (buffer, &at), true)?;
        let mut out = Vec::with_capacity(at.len());
        part.pack(&mut out);
        fill(buffer, at.start, &out);
        let by = CallPlace::at(site, "MPI_Pack");
        packed::note(state, by, (buffer, &at), (&part, &out));
        advance(place, at.end as i64)
    })
}

pub(super) extern "C-unwind" fn unpack<N: Number>(
    buffer: *const c_void,
    size: N,
    place: *mut N,
    output: *mut c_void,
    count: N,
    datatype: Handle,
    comm: Handle,
) -> c_int {
    call(comm, |state, site| {
        state.comm(comm)?;
        let part = Part::new(state, output as usize, count.wide(), datatype)?;
        let at = range(buffer, (position(place)?, part.bytes(), size.wide()))?;
        check(state, CallPlace { call: "MPI_Unpack", site }, &part, (buffer, &at), false)?;
        let by = CallPlace::at(site, "MPI_Unpack");
        packed::compare(state, by, (buffer, &at), &part);
        part.unpack(read(buffer, &at));
        advance(place, at.end as i64)
    })
}

pub(super) extern "C-unwind" fn pack_size<N: Number>(
    count: N,
    datatype: Handle,
    comm: Handle,
    size: *mut N,
) -> c_int {
    call(comm, |state, _| {
        state.comm(comm)?;
        let each = state.datatype(datatype)?.size();
        let bytes = argument::count(count.wide())?.saturating_mul(each);
        fitting(size, i64::try_from(bytes).unwrap_or(i64::MAX))
    })
}
