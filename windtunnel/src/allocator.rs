//! The allocator of the command. A simulation that needs more memory than is available ends with a
//! message and the numbers, not with a backtrace; so does one whose memory the program has damaged.
#![allow(unsafe_code, reason = "is an allocator, and may not allocate when it fails")]

use std::{
    alloc::{GlobalAlloc, Layout},
    fmt::{self, Write},
};

use mimalloc::MiMalloc;
use sim_core::interrupt;
use workers::{OUT_OF_MEMORY, is_worker};

/// Size from which an allocation counts as growth of the process, in bytes: data of messages that a few
/// events may add up to more than is left.
const LARGE: usize = 128 << 10;

/// A [`GlobalAlloc`] that forwards to mimalloc. Every message allocates and frees small blocks:
/// mimalloc serves them faster than the system's allocator and does not return large tables to the
/// system again and again. The process ends if no memory is left.
pub(crate) struct Allocator;

// SAFETY: every method forwards to a correct allocator, and `given` never returns null.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `GlobalAlloc`.
        given(unsafe { MiMalloc.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `GlobalAlloc`.
        given(unsafe { MiMalloc.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `GlobalAlloc`.
        given(unsafe { MiMalloc.realloc(place, layout, size) }, size)
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of `GlobalAlloc`.
        unsafe { MiMalloc.dealloc(place, layout) }
    }
}

#[inline(always)]
fn given(place: *mut u8, bytes: usize) -> *mut u8 {
    if place.is_null() {
        exhausted(bytes);
    }
    if bytes >= LARGE {
        interrupt::note_allocation(bytes);
    }
    place
}

/// A text of bounded length that is formatted without allocating memory.
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

impl Text {
    /// Writes it to standard error.
    fn say(&self) {
        // SAFETY: the bytes are there.
        unsafe { libc::write(libc::STDERR_FILENO, self.bytes.as_ptr().cast(), self.length) };
    }
}

/// Ends this process because the system has no memory for another `bytes` bytes.
#[cold]
pub(crate) fn exhausted(bytes: usize) -> ! {
    let mut text = Text { bytes: [0; 256], length: 0 };
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is a local structure of the right type.
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
    text.say();
    // SAFETY: ends this process at once.
    unsafe { libc::_exit(code) }
}

/// Says that a signal struck this process outside of the program that it runs. The report of a check says that of its
/// workers.
pub(crate) fn damaged(signal: i32) {
    if is_worker() {
        return;
    }
    let mut text = Text { bytes: [0; 256], length: 0 };
    let _ = write!(
        text,
        "error: signal {signal} struck the simulator: the program has probably written to memory that is not its \
         own\n  help: `windtunnel check` runs each execution in a process of its own and reports on it\n"
    );
    text.say();
}
