//! Explicit packing (MPI section 5.2): the packed form of data is the data without gaps.

use super::{Communicator, SimpleCommunicator};
use crate::{
    api::{
        Count,
        datatype::{Buffer, BufferMut, Datatype, Packed, fill, room},
        point_to_point::accepted,
    },
    call::Site,
    error::{ErrorClass, MpiError},
    finding::CallPlace,
};

fn truncated(text: String) -> MpiError {
    MpiError::new(ErrorClass::Truncate, text)
}

/// Returns the range of `length` bytes from `position` on; an error if it exceeds `room`.
fn end_of(position: Count, length: usize, room: usize) -> Result<(usize, usize), MpiError> {
    let start = usize::try_from(position)
        .map_err(|_| MpiError::new(ErrorClass::Arg, format!("position {position} is negative")))?;
    let end = start.saturating_add(length);
    if end > room {
        return Err(truncated(format!("{length} bytes from {start} of a buffer of {room}")));
    }
    Ok((start, end))
}

pub(super) fn size<D: Datatype>(
    comm: &SimpleCommunicator,
    site: Site,
    count: Count,
    datatype: &D,
) -> Count {
    let negative = || MpiError::new(ErrorClass::Count, format!("count {count} is negative"));
    let bytes = i64::from(count) * datatype.kind().size() as i64;
    let bytes = (count >= 0).then_some(bytes).ok_or_else(negative);
    let size = bytes.and_then(|n| {
        Count::try_from(n).map_err(|_| truncated(format!("{n} bytes are no 32-bit count")))
    });
    accepted(comm, CallPlace { call: "pack_size", site }, size).unwrap_or(0)
}

pub(super) fn pack<B: Buffer + ?Sized>(comm: &SimpleCommunicator, site: Site, from: &B) -> Vec<u8> {
    let packed = accepted(comm.as_simple(), CallPlace { call: "pack", site }, Packed::of(from));
    packed.map_or(Vec::new(), |packed| packed.bytes.as_slice().to_vec())
}

pub(super) fn pack_into<B: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    site: Site,
    from: &B,
    into: &mut [u8],
    position: Count,
) -> Count {
    let placed = Packed::of(from).and_then(|packed| {
        let bytes = packed.bytes.as_slice();
        let (start, end) = end_of(position, bytes.len(), into.len())?;
        into[start..end].copy_from_slice(bytes);
        Ok(end as Count)
    });
    accepted(comm, CallPlace { call: "pack_into", site }, placed).unwrap_or(position)
}

pub(super) fn unpack_into<B: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    site: Site,
    from: &[u8],
    into: &mut B,
    position: Count,
) -> Count {
    let placed = room(into).and_then(|room| {
        let (start, end) = end_of(position, room.bytes as usize, from.len())?;
        fill(into, &from[start..end]);
        Ok(end as Count)
    });
    accepted(comm, CallPlace { call: "unpack_into", site }, placed).unwrap_or(position)
}
