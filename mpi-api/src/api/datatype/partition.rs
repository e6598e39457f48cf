//! Partitioned buffers, for collectives with a separate count for each rank.

use std::{borrow::Borrow, os::raw::c_void};

use sim_core::words::counted;

use super::{
    AsDatatype, Buffer, BufferMut, Kind, Partitioned, PartitionedBuffer, PartitionedBufferMut,
    Pointer, PointerMut, UncommittedDatatype,
};
use crate::{
    api::{Context, Count},
    call::Counts,
    error::{ErrorClass, MpiError},
    object::signature::Signature,
    policy::Policy,
};

/// A buffer to be sent in parts.
pub struct Partition<'b, B: ?Sized, C, D> {
    buffer: &'b B,
    counts: C,
    displs: D,
}

/// A buffer to be received into in parts.
pub struct PartitionMut<'b, B: ?Sized, C, D> {
    buffer: &'b mut B,
    counts: C,
    displs: D,
}

#[track_caller]
fn check(elements: Count, counts: &[Count], displs: &[Count]) {
    let (parts, places) = (counts.len() as u64, displs.len() as u64);
    assert!(
        parts == places,
        "a partition needs a displacement for each count; {} and {} were given",
        counted(parts, "count"),
        counted(places, "displacement"),
    );
    for (part, (count, at)) in counts.iter().zip(displs).enumerate() {
        assert!(*count >= 0, "part {part} of a partition has a negative count: {count}");
        assert!(*at >= 0, "part {part} of a partition has a negative displacement: {at}");
        let end = i64::from(*count) + i64::from(*at);
        assert!(
            end <= i64::from(elements),
            "part {part} of a partition lies outside of its buffer: count {count} and displacement {at} need {}, \
             and the buffer has {elements}",
            counted(end as u64, "element"),
        );
    }
}

impl<'b, B: Buffer + ?Sized, C: Borrow<[Count]>, D: Borrow<[Count]>> Partition<'b, B, C, D> {
    /// Creates parts of `counts` elements at displacements `displs`, in elements.
    ///
    /// # Panics
    /// If a part is not inside the buffer, a count or a displacement is negative, or there are not as many
    /// displacements as counts.
    #[track_caller]
    pub fn new(buffer: &'b B, counts: C, displs: D) -> Self {
        check(buffer.count(), counts.borrow(), displs.borrow());
        Self { buffer, counts, displs }
    }
}

impl<'b, B: BufferMut + ?Sized, C: Borrow<[Count]>, D: Borrow<[Count]>> PartitionMut<'b, B, C, D> {
    /// Creates parts of `counts` elements at displacements `displs`, in elements.
    ///
    /// # Panics
    /// If a part is not inside the buffer, a count or a displacement is negative, or there are not as many
    /// displacements as counts.
    #[track_caller]
    pub fn new(buffer: &'b mut B, counts: C, displs: D) -> Self {
        check(buffer.count(), counts.borrow(), displs.borrow());
        Self { buffer, counts, displs }
    }
}

macro_rules! partitions {
    ($($name:ident $bound:ident),*) => {$(
        // SAFETY: this is the datatype of the whole buffer.
        unsafe impl<B: $bound + ?Sized, C, D> AsDatatype for $name<'_, B, C, D> {
            type Out = B::Out;
            fn as_datatype(&self) -> Self::Out {
                self.buffer.as_datatype()
            }
        }
        // SAFETY: checked on creation.
        unsafe impl<B: ?Sized, C: Borrow<[Count]>, D: Borrow<[Count]>> Partitioned
            for $name<'_, B, C, D>
        {
            fn counts(&self) -> &[Count] {
                self.counts.borrow()
            }
            fn displs(&self) -> &[Count] {
                self.displs.borrow()
            }
        }
    )*};
}
partitions!(Partition Buffer, PartitionMut BufferMut);

// SAFETY: this is the address of the whole buffer.
unsafe impl<B: Buffer + ?Sized, C, D> Pointer for Partition<'_, B, C, D> {
    fn pointer(&self) -> *const c_void {
        self.buffer.pointer()
    }
}

// SAFETY: this is the address of the whole buffer.
unsafe impl<B: BufferMut + ?Sized, C, D> PointerMut for PartitionMut<'_, B, C, D> {
    fn pointer_mut(&mut self) -> *mut c_void {
        self.buffer.pointer_mut()
    }
}

