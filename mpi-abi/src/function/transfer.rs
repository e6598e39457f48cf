//! Moves data between a program's memory and messages.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use mpi_api::{
    call::{Layout, Payload},
    object::{
        datatype::{Comb, Datatype},
        signature::{Primitive, Signature},
    },
};
use smallvec::SmallVec;

use super::fingerprint;
use crate::{
    constant::class,
    state::fault::{Fault, Mpi},
};

/// The address `MPI_IN_PLACE`.
pub(crate) const IN_PLACE: usize = 1;
/// The largest special address: `MPI_BOTTOM`, `MPI_IN_PLACE`, `MPI_BUFFER_AUTOMATIC`.
pub(super) const SENTINEL_MAX: usize = 2;

/// The lowest address at which a program can have memory.
const LOWEST_PAGE: i64 = 4096;

/// A buffer: a number of elements of a type, starting at an address.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) address: usize,
    pub(crate) count: i64,
    pub(crate) datatype: Datatype,
}

/// The buffers of one operation, usually one.
pub(crate) type Parts = SmallVec<[Part; 1]>;

impl Part {
    /// Returns bytes as a part.
    #[cold]
    pub(crate) fn of_bytes(address: usize, count: i64) -> Self {
        Self { address, count, datatype: Datatype::predefined(Primitive::Byte) }
    }

    /// Returns the bytes of a comb as a part, or a part of no bytes.
    #[cold]
    pub(super) fn of_comb(comb: Option<Comb>) -> Self {
        let Some(comb) = comb else { return Self::of_bytes(0, 0) };
        let (address, length) = (comb.range().0 as usize, comb.length());
        if comb.count() == 1 {
            return Self::of_bytes(address, length);
        }
        let byte = Datatype::predefined(Primitive::Byte);
        let datatype = Datatype::hvector(comb.count(), length, comb.stride(), &byte);
        Self { address, count: 1, datatype: datatype.expect("a comb that a datatype made") }
    }

    /// Reports whether there are data at an address without memory. Types with absolute
    /// displacements are not affected.
    #[cold]
    pub(super) fn is_nowhere(&self) -> bool {
        let first = self.datatype.span(self.count as usize).start;
        self.bytes() > 0 && (0..LOWEST_PAGE).contains(&first)
    }

    /// Checks that the buffer can hold a message: `MPI_IN_PLACE` is for collective operations only.
    pub(crate) fn check_message(&self) -> Mpi {
        if self.address <= SENTINEL_MAX && self.address > 0 && self.bytes() > 0 {
            return Err(Fault::new(class::BUFFER, "the buffer is a constant of MPI"));
        }
        Ok(())
    }

    /// Returns the size of the data in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.datatype.size() * self.count as u64
    }

    /// Returns the same buffer, moved by `displacement` extents.
    pub(crate) fn at(&self, displacement: i64) -> Self {
        let by = displacement * self.datatype.extent();
        Self { address: self.address.wrapping_add_signed(by as isize), ..self.clone() }
    }

    pub(crate) fn with_count(&self, count: i64) -> Self {
        Self { count, ..self.clone() }
    }

    pub(crate) fn signature(&self) -> Signature {
        self.datatype.signature_of(self.count as u64)
    }

    pub(crate) fn layout(&self) -> Layout {
        if self.datatype.is_contiguous() { Layout::Dense } else { Layout::Strided }
    }

    /// Appends the packed data to `out`.
    pub(crate) fn pack(&self, out: &mut Vec<u8>) {
        // Nearly all parts: the general way takes 80 instructions before the copy.
        if let Some(data) = self.dense() {
            return out.extend_from_slice(data);
        }
        // SAFETY: the standard has the program pass memory that holds `count` elements.
        unsafe { self.datatype.pack(self.address as *const u8, self.count as usize, out) };
    }

    /// Returns the data in place, if there are any and they have no gaps.
    pub(crate) fn dense(&self) -> Option<&[u8]> {
        let (start, bytes) = self.place()?;
        // SAFETY: as in `pack`.
        Some(unsafe { std::slice::from_raw_parts(start as *const u8, bytes) })
    }

    /// Returns the address of the first byte and the number of bytes, if there are any and they
    /// have no gaps: a contiguous type's data begin at its true lower bound.
    fn place(&self) -> Option<(usize, usize)> {
        let bytes = self.bytes() as usize;
        if bytes == 0 || !self.datatype.is_contiguous() {
            return None;
        }
        Some((self.address.wrapping_add_signed(self.datatype.true_lb() as isize), bytes))
    }

    /// Returns the data as the payload of a message, or their size if the run leaves out data of more than `limit`
    /// bytes.
    pub(crate) fn message(&self, limit: Option<u64>) -> Payload {
        Payload::carried(self.bytes(), limit, || self.payload())
    }

    /// Returns the data as a payload.
    pub(crate) fn payload(&self) -> Payload {
        let bytes = self.bytes() as usize;
        if let Some(data) = self.dense().filter(|data| data.len() <= 16) {
            return Payload::from_slice(data);
        }
        let mut out = Vec::with_capacity(bytes);
        self.pack(&mut out);
        out.into()
    }

    /// Unpacks data into the buffer; they may be shorter than the buffer.
    pub(crate) fn unpack(&self, bytes: &[u8]) {
        // As in `pack`.
        if let Some((start, room)) = self.place() {
            let used = bytes.len().min(room);
            // SAFETY: the standard has the program pass memory for `count` elements, which begins
            // at `start`; `bytes` is memory of ours.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), start as *mut u8, used) };
            return;
        }
        // SAFETY: the standard has the program pass memory for `count` elements.
        unsafe { self.datatype.unpack(bytes, self.address as *mut u8, self.count as usize) };
    }
}

