//! Where the parts of an image lie: the objects one after another, then what the loader adds.

use std::ops::Range;

use super::{
    cell,
    elf::{Elf, PAGE, pages_up},
};

/// Distances from the start of an image.
pub(crate) struct Layout {
    /// Beginning of each object.
    pub(crate) objects: Vec<usize>,
    /// Beginning of each object's thread-local block.
    pub(crate) thread_locals: Vec<usize>,
    /// The rank's thread pointer points here; the word holds its own address.
    pub(crate) thread_pointer: usize,
    /// Beginning of the cells.
    pub(crate) cells: usize,
    /// Bytes of an image.
    pub(crate) bytes: usize,
    /// Pages that are the same in all images.
    pub(crate) shared: Vec<Run>,
    /// Bytes of an image that are filled from the objects' files and may change.
    pub(crate) filled: Vec<Run>,
}

/// A run of bytes of one object.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) object: usize,
    /// Distance from the object's beginning.
    pub(crate) start: usize,
    pub(crate) bytes: usize,
}

impl Layout {
    pub(crate) fn new(objects: &[Elf]) -> Self {
        let mut end = 0;
        let mut starts = Vec::new();
        for object in objects {
            starts.push(end);
            end += object.span;
        }
        // What the loader adds follows the last variables, on the same page if there is room.
        let last = objects.last().and_then(|object| object.segments.iter().max_by_key(|s| s.end));
        if let (Some(segment), Some(start)) =
            (last.filter(|segment| segment.writable), starts.last())
        {
            end = start + segment.end;
        }
        let tls = || objects.iter().filter_map(|object| object.tls.as_ref());
        let align = tls().map(|tls| tls.align).max().unwrap_or(1).max(64);
        let total: usize = tls().map(|tls| tls.bytes.next_multiple_of(align)).sum();
        let thread_pointer = (end + total).next_multiple_of(align);
        let mut block = thread_pointer;
        let thread_locals = objects
            .iter()
            .map(|object| {
                if let Some(tls) = &object.tls {
                    block -= tls.bytes.next_multiple_of(align.min(tls.align));
                    block -= block % tls.align;
                }
                block
            })
            .collect();
        let cells = (thread_pointer + 8).next_multiple_of(64);
        let (shared, filled) = runs(objects);
        let bytes = pages_up(cells + cell::bytes(objects));
        Self { objects: starts, thread_locals, thread_pointer, cells, bytes, shared, filled }
    }
}

impl Layout {
    /// What is the same in all images, as distances from the start of an image.
    pub(crate) fn constants(&self) -> impl Iterator<Item = Range<usize>> {
        self.shared.iter().map(|run| {
            let start = self.objects[run.object] + run.start;
            start..start + run.bytes
        })
    }
}

/// Pages without a writable segment are shared; of the others, what the file fills is copied.
fn runs(objects: &[Elf]) -> (Vec<Run>, Vec<Run>) {
    let (mut shared, mut filled) = (Vec::new(), Vec::new());
    for (object, elf) in objects.iter().enumerate() {
        let mut writable = vec![false; elf.span / PAGE];
        for segment in elf.segments.iter().filter(|segment| segment.writable) {
            writable[segment.start / PAGE..segment.end.div_ceil(PAGE)].fill(true);
        }
        let mut page = 0;
        while page < writable.len() {
            let kind = writable[page];
            let pages = writable[page..].iter().take_while(|writable| **writable == kind).count();
            let start = page * PAGE;
            let bytes = pages * PAGE;
            if kind {
                let bytes = bytes.min(elf.bytes.len().saturating_sub(start));
                filled.push(Run { object, start, bytes });
            } else {
                shared.push(Run { object, start, bytes });
            }
            page += pages;
        }
    }
    (shared, filled)
}