// SAFETY: the parts are inside the buffer.
unsafe impl<B: Buffer + ?Sized, C: Borrow<[Count]>, D: Borrow<[Count]>> PartitionedBuffer
    for Partition<'_, B, C, D>
{
}

// SAFETY: the parts are inside the buffer.
unsafe impl<B: BufferMut + ?Sized, C: Borrow<[Count]>, D: Borrow<[Count]>> PartitionedBufferMut
    for PartitionMut<'_, B, C, D>
{
}

/// Packs the parts in order; returns the bytes, the size of each part and the signature of one
/// element.
pub(crate) fn pack_parts<B: PartitionedBuffer + ?Sized>(
    buffer: &B,
) -> Result<(Vec<u8>, Counts, Signature), MpiError> {
    let kind = buffer.as_datatype().kind();
    let mut bytes = Vec::new();
    for (count, at) in buffer.counts().iter().zip(buffer.displs()) {
        let offset = i64::from(*at) * kind.extent();
        let place = buffer.pointer().cast::<u8>().wrapping_offset(offset as isize);
        // SAFETY: a partition guarantees its parts.
        let part = unsafe { kind.payload(place, *count as usize) };
        bytes.extend_from_slice(part.as_slice());
    }
    Ok((bytes, part_bytes(buffer), kind.signature(1)))
}

/// Returns the bytes of each part.
pub(crate) fn part_bytes<B: Partitioned + AsDatatype + ?Sized>(buffer: &B) -> Counts {
    let size = buffer.as_datatype().kind().size();
    Counts::Each(buffer.counts().iter().map(|count| *count as u64 * size).collect())
}

/// Largest number of memory blocks that are compared.
const COMPARED_MAX: usize = 1 << 16;

/// Checks that no byte of a receive buffer belongs to two parts (MPI section 6.5). Parts with more
/// than [`COMPARED_MAX`] blocks are not checked.
///
/// # Errors
/// `MPI_ERR_ARG`, naming the two parts.
pub(crate) fn distinct<B: Partitioned + AsDatatype + ?Sized>(buffer: &B) -> Result<(), MpiError> {
    let kind = buffer.as_datatype().kind();
    let blocks = match &kind {
        Kind::Basic(..) => vec![(0, kind.size())],
        Kind::Derived(layout) => layout.blocks(),
    };
    let elements: usize = buffer.counts().iter().map(|count| (*count).max(0) as usize).sum();
    let dense = matches!(kind, Kind::Basic(..));
    if !dense && elements.saturating_mul(blocks.len()) > COMPARED_MAX {
        return Ok(());
    }
    let mut places: Vec<(i64, i64, usize)> = Vec::new();
    for (part, (count, at)) in buffer.counts().iter().zip(buffer.displs()).enumerate() {
        let start = i64::from(*at) * kind.extent();
        if dense && *count > 0 {
            places.push((start, start + i64::from(*count) * kind.extent(), part));
            continue;
        }
        for element in 0..i64::from(*count) {
            let from = start + element * kind.extent();
            let piece = |(at, size): &(i64, u64)| (from + at, from + at + *size as i64, part);
            places.extend(blocks.iter().map(piece));
        }
    }
    places.sort_unstable();
    let clash = places.windows(2).find(|pair| pair[1].0 < pair[0].1);
    let clash = clash.filter(|_| !Context::follows(Policy::OverlappingReceives));
    clash.map_or(Ok(()), |pair| {
        let text = format!("parts {} and {} of the receive buffer overlap", pair[0].2, pair[1].2);
        Err(MpiError::new(ErrorClass::Arg, text))
    })
}

/// Unpacks received parts, each at its displacement.
pub(crate) fn fill_parts<B: PartitionedBufferMut + ?Sized>(buffer: &mut B, bytes: &[u8]) {
    let kind = buffer.as_datatype().kind();
    let base = buffer.pointer_mut().cast::<u8>();
    let mut rest = bytes;
    for (count, at) in buffer.counts().iter().zip(buffer.displs()) {
        let place = base.wrapping_offset((i64::from(*at) * kind.extent()) as isize);
        let length = (*count as usize * kind.size() as usize).min(rest.len());
        let (part, after) = rest.split_at(length);
        // SAFETY: a partition guarantees its parts.
        unsafe { kind.place(part, place, *count as usize) };
        rest = after;
    }
}
