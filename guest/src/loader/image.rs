//! The memory image of one rank.
#![allow(unsafe_code, reason = "writes the words of an image and jumps into it")]

use std::{cell::Cell, ptr, rc::Rc};

use super::{
    enter,
    error::LoadError,
    images::Images,
    plan::Source,
    program::{Program, Start},
    symbol::host_symbol,
    thread::ThreadLocals,
};
use crate::{
    debugger,
    libc::{
        cxx, dynamic,
        ending::Ending,
        host::Host,
        life,
        process::{self, Routines},
        rank::Rank,
        thread,
    },
    openmp::present,
};

/// The memory and the C library state of one rank.
pub struct Image {
    images: Rc<Images>,
    slot: usize,
    base: *mut u8,
    rank: Rc<Rank>,
    /// The argument strings, NUL-terminated; the program may write to them.
    arguments: Vec<Box<[Cell<u8>]>>,
}

impl Image {
    pub(super) fn new(
        images: &Rc<Images>,
        number: u32,
        arguments: &[String],
        host: Rc<dyn Host>,
    ) -> Result<Self, LoadError> {
        let program = &images.program;
        let memory = |source| LoadError::Memory { ranks: 1, bytes: program.layout.bytes, source };
        let (slot, base) = images.take().map_err(memory)?;
        relocate(program, base);
        for frames in program.frame_tables(base) {
            cxx::register_frames(frames);
        }
        let arguments =
            arguments.iter().map(|text| text.bytes().chain([0]).map(Cell::new).collect()).collect();
        let sites = Rc::clone(&images.sites);
        let block = program.plan.fortran_block.map_or(0, |place| base as usize + place);
        let locals = thread_locals(program, base);
        let place = (base as usize, block);
        let variables = program.cells.variables(base as usize);
        let rank = Rc::new(Rank::new(
            number,
            host,
            place,
            variables,
            sites,
            (locals, thread::begin_detached),
        ));
        rank.set_constants(Rc::clone(&images.constants));
        dynamic::begin_rank(&rank, program);
        images.live.borrow_mut().insert(slot, Rc::clone(&rank));
        for (object, start) in program.objects.iter().zip(&program.layout.objects) {
            debugger::announce(number, &object.path, base as usize + start);
        }
        Ok(Self { images: Rc::clone(images), slot, base, rank, arguments })
    }

    /// Runs the program to its end on the current stack.
    pub fn run(&self) -> Ending {
        let (entry, block) = self.begin();
        // SAFETY: the image is relocated, and the block holds an even number of words.
        let code = unsafe { enter::enter(entry, block.as_ptr(), block.len(), self.rank.escape()) };
        thread::end_rank(&self.rank);
        life::end(&self.rank, code)
    }

    /// Makes the rank the running one; returns the program's entry and its initial stack.
    // Apart, so that this frame is gone while the program runs.
    #[inline(never)]
    fn begin(&self) -> (usize, Vec<usize>) {
        let program = &self.images.program;
        resolve(program, self.base);
        // SAFETY: initialisers and finalisers are addresses of this image's own functions.
        let routines = unsafe { routines(program, self.base) };
        let name = self.arguments.first().map_or(ptr::null(), |text| text.as_ptr().cast());
        life::begin(&self.rank, routines, name);
        if program.uses_openmp {
            present::begin(&self.rank);
        }
        let entry = match program.start {
            // SAFETY: the entry lies inside the image.
            Start::Entry(place) => unsafe { self.base.add(place) as usize },
            Start::Main(_) => process::enter_main as *const () as usize,
        };
        (entry, self.block())
    }

    /// Reports whether threads of the rank may still use this image, so that it must not be
    /// dropped.
    pub fn is_in_use(&self) -> bool {
        self.rank.threads.are_left()
    }

    /// Returns the initial stack: argument count, arguments, environment, no auxiliary values.
    fn block(&self) -> Vec<usize> {
        let mut block = vec![self.arguments.len()];
        block.extend(self.arguments.iter().map(|text| text.as_ptr() as usize));
        block.extend([0, 0, 0, 0]);
        if block.len() % 2 == 1 {
            block.push(0);
        }
        block
    }

    /// Returns the address range of this image, to identify the rank that an address belongs to.
    pub fn range(&self) -> std::ops::Range<usize> {
        let start = self.base as usize;
        start..start + self.images.program.layout.bytes
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        self.images.release(self.slot);
    }
}

