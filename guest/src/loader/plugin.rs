//! Libraries that a rank opens while it runs (`dlopen`): each rank has its own copy, with its own
//! variables.
//!
//! They are relocated at once. Symbols are searched first in the program, then in opened libraries
//! with global scope, then in the library and its dependencies, and last in the simulator and the
//! host. Threads of a rank share the thread-local variables of such a library.
#![allow(
    unsafe_code,
    reason = "maps memory, writes the words of a library and calls its functions"
)]

use std::{
    cell::Cell,
    path::{Path, PathBuf},
    ptr,
    rc::Rc,
};

use object::elf::{self, RelocationType};

use super::{
    elf::{Elf, Functions, Relocation, Symbol},
    library::{self, Sharing},
    program::Program,
    symbol::host_symbol,
    text,
};
use crate::{
    libc::cxx,
    site::{table::OpenedSites, table::Sites},
};

/// A library in the memory of one rank.
pub(crate) struct Plugin {
    elf: Elf,
    base: usize,
    /// Thread-local variables; empty if the library has none.
    locals: Vec<u128>,
    sites: Rc<Sites>,
    /// Whether its functions are registered with the unwinder.
    unwinds: bool,
    /// Whether its symbols are visible to libraries opened later (`RTLD_GLOBAL`).
    pub(crate) global: Cell<bool>,
    /// Number of times it was opened and not yet closed.
    pub(crate) opened: Cell<u32>,
    /// Its dependencies, in order.
    needs: Vec<Rc<Plugin>>,
}

/// The context of opening a library: the rank's program and image, and the libraries it has opened
/// before.
pub(crate) struct Opener<'a> {
    pub(crate) program: &'a Program,
    pub(crate) base: usize,
    pub(crate) opened: &'a [Rc<Plugin>],
}

impl Program {
    /// Returns the address of a symbol that the objects of the image at `base` define; objects
    /// before `first` are skipped.
    pub(crate) fn address_of(&self, base: usize, name: &str, first: usize) -> Option<usize> {
        let objects = self.objects.iter().enumerate().skip(first);
        objects.into_iter().find_map(|(index, elf)| {
            let symbol = elf.definition(name)?;
            let block = base + self.layout.thread_locals[index];
            Some(place_of(symbol, base + self.layout.objects[index], block))
        })
    }

    /// Returns the address of our function in the place of one of another library.
    pub(crate) fn replacement(&self, name: &str) -> Option<usize> {
        self.exports.replacement(name)
    }

    /// Returns the address of a symbol that the simulator or the host provides.
    pub(crate) fn offered(&self, name: &str) -> Option<usize> {
        self.exports.offered(name).or_else(|| host_symbol(name))
    }

    /// Returns the object at a place of the image: its number, file and start.
    pub(crate) fn object_at(&self, place: usize) -> Option<(usize, &Path, usize)> {
        let objects = self.objects.iter().zip(&self.layout.objects).enumerate();
        let mut objects = objects.map(|(index, (elf, start))| (index, elf, *start));
        let found = objects.find(|(_, elf, start)| (*start..start + elf.span).contains(&place));
        found.map(|(index, elf, start)| (index, elf.path.as_path(), start))
    }

    /// Returns the symbol of an object that contains a place, and where the symbol starts.
    pub(crate) fn name_at(&self, object: usize, place: usize) -> Option<(&str, usize)> {
        nearest(&self.objects[object], place)
    }

    /// Returns the handle of a library in a file, if the program was linked with it.
    pub(crate) fn handle_of(&self, path: &Path) -> Option<usize> {
        let mut libraries = self.objects.iter().skip(1);
        let is_in =
            |elf: &&Elf| elf.path == path || elf.path.canonicalize().is_ok_and(|own| own == path);
        libraries.find(is_in).map(|elf| ptr::from_ref(elf) as usize)
    }

    /// Returns the number of the object that has this handle.
    pub(crate) fn object_of(&self, handle: usize) -> Option<usize> {
        self.objects.iter().position(|elf| ptr::from_ref(elf) as usize == handle)
    }

    /// Reports whether the program includes a library of this name.
    fn has(&self, name: &str) -> bool {
        self.objects.iter().any(|elf| is_called(elf, name))
    }
}

fn is_called(elf: &Elf, name: &str) -> bool {
    let file = elf.path.file_name().is_some_and(|file| *file == *name);
    file || elf.soname.as_deref() == Some(name) || elf.path == Path::new(name)
}

fn nearest(elf: &Elf, place: usize) -> Option<(&str, usize)> {
    let named = elf.symbols.iter().filter(|symbol| symbol.defined && !symbol.tls);
    let before = named.filter(|symbol| {
        let start = symbol.value as usize;
        start <= place && place < start + symbol.size.max(1)
    });
    let found = before.max_by_key(|symbol| symbol.value)?;
    Some((&found.name, found.value as usize))
}

