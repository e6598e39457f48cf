//! The plan of an image: the places of its parts and the values to be written into them.

use std::{collections::BTreeSet, path::PathBuf};

use object::elf;

use super::{
    cell::Cells,
    elf::{Elf, Relocation},
    error::LoadError,
    exports::Exports,
    guard::Guards,
    layout::Layout,
    symbol::host_symbol,
};
use crate::interface::FORTRAN_BLOCK;

/// Everything that is written into an image. Places are offsets from its start.
#[derive(Default)]
pub(crate) struct Plan {
    /// (place, target): the word becomes the address of the target.
    pub(crate) relative: Vec<(usize, usize)>,
    /// (place, target): the word becomes the return value of the resolver function at the target.
    pub(crate) resolved: Vec<(usize, usize)>,
    /// (place, name, addend): the word becomes the distance from the rank's thread pointer to a
    /// thread-local variable of a host library, in the instance of this thread.
    pub(crate) host_thread_locals: Vec<(usize, String, i64)>,
    /// Places of words that hold the address of an object's thread-local block.
    pub(crate) thread_blocks: Vec<usize>,
    /// Variables of libraries that the program holds in its own memory (copy relocations).
    pub(crate) copies: Vec<Copy>,
    /// Place of the common block of Fortran's special variables.
    pub(crate) fortran_block: Option<usize>,
}

/// Bytes that are copied when an image is created.
pub(crate) struct Copy {
    pub(crate) place: usize,
    pub(crate) source: Source,
    pub(crate) bytes: usize,
}

/// The source of copied bytes.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// A variable of the host's libraries, by address.
    Host(usize),
    /// A place in the same image.
    Image(usize),
}

/// The meaning of a symbol.
#[derive(Clone, Copy)]
enum Meaning {
    Place(usize),
    /// The place of a resolver function, which returns the address.
    Resolver(usize),
    /// A thread-local variable of an object, at this offset in its block.
    ThreadLocal {
        object: usize,
        offset: u64,
    },
    Host(usize),
    Nothing,
}

/// Creates the plan; words that are the same in every image are written into the objects' bytes.
pub(crate) fn plan(
    objects: &mut [Elf],
    layout: &Layout,
    cells: &mut Cells,
    exports: &Exports,
    guards: &Guards,
) -> Result<Plan, LoadError> {
    let mut planner = Planner {
        objects,
        layout,
        cells,
        exports,
        guards,
        plan: Plan::default(),
        missing: BTreeSet::new(),
        words: Vec::new(),
    };
    for object in 0..planner.objects.len() {
        for index in 0..planner.objects[object].relocations.len() {
            planner.relocation(object, index)?;
        }
    }
    let Planner { mut plan, missing, words, .. } = planner;
    plan.fortran_block = objects.iter().zip(&layout.objects).find_map(|(object, start)| {
        let block = object.definition(FORTRAN_BLOCK)?;
        Some(start + block.value as usize)
    });
    if !missing.is_empty() {
        let path: PathBuf = objects[0].path.clone();
        return Err(LoadError::Unresolved { path, names: missing.into_iter().collect() });
    }
    for (object, at, word) in words {
        let bytes = &mut objects[object].bytes;
        bytes.grow(at + 8);
        bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
    }
    Ok(plan)
}

struct Planner<'a> {
    objects: &'a [Elf],
    layout: &'a Layout,
    cells: &'a mut Cells,
    exports: &'a Exports,
    guards: &'a Guards,
    plan: Plan,
    missing: BTreeSet<String>,
    words: Vec<(usize, usize, u64)>,
}