/// Writes the words that differ from image to image.
fn relocate(program: &Program, base: *mut u8) {
    let at = |place: usize| base.wrapping_add(place);
    let word = |place: usize, value: usize| {
        // SAFETY: places of the plan lie inside the slot, in memory that is writable.
        unsafe { at(place).cast::<usize>().write_unaligned(value) };
    };
    let plan = &program.plan;
    for (place, target) in &plan.relative {
        word(*place, at(*target) as usize);
    }
    word(program.layout.thread_pointer, at(program.layout.thread_pointer) as usize);
    for (place, name, addend) in &plan.host_thread_locals {
        let variable = host_symbol(name).unwrap_or_default().wrapping_add_signed(*addend as isize);
        word(*place, variable.wrapping_sub(at(program.layout.thread_pointer) as usize));
    }
    for copy in &plan.copies {
        let source = match copy.source {
            Source::Host(address) => address as *const u8,
            Source::Image(place) => at(place).cast_const(),
        };
        // SAFETY: the source is a variable of at least that size; the copy lies inside the slot.
        unsafe { ptr::copy_nonoverlapping(source, at(copy.place), copy.bytes) };
        if program.cells.streams.iter().any(|(place, _)| *place == copy.place) {
            point_to_itself(source as usize, at(copy.place), copy.bytes);
        }
    }
    for (index, elf) in program.objects.iter().enumerate() {
        let Some(tls) = &elf.tls else { continue };
        let start = program.layout.objects[index];
        let block = at(program.layout.thread_locals[index]);
        // SAFETY: the template lies in the object, the block inside the slot.
        unsafe { ptr::copy_nonoverlapping(at(start + tls.start), block, tls.file_bytes) };
    }
}

/// Writes the words that resolvers return, which are functions of the program.
fn resolve(program: &Program, base: *mut u8) {
    for (place, target) in &program.plan.resolved {
        let (place, target) = (base.wrapping_add(*place), base.wrapping_add(*target));
        // SAFETY: the symbol table declares a function without arguments at this address.
        let resolver: extern "C" fn() -> usize = unsafe { std::mem::transmute(target) };
        // SAFETY: places of the plan lie inside the slot, in memory that is writable.
        unsafe { place.cast::<usize>().write_unaligned(resolver()) };
    }
}

/// Redirects the words of a copied object that point into the original so that they point into the
/// copy.
fn point_to_itself(source: usize, copy: *mut u8, bytes: usize) {
    for offset in (0..bytes / 8).map(|index| 8 * index) {
        // SAFETY: the offset lies inside the copy.
        let word = unsafe { copy.add(offset).cast::<usize>() };
        // SAFETY: as above.
        let value = unsafe { word.read_unaligned() };
        if (source..source + bytes).contains(&value) {
            // SAFETY: as above.
            unsafe { word.write_unaligned(copy as usize + (value - source)) };
        }
    }
}

/// Collects the words of the image at `base` that lead to thread-local variables; the image must be
/// relocated.
fn thread_locals(program: &Program, base: *mut u8) -> ThreadLocals {
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
    ThreadLocals {
        pointer: at(layout.thread_pointer),
        below: layout.thread_pointer - lowest.unwrap_or(layout.thread_pointer),
        align: aligns.max().unwrap_or(1).max(64),
        templates,
        blocks: plan.thread_blocks.iter().map(|place| at(*place)).collect(),
        distances: plan.host_thread_locals.iter().map(|(place, ..)| at(*place)).collect(),
        shown: Cell::new(at(layout.thread_pointer)),
    }
}

/// # Safety
/// The image at `base` must be relocated.
unsafe fn routines(program: &Program, base: *mut u8) -> Routines {
    let mut routines = Routines::default();
    if let Start::Main(place) = program.start {
        routines.main = base as usize + place;
    }
    for (index, elf) in program.objects.iter().enumerate().rev() {
        let start = program.layout.objects[index];
        let read = |functions: &super::elf::Functions| -> Vec<usize> {
            (0..functions.count)
                .map(|entry| {
                    let place = start + functions.array as usize + 8 * entry;
                    // SAFETY: the dynamic section declares an array at this address.
                    unsafe { base.add(place).cast::<usize>().read_unaligned() }
                })
                .filter(|address| !matches!(*address, 0 | usize::MAX))
                .collect()
        };
        let single = |functions: &super::elf::Functions| {
            functions.single.map(|place| base as usize + start + place as usize)
        };
        let into = if index == 0 { &mut routines.program } else { &mut routines.libraries };
        into.extend(single(&elf.init));
        into.extend(read(&elf.init));
        let mut last = read(&elf.fini);
        last.reverse();
        last.extend(single(&elf.fini));
        routines.finalisers.splice(0..0, last);
    }
    routines
}
