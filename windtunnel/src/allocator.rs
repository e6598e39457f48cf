//! The allocator of the command: a simulation that needs more memory than there is ends with a message and
//! the numbers, not with a backtrace.
#![allow(unsafe_code, reason = "is an allocator, and may not allocate when it fails")]

use std::{
    alloc::{GlobalAlloc, Layout},
    fmt::{self, Write},
};

use mimalloc::MiMalloc;
use workers::{OUT_OF_MEMORY, is_worker};

/// Small blocks come and go with every message: this allocator gives them out faster than the
/// system's, and keeps large tables from being handed back and forth. Where it has none the process ends.
pub(crate) struct Allocator;

// SAFETY: hands on to an allocator, and never returns null.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's.
        given(unsafe { MiMalloc.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's.
        given(unsafe { MiMalloc.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's.
        given(unsafe { MiMalloc.realloc(place, layout, size) }, size)
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { MiMalloc.dealloc(place, layout) }
    }
}

#[inline(always)]
fn given(place: *mut u8, bytes: usize) -> *mut u8 {
    if place.is_null() {
        exhausted(bytes);
    }
    place
}

/// A text of bounded length, for which nothing is allocated.
struct Text {
    bytes: [u8; 256],
    length: usize,
}

impl Write for Text {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let room = &mut self.bytes[self.length..];
        let count = part.len().min(room.len());
        room[..count].copy_from_slice(&part.as_bytes()[..count]);
        self.length += count;
        Ok(())
    }
}

/// Ends this process: there is no memory left.
#[cold]
fn exhausted(bytes: usize) -> ! {
    let mut text = Text { bytes: [0; 256], length: 0 };
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) };
    let _ = match limit.rlim_cur {
        libc::RLIM_INFINITY => {
            write!(text, "error: out of memory: the system does not give {} KiB more", bytes >> 10)
        }
        most => write!(
            text,
            "error: out of memory: {} KiB more do not fit into the {} KiB of address space that \
             `ulimit -v` allows",
            bytes >> 10,
            most >> 10
        ),
    };
    let _ = text.write_str("\n  help: raise the limit, or make the run smaller\n");
    let code = if is_worker() { OUT_OF_MEMORY } else { 2 };
    // SAFETY: both need no memory.
    unsafe {
        libc::write(libc::STDERR_FILENO, text.bytes.as_ptr().cast(), text.length);
        libc::_exit(code);
    }
}