/// Like [`Part::message`], for the data of all parts.
pub(crate) fn message_of_all(parts: &[Part], limit: Option<u64>) -> Payload {
    let bytes = parts.iter().map(Part::bytes).sum();
    Payload::carried(bytes, limit, || pack_all(parts).into())
}

/// Returns the packed data of all parts, one after the other.
pub(crate) fn pack_all(parts: &[Part]) -> Vec<u8> {
    let mut out = Vec::with_capacity(parts.iter().map(|part| part.bytes() as usize).sum());
    parts.iter().for_each(|part| part.pack(&mut out));
    out
}

/// Unpacks data into the parts, in order.
pub(crate) fn unpack_all(parts: &[Part], mut bytes: &[u8]) {
    for part in parts {
        let mine = (part.bytes() as usize).min(bytes.len());
        part.unpack(&bytes[..mine]);
        bytes = &bytes[mine..];
    }
}

/// Returns the bytes of a comb that is a single block.
#[inline]
fn block_of<'a>(comb: &Comb) -> &'a [u8] {
    let (start, end) = comb.range();
    // SAFETY: the standard has the program pass memory for the whole buffer.
    unsafe { std::slice::from_raw_parts(start as *const u8, (end - start) as usize) }
}

/// Like [`Part::message`], for the data of a comb.
#[inline]
pub(super) fn message_of(comb: Option<Comb>, limit: impl FnOnce() -> Option<u64>) -> Payload {
    carried(comb.map_or(0, |comb| comb.bytes()), limit, || payload_of(comb))
}

/// Size of data that are packed without a look at the settings of the run, which would take as long.
const ALWAYS_PACKED: u64 = 64;

/// Like [`Payload::carried`], for the short path.
#[inline(always)]
pub(super) fn carried(
    bytes: u64,
    limit: impl FnOnce() -> Option<u64>,
    pack: impl FnOnce() -> Payload,
) -> Payload {
    match bytes {
        ..=ALWAYS_PACKED => pack(),
        _ => Payload::carried(bytes, limit(), pack),
    }
}

#[inline]
fn payload_of(comb: Option<Comb>) -> Payload {
    match comb {
        None => Payload::EMPTY,
        Some(comb) if comb.count() == 1 => Payload::from_slice(block_of(&comb)),
        Some(comb) => {
            let mut out = Vec::with_capacity(comb.bytes() as usize);
            // SAFETY: as in `block_of`.
            unsafe { comb.pack(&mut out) };
            out.into()
        }
    }
}

/// Writes received data to a comb.
#[inline]
pub(super) fn store(comb: &Comb, data: &[u8]) {
    // SAFETY: the standard has the program pass memory for the whole buffer.
    unsafe { comb.unpack(data) };
}

/// Returns the fingerprint of the data of a comb; `packed` is scratch memory.
#[inline]
pub(super) fn fingerprint_of(
    comb: &Comb,
    packed: impl FnOnce(&dyn Fn(&mut Vec<u8>) -> u64) -> u64,
) -> u64 {
    if comb.count() == 1 {
        return fingerprint::extend(0, block_of(comb));
    }
    if comb.length() == size_of::<u64>() as i64 {
        let word = |at: usize| (comb.range().0 + at as i64 * comb.stride()) as *const u64;
        // SAFETY: `word` returns the address of a block; as in `block_of`.
        let read = |at: usize| unsafe { word(at).read_unaligned() };
        return fingerprint::of_words(comb.count() as usize, read);
    }
    packed(&|bytes| {
        bytes.clear();
        // SAFETY: as in `block_of`.
        unsafe { comb.pack(bytes) };
        fingerprint::extend(0, bytes)
    })
}