impl Planner<'_> {
    fn relocation(&mut self, object: usize, index: usize) -> Result<(), LoadError> {
        let Relocation { offset, kind, symbol, addend } = self.objects[object].relocations[index];
        let place = self.layout.objects[object] + offset as usize;
        let own = self.layout.objects[object];
        match object::elf::RelocationType(kind) {
            elf::R_X86_64_NONE => {}
            elf::R_X86_64_RELATIVE => {
                self.plan.relative.push((place, own.wrapping_add_signed(addend as isize)));
            }
            elf::R_X86_64_IRELATIVE => {
                self.plan.resolved.push((place, own.wrapping_add_signed(addend as isize)));
            }
            elf::R_X86_64_GLOB_DAT | elf::R_X86_64_JUMP_SLOT => {
                let meaning = self.meaning(object, symbol, false);
                self.word(object, offset, meaning, 0);
            }
            elf::R_X86_64_64 => {
                let meaning = self.meaning(object, symbol, false);
                self.word(object, offset, meaning, addend);
            }
            elf::R_X86_64_COPY => self.copy(object, symbol, place),
            elf::R_X86_64_DTPMOD64 => match self.thread_local(object, symbol) {
                Meaning::ThreadLocal { object: owner, .. } => {
                    self.plan.relative.push((place, self.layout.thread_locals[owner]));
                    self.plan.thread_blocks.push(place);
                }
                meaning => self.word(object, offset, meaning, 0),
            },
            elf::R_X86_64_DTPOFF64 => {
                let offset_in = match self.thread_local(object, symbol) {
                    Meaning::ThreadLocal { offset, .. } => offset,
                    _ => 0,
                };
                self.constant(object, offset, offset_in.wrapping_add_signed(addend));
            }
            elf::R_X86_64_TPOFF64 => match self.thread_local(object, symbol) {
                Meaning::ThreadLocal { object: owner, offset: inside } => {
                    let distance = (self.layout.thread_locals[owner] as i64)
                        .wrapping_sub(self.layout.thread_pointer as i64)
                        .wrapping_add(inside as i64 + addend);
                    self.constant(object, offset, distance as u64);
                }
                Meaning::Host(_) => {
                    let name = self.objects[object].symbols[symbol].name.clone();
                    self.plan.host_thread_locals.push((place, name, addend));
                }
                Meaning::Nothing => {}
                _ => return Err(self.unsupported(object, kind)),
            },
            _ => return Err(self.unsupported(object, kind)),
        }
        Ok(())
    }

    fn unsupported(&self, object: usize, kind: u32) -> LoadError {
        LoadError::Relocation { path: self.objects[object].path.clone(), kind }
    }

    fn constant(&mut self, object: usize, offset: u64, word: u64) {
        self.words.push((object, offset as usize, word));
    }

    fn word(&mut self, object: usize, offset: u64, meaning: Meaning, addend: i64) {
        let place = self.layout.objects[object] + offset as usize;
        match meaning {
            Meaning::Place(target) => {
                self.plan.relative.push((place, target.wrapping_add_signed(addend as isize)));
            }
            Meaning::Resolver(target) => self.plan.resolved.push((place, target)),
            Meaning::Host(address) => {
                self.constant(object, offset, (address as u64).wrapping_add_signed(addend));
            }
            Meaning::ThreadLocal { .. } | Meaning::Nothing => self.constant(object, offset, 0),
        }
    }

    /// Resolves a symbol of `object`; `beyond` skips the object's own definition.
    fn meaning(&mut self, object: usize, symbol: usize, beyond: bool) -> Meaning {
        let objects = self.objects;
        let wanted = &objects[object].symbols[symbol];
        if wanted.local && wanted.defined {
            return self.defined(object, wanted);
        }
        let name = wanted.name.as_str();
        for (index, candidate) in objects.iter().enumerate() {
            if beyond && index == object {
                continue;
            }
            if let Some(found) = candidate.definition(name) {
                return self.defined(index, found);
            }
        }
        if let Some(address) = self.guards.place(name).or_else(|| self.exports.offered(name)) {
            return Meaning::Host(address);
        }
        if let Some(place) = self.cells.place(name, &mut self.plan, !beyond) {
            return Meaning::Place(place);
        }
        match host_symbol(name) {
            Some(address) => Meaning::Host(address),
            None if wanted.weak => Meaning::Nothing,
            None => {
                self.missing.insert(name.to_string());
                Meaning::Nothing
            }
        }
    }

    fn defined(&self, object: usize, symbol: &super::elf::Symbol) -> Meaning {
        let place = self.layout.objects[object] + symbol.value as usize;
        if symbol.tls {
            Meaning::ThreadLocal { object, offset: symbol.value }
        } else if symbol.resolver {
            Meaning::Resolver(place)
        } else {
            Meaning::Place(place)
        }
    }

    fn thread_local(&mut self, object: usize, symbol: usize) -> Meaning {
        if symbol == 0 {
            return Meaning::ThreadLocal { object, offset: 0 };
        }
        self.meaning(object, symbol, false)
    }

    /// Adds a copy relocation: the program keeps a library's variable in its own memory.
    fn copy(&mut self, object: usize, symbol: usize, place: usize) {
        let objects = self.objects;
        let wanted = &objects[object].symbols[symbol];
        if self.cells.moved(&wanted.name, place) {
            return;
        }
        let source = match self.meaning(object, symbol, true) {
            Meaning::Place(place) => Source::Image(place),
            Meaning::Host(address) => Source::Host(address),
            _ => return,
        };
        self.plan.copies.push(Copy { place, source, bytes: wanted.size });
    }
}
