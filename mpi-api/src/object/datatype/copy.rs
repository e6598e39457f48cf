//! Packing and unpacking: conversion between data in memory and dense bytes.
#![allow(unsafe_code, reason = "the program's memory is known by address, as in C")]

use std::{ops::ControlFlow, ptr};

use super::{Comb, Datatype, shape::Strip};
use crate::error::{ErrorClass, MpiError};

impl Datatype {
    /// Appends the data of `count` elements at `base` to `out`, in the order of the type map.
    /// With absolute displacements `base` is null (`MPI_BOTTOM`).
    ///
    /// # Safety
    /// Every byte of the type map, placed at `base`, is initialised memory that may be read.
    pub unsafe fn pack(&self, base: *const u8, count: usize, out: &mut Vec<u8>) {
        let total = self.size() as usize * count;
        out.reserve(total);
        let start = out.len();
        // SAFETY: `total` bytes past the length were just reserved.
        let mut to = unsafe { out.as_mut_ptr().add(start) };
        let _ = self.repeated(count).walk(0, &mut |strip| {
            // SAFETY: the caller guarantees the sources; the strips of all elements together have
            // `total` bytes, so that `to` stays inside the reserved room.
            unsafe {
                copy_strip(strip, base, &mut to, |memory, dense, length| {
                    ptr::copy_nonoverlapping(memory.cast_const(), dense, length);
                });
            }
            ControlFlow::Continue(())
        });
        // SAFETY: exactly `total` bytes were written.
        unsafe { out.set_len(start + total) };
    }

