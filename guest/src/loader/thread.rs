//! Thread-local variables of a rank's additional threads. Each thread has its own block, laid out
//! like the one in the image; the words of the image that lead to the block are rewritten when
//! another thread of the rank resumes.
#![allow(unsafe_code, reason = "writes the words of an image")]

use std::{
    alloc::{Layout, alloc_zeroed, dealloc},
    cell::Cell,
    ptr,
};

use super::Program;

/// The words of one image that select the thread-local variables of its running thread.
pub(crate) struct ThreadLocals {
    /// Address of the word that holds the thread pointer, the target of the main thread's pointer.
    pointer: usize,
    /// Bytes of the variables below the thread pointer, and their alignment.
    below: usize,
    align: usize,
    /// Distance below the thread pointer, address and size in bytes of each object's initial
    /// values.
    templates: Vec<(usize, usize, usize)>,
    /// Addresses of words that move along with the thread pointer.
    blocks: Vec<usize>,
    /// Addresses of words that hold distances from the thread pointer to data that do not move.
    distances: Vec<usize>,
    /// Thread pointer of the thread whose variables the image currently uses.
    shown: Cell<usize>,
}

/// The thread-local variables of one additional thread.
pub(crate) struct Block {
    memory: *mut u8,
    layout: Layout,
    /// Thread pointer of the thread.
    pub(crate) pointer: usize,
}

impl ThreadLocals {
    /// Collects the words of the image at `base`, which must be relocated.
    pub(crate) fn new(program: &Program, base: *mut u8) -> Self {
        let at = |place: usize| base as usize + place;
        let Program { layout, plan, objects, .. } = program;
        let lowest = layout.thread_locals.iter().min().copied();
        let mut templates = Vec::new();
        for (index, elf) in objects.iter().enumerate() {
            let Some(tls) = &elf.tls else { continue };
            let below = layout.thread_pointer - layout.thread_locals[index];
            templates.push((below, at(layout.objects[index] + tls.start), tls.file_bytes));
        }
        let aligns = objects.iter().filter_map(|elf| elf.tls.as_ref()).map(|tls| tls.align);
        Self {
            pointer: at(layout.thread_pointer),
            below: layout.thread_pointer - lowest.unwrap_or(layout.thread_pointer),
            align: aligns.max().unwrap_or(1).max(64),
            templates,
            blocks: plan.thread_blocks.iter().map(|place| at(*place)).collect(),
            distances: plan.host_thread_locals.iter().map(|(place, ..)| at(*place)).collect(),
            shown: Cell::new(at(layout.thread_pointer)),
        }
    }

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
