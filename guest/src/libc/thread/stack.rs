//! Stacks of threads that ask for more than the default, or provide their own.
#![allow(unsafe_code, reason = "maps memory as a stack")]

use std::{ffi::c_void, io, ptr};

use super::attribute::Attributes;

/// Default stack size in bytes: address space, of which only touched pages take memory.
const COMMON: usize = 8 << 20;
/// Bytes of the guard area below each stack that is allocated here.
const GUARD: usize = 64 << 10;

/// The stack of a thread.
pub(super) struct Stack {
    /// Its own mapping and the size in bytes.
    mapping: Option<(*mut c_void, usize)>,
    end: usize,
}

impl Stack {
    /// Creates the stack that the attributes ask for.
    ///
    /// # Errors
    /// If the system gives no memory.
    pub(super) fn of(attributes: Option<&Attributes>) -> io::Result<Self> {
        let Some(attributes) = attributes else { return Ok(Self { mapping: None, end: 0 }) };
        if let Some(end) = attributes.end_of_own_stack() {
            return Ok(Self { mapping: None, end: end & !15 });
        }
        if attributes.stack_bytes() <= COMMON {
            return Ok(Self { mapping: None, end: 0 });
        }
        let bytes = (attributes.stack_bytes() + GUARD).next_multiple_of(4096);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new anonymous mapping overlaps no existing memory.
        let start = unsafe { libc::mmap(ptr::null_mut(), bytes, access, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the lowest pages of the mapping made above.
        unsafe { libc::mprotect(start, GUARD, libc::PROT_NONE) };
        Ok(Self { mapping: Some((start, bytes)), end: start as usize + bytes })
    }

    /// Returns its end; 0 stands for the stack of the coroutine.
    pub(super) fn end(&self) -> usize {
        self.end
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        if let Some((start, bytes)) = self.mapping {
            // SAFETY: the mapping is ours, and no frame is left on it.
            unsafe { libc::munmap(start, bytes) };
        }
    }
}
