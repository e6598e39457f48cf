//! Blocks of basic types in the memory of programs: the buffers of the short path.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::{ptr, slice};

use mpi_api::{
    call::Payload,
    object::{
        datatype::Comb,
        signature::{Kind, Primitive, Signature},
    },
};

use super::transfer::{SENTINEL_MAX, carried};
use crate::{
    constant::{Handle, handle},
    state::object::primitive_of,
};

/// Handles of predefined types are below this value.
const BASIC_END: usize = handle::FIRST;
/// Handles of predefined types are not below this value.
const BASIC_BEGIN: usize = 0x200;

/// A basic type, with its size in bytes.
#[derive(Clone, Copy)]
struct Basic {
    primitive: Primitive,
    size: u8,
}

/// The basic types by handle. Pair types are missing: their values consist of two basic types.
static BASIC: [Option<Basic>; BASIC_END - BASIC_BEGIN] = {
    let mut table = [None; BASIC_END - BASIC_BEGIN];
    let mut at = 0;
    while at < table.len() {
        if let Some(primitive) = primitive_of(BASIC_BEGIN + at)
            && !matches!(primitive.kind(), Kind::Pair)
        {
            table[at] = Some(Basic { primitive, size: primitive.size() as u8 });
        }
        at += 1;
    }
    table
};

/// A block of elements of a basic type in the program's memory.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) address: usize,
    pub(super) bytes: usize,
    pub(super) primitive: Primitive,
    count: u64,
}

impl Block {
    /// A block of no elements.
    pub(super) const EMPTY: Self =
        Self { address: 0, bytes: 0, primitive: Primitive::Byte, count: 0 };

    /// Creates the block from the buffer, count and datatype arguments of a function, if they are
    /// valid and the datatype is a basic type.
    #[inline(always)]
    pub(super) fn new(address: usize, count: i64, datatype: Handle) -> Option<Self> {
        let Basic { primitive, size } = (*BASIC.get(datatype.wrapping_sub(BASIC_BEGIN))?)?;
        let count = u64::try_from(count).ok()?;
        let bytes = count.checked_mul(u64::from(size))?;
        if bytes > i64::MAX as u64 || (bytes > 0 && address <= SENTINEL_MAX) {
            return None;
        }
        Some(Self { address, bytes: bytes as usize, primitive, count })
    }

    #[inline(always)]
    pub(super) fn signature(self) -> Signature {
        // The same as `Signature::of` returns for a type that is not a pair.
        Signature::One(self.primitive, self.count)
    }

    #[inline(always)]
    pub(super) fn payload(self) -> Payload {
        Payload::from_slice(self.data())
    }

    /// Returns the data as the payload of a message, or their size if the run leaves out data of more than `limit`
    /// bytes.
    #[inline(always)]
    pub(super) fn message(self, limit: impl FnOnce() -> Option<u64>) -> Payload {
        carried(self.bytes as u64, limit, || self.payload())
    }

    /// Returns the data in place.
    #[inline(always)]
    pub(super) fn data<'a>(self) -> &'a [u8] {
        if self.bytes == 0 {
            return &[];
        }
        // SAFETY: the standard has the program pass memory that holds `count` elements.
        unsafe { slice::from_raw_parts(self.address as *const u8, self.bytes) }
    }

    /// Returns its bytes; `None` if there are none.
    #[inline(always)]
    pub(super) fn comb(self) -> Option<Comb> {
        let start = self.address as i64;
        Comb::block(start, start.wrapping_add(self.bytes as i64))
    }

    /// Reports whether the two blocks share a byte.
    pub(super) fn overlaps(self, other: Self) -> bool {
        self.address < other.address.wrapping_add(other.bytes)
            && other.address < self.address.wrapping_add(self.bytes)
    }

    /// Stores received data, which are not longer than the block.
    #[inline(always)]
    pub(super) fn put(self, data: &[u8]) {
        let to = self.address as *mut u8;
        // SAFETY: the standard has the program pass memory for `count` elements, and the kernel gives
        // no more bytes than there is room for.
        unsafe {
            match data.len() {
                0 => {}
                // Single numbers, by far the most frequent sizes, are copied as words.
                4 => ptr::copy_nonoverlapping(data.as_ptr(), to, 4),
                8 => ptr::copy_nonoverlapping(data.as_ptr(), to, 8),
                bytes => ptr::copy_nonoverlapping(data.as_ptr(), to, bytes),
            }
        }
    }
}
