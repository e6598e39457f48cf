//! Thread-local variables of a rank's additional threads. Each thread has its own block, laid out
//! like the one in the image; the words of the image that lead to the block are rewritten when
//! another thread of the rank resumes.
#![allow(unsafe_code, reason = "writes the words of an image")]

use std::{
    alloc::{Layout, alloc_zeroed, dealloc},
    cell::Cell,
    ptr,
};

/// The words of one image that select the thread-local variables of its running thread.
pub(crate) struct ThreadLocals {
    /// Address of the word that holds the thread pointer, the target of the main thread's pointer.
    pub(super) pointer: usize,
    /// Bytes of the variables below the thread pointer, and their alignment.
    pub(super) below: usize,
    pub(super) align: usize,
    /// Distance below the thread pointer, address and size in bytes of each object's initial
    /// values.
    pub(super) templates: Vec<(usize, usize, usize)>,
    /// Addresses of words that move along with the thread pointer.
    pub(super) blocks: Vec<usize>,
    /// Addresses of words that hold distances from the thread pointer to data that do not move.
    pub(super) distances: Vec<usize>,
    /// Thread pointer of the thread whose variables the image currently uses.
    pub(super) shown: Cell<usize>,
}

/// The thread-local variables of one additional thread.
pub(crate) struct Block {
    memory: *mut u8,
    layout: Layout,
    /// Thread pointer of the thread.
    pub(crate) pointer: usize,
}

impl ThreadLocals {
    /// Returns the thread pointer of the main thread.
    pub(crate) fn main(&self) -> usize {
        self.pointer
    }

    /// Creates variables with their initial values; `None` if there is no memory.
    pub(crate) fn block(&self) -> Option<Block> {
        let below = self.below.next_multiple_of(self.align);
        let layout = Layout::from_size_align(below + size_of::<usize>(), self.align).ok()?;
        // SAFETY: the size is not zero.
        let memory = unsafe { alloc_zeroed(layout) };
        if memory.is_null() {
            return None;
        }
        let pointer = memory as usize + below;
        for (below, source, bytes) in &self.templates {
            let target = (pointer - below) as *mut u8;
            // SAFETY: the template lies in the image, the target inside the block.
            unsafe { ptr::copy_nonoverlapping(*source as *const u8, target, *bytes) };
        }
        // SAFETY: the last word of the block.
        unsafe { (pointer as *mut usize).write(pointer) };
        Some(Block { memory, layout, pointer })
    }

    /// Switches the program to the variables of the thread with this thread pointer.
    pub(crate) fn show(&self, pointer: usize) {
        let moved = pointer.wrapping_sub(self.shown.replace(pointer));
        if moved == 0 {
            return;
        }
        let add = |place: &usize, distance: usize| {
            let word = *place as *mut usize;
            // SAFETY: the loader has written this word of the image, which is writable.
            unsafe { word.write_unaligned(word.read_unaligned().wrapping_add(distance)) };
        };
        add(&self.pointer, moved);
        self.blocks.iter().for_each(|place| add(place, moved));
        self.distances.iter().for_each(|place| add(place, moved.wrapping_neg()));
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the memory and the layout are those of `block`.
        unsafe { dealloc(self.memory, self.layout) };
    }
}