    /// Unpacks dense bytes into `count` elements at `base` and returns how many bytes were used. If
    /// there are fewer bytes than room, they fill a prefix.
    ///
    /// # Safety
    /// Every byte of the type map, placed at `base`, is memory that may be written.
    pub unsafe fn unpack(&self, bytes: &[u8], base: *mut u8, count: usize) -> usize {
        let (mut from, mut left) = (bytes.as_ptr(), bytes.len());
        let _ = self.repeated(count).walk(0, &mut |strip| {
            // SAFETY: the caller guarantees the targets; `left` bytes are left of `bytes`.
            let used = unsafe { unpack_strip(strip, base, from, left) };
            // SAFETY: `used` is at most `left`.
            from = unsafe { from.add(used) };
            left -= used;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        bytes.len() - left
    }

    /// Like [`Datatype::pack`], from `memory`, where displacement 0 is the byte at `origin`.
    ///
    /// # Errors
    /// `MPI_ERR_BUFFER` if the elements reach outside `memory`.
    pub fn pack_slice(
        &self,
        memory: &[u8],
        origin: usize,
        count: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), MpiError> {
        self.inside(memory.len(), origin, count)?;
        // SAFETY: all bytes of the type map are inside `memory`, as was just checked.
        unsafe { self.pack(memory.as_ptr().wrapping_add(origin), count, out) };
        Ok(())
    }

    /// Like [`Datatype::unpack`], into `memory`, where displacement 0 is the byte at `origin`.
    ///
    /// # Errors
    /// `MPI_ERR_BUFFER` if the elements reach outside `memory`.
    pub fn unpack_slice(
        &self,
        bytes: &[u8],
        memory: &mut [u8],
        origin: usize,
        count: usize,
    ) -> Result<usize, MpiError> {
        self.inside(memory.len(), origin, count)?;
        // SAFETY: all bytes of the type map are inside `memory`, as was just checked.
        Ok(unsafe { self.unpack(bytes, memory.as_mut_ptr().wrapping_add(origin), count) })
    }

    /// Checks that `count` elements lie inside `length` bytes, with displacement 0 at `origin`.
    ///
    /// # Errors
    /// `MPI_ERR_BUFFER` if not.
    pub fn inside(&self, length: usize, origin: usize, count: usize) -> Result<(), MpiError> {
        let span = self.span(count);
        let room = -(origin as i64)..length as i64 - origin as i64;
        if span.is_empty() || (span.start >= room.start && span.end <= room.end) {
            return Ok(());
        }
        let text = format!("bytes {span:?} of a buffer that has {room:?}");
        Err(MpiError::new(ErrorClass::Buffer, text))
    }
}

impl Comb {
    /// Returns the blocks relative to the first one.
    fn strip(&self) -> Strip {
        let (count, length) = (self.count() as u64, self.length() as u64);
        Strip { at: 0, count, stride: self.stride(), length }
    }

    /// Returns the address of the first block. It must be made from the number: a pointer computed
    /// from the null pointer may access no memory.
    fn first(&self) -> *mut u8 {
        self.range().0 as *mut u8
    }

    /// Appends the bytes of all blocks, which are at absolute addresses, to `out`.
    ///
    /// # Safety
    /// Every byte is initialised memory that may be read.
    #[inline]
    pub unsafe fn pack(&self, out: &mut Vec<u8>) {
        let total = self.bytes() as usize;
        out.reserve(total);
        let start = out.len();
        // SAFETY: `total` bytes past the length were just reserved; the caller guarantees the
        // sources.
        unsafe {
            let mut to = out.as_mut_ptr().add(start);
            copy_strip(self.strip(), self.first(), &mut to, |memory, dense, length| {
                ptr::copy_nonoverlapping(memory.cast_const(), dense, length);
            });
            out.set_len(start + total);
        }
    }

    /// Writes bytes to the blocks, which are at absolute addresses; too few bytes fill a prefix.
    ///
    /// # Safety
    /// Every byte of the blocks is memory that may be written.
    #[inline]
    pub unsafe fn unpack(&self, bytes: &[u8]) {
        // SAFETY: the caller guarantees the targets.
        unsafe { unpack_strip(self.strip(), self.first(), bytes.as_ptr(), bytes.len()) };
    }
}

/// Copies up to `left` dense bytes into the blocks of a strip and returns how many.
///
/// # Safety
/// `left` bytes from `from` on may be read, and every block of the strip, placed at `base`, may be
/// written.
unsafe fn unpack_strip(strip: Strip, base: *mut u8, from: *const u8, left: usize) -> usize {
    let (whole, rest) = fitting(strip, left);
    let mut dense = from.cast_mut();
    // SAFETY: the caller guarantees the targets; `whole` and `rest` are limited to `left` bytes. The
    // dense side is only read.
    unsafe {
        copy_strip(whole, base, &mut dense, |memory, dense, length| {
            ptr::copy_nonoverlapping(dense.cast_const(), memory, length);
        });
        if rest > 0 {
            let end = whole.at.wrapping_add(whole.stride.wrapping_mul(whole.count as i64));
            let memory = base.wrapping_offset(end as isize);
            ptr::copy_nonoverlapping(dense.cast_const(), memory, rest);
        }
    }
    (whole.count * whole.length) as usize + rest
}

/// Returns the whole blocks of a strip that `left` bytes fill, and the bytes left for the next
/// block.
fn fitting(strip: Strip, left: usize) -> (Strip, usize) {
    if strip.count * strip.length <= left as u64 {
        return (strip, 0);
    }
    let count = strip.count.min(left as u64 / strip.length);
    let rest = if count < strip.count { left - (count * strip.length) as usize } else { 0 };
    (Strip { count, ..strip }, rest)
}

/// Calls `copy` with both ends of every block; the length is a constant for common lengths, so that
/// the copy compiles to a load and a store.
///
/// # Safety
/// As `copy` demands for every block of the strip and as many dense bytes from `dense` on.
unsafe fn copy_strip(
    strip: Strip,
    base: *const u8,
    dense: &mut *mut u8,
    copy: impl Fn(*mut u8, *mut u8, usize),
) {
    let step = |length: usize| {
        let mut at = strip.at as isize;
        let mut to = *dense;
        for _ in 0..strip.count {
            copy(base.wrapping_offset(at).cast_mut(), to, length);
            at = at.wrapping_add(strip.stride as isize);
            to = to.wrapping_add(length);
        }
        to
    };
    *dense = match strip.length {
        1 => step(1),
        4 => step(4),
        8 => step(8),
        16 => step(16),
        length => step(length as usize),
    };
}
