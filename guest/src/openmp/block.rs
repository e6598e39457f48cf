//! Zeroed memory that the run-time system allocates for programs.
#![allow(unsafe_code, reason = "allocates memory with the alignment that compilers ask for")]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};

/// A block of zeroed memory, released when it is dropped.
pub(super) struct Block {
    start: *mut u8,
    layout: Layout,
}

impl Block {
    /// Allocates at least one byte. An alignment that is no power of two counts as 64.
    pub(super) fn new(bytes: usize, align: usize) -> Self {
        let align = if align.is_power_of_two() { align.max(16) } else { 64 };
        let layout = Layout::from_size_align(bytes.max(1), align)
            .unwrap_or_else(|_| handle_alloc_error(Layout::new::<u8>()));
        // SAFETY: the size is not zero.
        let start = unsafe { alloc_zeroed(layout) };
        if start.is_null() {
            handle_alloc_error(layout);
        }
        Self { start, layout }
    }

    /// Returns its address.
    pub(super) fn start(&self) -> usize {
        self.start as usize
    }

    /// Copies as many bytes as it has from `source`.
    ///
    /// # Safety
    /// That many bytes can be read there.
    pub(super) unsafe fn fill(&self, source: usize, bytes: usize) {
        let bytes = bytes.min(self.layout.size());
        // SAFETY: guaranteed by the caller; the block is that long.
        unsafe { std::ptr::copy_nonoverlapping(source as *const u8, self.start, bytes) };
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.start, self.layout) };
    }
}
