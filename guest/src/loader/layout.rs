//! The layout of an image: the objects one after another, then the data that the loader adds.

use std::ops::Range;

use super::{
    cell,
    elf::{Elf, PAGE, pages_up},
};

/// Offsets from the start of an image, in bytes.
pub(crate) struct Layout {
    /// Start of each object.
    pub(crate) objects: Vec<usize>,
    /// Start of each object's thread-local block.
    pub(crate) thread_locals: Vec<usize>,
    /// Target of the rank's thread pointer; the word there holds its own address.
    pub(crate) thread_pointer: usize,
    /// Start of the cells of private variables.
    pub(crate) cells: usize,
    /// Size of an image in bytes.
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
    /// Offset from the start of the object.
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
        // The loader's own data follow the last variables, on the same page if there is room.
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
    /// Returns the ranges that are the same in all images, as offsets from the start of an image.
    pub(crate) fn constants(&self) -> impl Iterator<Item = Range<usize>> {
        self.shared.iter().map(|run| {
            let start = self.objects[run.object] + run.start;
            start..start + run.bytes
        })
    }
}

/// Splits the pages: those without a writable segment are shared; of the others, the bytes from the
/// file are copied.
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
