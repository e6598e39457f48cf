//! Stacks of threads that ask for more than every thread has, or bring their own.
#![allow(unsafe_code, reason = "maps memory as a stack")]

use std::{ffi::c_void, io, ptr};

use super::attribute::Attributes;

/// What every thread has at least: address space, of which what is touched takes memory.
const COMMON: usize = 8 << 20;
/// Below each stack that is made here.
const GUARD: usize = 64 << 10;

/// Where a thread has its frames.
pub(super) struct Stack {
    /// A mapping of its own, and its bytes.
    mapping: Option<(*mut c_void, usize)>,
    end: usize,
}

impl Stack {
    /// As the attributes want it.
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
        // SAFETY: a fresh anonymous mapping touches no memory of ours.
        let start = unsafe { libc::mmap(ptr::null_mut(), bytes, access, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the lowest pages of the mapping made above.
        unsafe { libc::mprotect(start, GUARD, libc::PROT_NONE) };
        Ok(Self { mapping: Some((start, bytes)), end: start as usize + bytes })
    }

    /// Where it ends; 0 is that of its coroutine.
    pub(super) fn end(&self) -> usize {
        self.end
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        if let Some((start, bytes)) = self.mapping {
            // SAFETY: a mapping of ours, on which no frame is left.
            unsafe { libc::munmap(start, bytes) };
        }
    }
}