/// Returns the address of a symbol of an object whose memory starts at `start` and whose
/// thread-local block starts at `block`.
fn place_of(symbol: &Symbol, start: usize, block: usize) -> usize {
    if symbol.tls {
        return block + symbol.value as usize;
    }
    let place = start + symbol.value as usize;
    if !symbol.resolver {
        return place;
    }
    // SAFETY: the symbol table declares a function without arguments at this address.
    let resolver: extern "C" fn() -> usize = unsafe { std::mem::transmute(place) };
    resolver()
}

impl Plugin {
    /// Opens the library in a file and its dependencies. The caller adds the new ones to `opened`,
    /// in the order in which their initialisers are to run.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub(crate) fn open(opener: &Opener<'_>, path: &Path) -> Result<Vec<Rc<Self>>, String> {
        let known = |name: &str| opener.find(name).is_some() || opener.program.has(name);
        let path = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
        let first = Elf::read(&path).map_err(|error| error.to_string())?;
        let elves =
            library::gather(first, known, Sharing::Most).map_err(|error| error.to_string())?;
        let mut made: Vec<Rc<Self>> = Vec::new();
        for elf in elves.into_iter().rev() {
            let needs = elf.needed.iter().filter_map(|name| {
                let own = made.iter().find(|plugin| is_called(&plugin.elf, name)).cloned();
                own.or_else(|| opener.find(name))
            });
            let needs = needs.collect();
            made.push(Rc::new(Self::map(elf, needs)?));
        }
        // A library of the group may need symbols of one that is created after it.
        let group: Vec<Rc<Self>> = made.iter().rev().cloned().collect();
        for plugin in &made {
            plugin.relocate(opener, &group)?;
            plugin.fill_block();
            plugin.register();
        }
        Ok(made)
    }

    fn map(elf: Elf, needs: Vec<Rc<Self>>) -> Result<Self, String> {
        let access = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new anonymous mapping overlaps no existing memory.
        let start = unsafe { libc::mmap(ptr::null_mut(), elf.span, access, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(format!("{}: {}", elf.path.display(), std::io::Error::last_os_error()));
        }
        let base = start as usize;
        let words = elf.tls.as_ref().map_or(0, |tls| tls.bytes.div_ceil(16) + tls.align / 16 + 1);
        let locals = vec![0_u128; words];
        let place = (elf.path.clone(), 0, elf.span);
        let sites = Rc::new(Sites::new(std::iter::once(place), Vec::new()));
        let throws = cxx::present(&elf.needed);
        // SAFETY: the mapping has room for the whole object.
        unsafe { ptr::copy_nonoverlapping(elf.bytes.as_ptr(), start.cast(), elf.bytes.len()) };
        let unwinds = throws && elf.frames.is_some();
        let (global, opened) = (Cell::new(false), Cell::new(0));
        Ok(Self { elf, base, locals, sites, unwinds, global, opened, needs })
    }

    /// Initialises its thread-local variables.
    fn fill_block(&self) {
        let Some(tls) = &self.elf.tls else { return };
        let (template, block) = (self.base + tls.start, self.block());
        // SAFETY: the template lies in the object, and the block is large enough.
        unsafe {
            ptr::copy_nonoverlapping(template as *const u8, block as *mut u8, tls.file_bytes);
        }
    }

    /// Returns the address of its thread-local variables.
    fn block(&self) -> usize {
        let align = self.elf.tls.as_ref().map_or(1, |tls| tls.align.max(1));
        (self.locals.as_ptr() as usize).next_multiple_of(align)
    }

    fn relocate(&self, opener: &Opener<'_>, group: &[Rc<Self>]) -> Result<(), String> {
        let word = |offset: u64, value: usize| {
            // SAFETY: the object was checked: the word lies in its writable part, which is mapped.
            unsafe { ((self.base + offset as usize) as *mut usize).write_unaligned(value) };
        };
        let fails = |why: String| Err(format!("{}: {why}", self.elf.path.display()));
        let mut late = Vec::new();
        for Relocation { offset, kind, symbol, addend } in &self.elf.relocations {
            let add = |value: usize| value.wrapping_add_signed(*addend as isize);
            let named = &self.elf.symbols.get(*symbol);
            let meaning = || match named {
                Some(named) if *symbol > 0 => self.meaning(opener, group, named),
                _ => Ok(0),
            };
            match RelocationType(*kind) {
                elf::R_X86_64_NONE => {}
                elf::R_X86_64_RELATIVE => word(*offset, add(self.base)),
                elf::R_X86_64_IRELATIVE => late.push((*offset, add(self.base))),
                elf::R_X86_64_GLOB_DAT | elf::R_X86_64_JUMP_SLOT => word(*offset, meaning()?),
                elf::R_X86_64_64 => word(*offset, add(meaning()?)),
                // The two words are arguments of `address` in `libc/thread_local.rs`, which adds
                // them.
                elf::R_X86_64_DTPMOD64 if *symbol == 0 => word(*offset, self.block()),
                elf::R_X86_64_DTPMOD64 => word(*offset, meaning()?),
                elf::R_X86_64_DTPOFF64 => word(*offset, if *symbol == 0 { add(0) } else { 0 }),
                elf::R_X86_64_TPOFF64 => {
                    return fails(
                        "its thread-local variables need -fPIC without -ftls-model".into(),
                    );
                }
                other => {
                    return fails(format!("a relocation of kind {} is not supported", other.0));
                }
            }
        }
        for (offset, place) in late {
            // SAFETY: the relocation declares a function without arguments at this address.
            let resolver: extern "C" fn() -> usize = unsafe { std::mem::transmute(place) };
            word(offset, resolver());
        }
        if self.elf.tls.is_some() && text::reads_thread_pointer(&self.elf) {
            return fails(
                "it reaches thread-local variables in a way that cannot be redirected".into(),
            );
        }
        Ok(())
    }

    fn meaning(
        &self,
        opener: &Opener<'_>,
        group: &[Rc<Self>],
        wanted: &Symbol,
    ) -> Result<usize, String> {
        if wanted.local && wanted.defined {
            return Ok(place_of(wanted, self.base, self.block()));
        }
        let name = wanted.name.as_str();
        let globals = opener.opened.iter().filter(|plugin| plugin.global.get());
        let found = (opener.program.address_of(opener.base, name, 0))
            .or_else(|| globals.into_iter().find_map(|plugin| plugin.own(name)))
            .or_else(|| group.iter().find_map(|plugin| plugin.own(name)))
            .or_else(|| self.needs.iter().find_map(|plugin| plugin.own(name)))
            .or_else(|| opener.program.offered(name));
        match found {
            Some(address) => Ok(address),
            None if wanted.weak => Ok(0),
            None => Err(format!("{}: undefined symbol: {name}", self.elf.path.display())),
        }
    }

    fn own(&self, name: &str) -> Option<usize> {
        let symbol = self.elf.definition(name)?;
        Some(place_of(symbol, self.base, self.block()))
    }

    /// Returns the address of a symbol in the library or its dependencies.
    pub(crate) fn symbol(&self, name: &str) -> Option<usize> {
        self.own(name).or_else(|| self.needs.iter().find_map(|plugin| plugin.symbol(name)))
    }

    fn register(&self) {
        if let Some(frames) = self.elf.frames.filter(|_| self.unwinds) {
            cxx::register_frames(self.base + frames as usize);
        }
    }

    fn functions(&self, functions: &Functions) -> (Option<usize>, Vec<usize>) {
        let array = (0..functions.count).map(|entry| {
            let place = self.base + functions.array as usize + 8 * entry;
            // SAFETY: the dynamic section declares an array at this address.
            unsafe { (place as *const usize).read_unaligned() }
        });
        let array = array.filter(|address| !matches!(*address, 0 | usize::MAX)).collect();
        (functions.single.map(|place| self.base + place as usize), array)
    }

    /// Returns the functions to call before the library is used, in order.
    pub(crate) fn initialisers(&self) -> Vec<usize> {
        let (single, array) = self.functions(&self.elf.init);
        single.into_iter().chain(array).collect()
    }

    /// Returns the functions to call when the program ends, the last initialised first.
    pub(crate) fn finalisers(&self) -> Vec<usize> {
        let (single, array) = self.functions(&self.elf.fini);
        single.into_iter().chain(array).collect()
    }

    pub(crate) fn is_in(&self, path: &Path) -> bool {
        self.elf.path == path
    }

    /// Returns the file, the start of the memory, and the symbol that contains an address with its
    /// start.
    pub(crate) fn about(&self, address: usize) -> (&Path, usize, Option<(&str, usize)>) {
        let named = nearest(&self.elf, address - self.base);
        (&self.elf.path, self.base, named.map(|(name, start)| (name, self.base + start)))
    }

    pub(crate) fn holds(&self, address: usize) -> bool {
        (self.base..self.base + self.elf.span).contains(&address)
    }

    /// Adds its source positions to those that are searched for calls.
    pub(crate) fn show_sites(&self, opened: &OpenedSites) {
        opened.add(self.base, &self.sites);
    }
}

impl Opener<'_> {
    fn find(&self, name: &str) -> Option<Rc<Plugin>> {
        self.opened.iter().find(|plugin| is_called(&plugin.elf, name)).cloned()
    }
}

impl Drop for Plugin {
    fn drop(&mut self) {
        if let Some(frames) = self.elf.frames.filter(|_| self.unwinds) {
            cxx::forget_frames(self.base + frames as usize);
        }
        // SAFETY: the mapping is ours, and the rank that could use it is gone.
        unsafe { libc::munmap(self.base as *mut _, self.elf.span) };
    }
}

/// Returns the file of a library that a rank opens by name, if the rank needs a private copy.
pub(crate) fn file_of(program: &Program, name: &str) -> Option<PathBuf> {
    library::private(&program.objects, 0, name)
}
