//! Loads programs and creates one image per rank in one process.
//!
//! A program is read once: its segments, its private libraries, the meaning of every relocation. An
//! image is then a slot of memory that shares code and constants with all other images and has its
//! own copy of everything writable. Executables and shared objects of C, C++ and Fortran are
//! treated alike; the only instructions that are rewritten are reads of the thread pointer
//! (`text`). Libraries that a rank opens while it runs (`plugin`) lie outside its image.

mod arena;
mod cell;
mod check;
mod contained;
mod elf;
pub(crate) mod enter;
mod entropy;
mod error;
mod exports;
mod image;
mod layout;
mod library;
mod plan;
mod plugin;
mod symbol;
mod text;
mod thread;

use std::{
    cell::RefCell,
    collections::BTreeMap,
    io,
    ops::Range,
    path::{Path, PathBuf},
    rc::Rc,
    sync::{Arc, Weak},
};

pub use arena::Text;
pub use error::LoadError;
pub use exports::Exports;
pub use image::Image;
pub(crate) use plugin::{Opener, Plugin, file_of as plugin_file};
pub(crate) use thread::{Block, ThreadLocals};

pub(crate) use enter::leave;
pub(crate) use symbol::host_symbol;

use crate::{
    interface,
    libc::{Host, Rank, cxx, forget_current, life, startup, surroundings},
    openmp,
    site::{Data, Site, Sites},
};
use arena::{Arena, Shared};
use cell::Cells;
use elf::Elf;
use layout::Layout;
use plan::Plan;

/// A compiled program, ready to be instantiated. Threads share it; each creates its own images.
pub struct Program {
    path: PathBuf,
    objects: Vec<Elf>,
    layout: Layout,
    plan: Plan,
    cells: Cells,
    shared: Shared,
    /// Where execution starts, as an offset in the image.
    start: Start,
    /// Whether its own code draws random numbers from the processor.
    draws_from_processor: bool,
    /// Whether it calls functions of OpenMP.
    uses_openmp: bool,
    /// Whether an execution leaves nothing in the process that another one could notice.
    is_contained: bool,
    /// The stubs that the images call; kept alive with the program.
    _exports: Arc<Exports>,
}

/// Where a program starts.
#[derive(Clone, Copy)]
pub(crate) enum Start {
    /// The entry point of the C run-time system, which calls `__libc_start_main`.
    Entry(usize),
    /// The function `main` of a shared object.
    Main(usize),
}

impl Program {
    /// Reads a position-independent executable or a shared object with a `main`, and loads the
    /// libraries it needs. MPI functions are those of `exports`.
    ///
    /// # Errors
    /// If the file is not such a program, a library is missing or a name is defined by nobody.
    pub fn open(path: &Path, exports: &Arc<Exports>) -> Result<Self, LoadError> {
        startup::once();
        let path = path
            .canonicalize()
            .map_err(|source| LoadError::Unreadable { path: path.to_path_buf(), source })?;
        let program = Elf::read(&path)?;
        if program.needed.is_empty() && program.definition("main").is_none() {
            let starts = program.entry != 0;
            return Err(if starts {
                LoadError::Static { path }
            } else {
                LoadError::NoMain { path }
            });
        }
        let mut objects = library::gather(program, |_| false)?;
        if !objects.iter().any(|object| uses_interface(object, exports)) {
            return Err(LoadError::NotMpi { path });
        }
        let start = start(&objects[0])?;
        let draws_from_processor = entropy::draws_from_processor(&objects[0]);
        let uses_openmp = objects.iter().any(uses_openmp);
        let is_contained = contained::is_contained(&objects, exports);
        let layout = Layout::new(&objects);
        let thread_locals = objects.iter().any(Elf::has_thread_locals);
        let redirected = objects.iter_mut().zip(&layout.objects).filter(|_| thread_locals);
        for (object, place) in redirected {
            let word = layout.thread_pointer - place;
            if !text::redirect_thread_pointer(object, word) {
                return Err(LoadError::ThreadLocal { path: object.path.clone() });
            }
        }
        let mut cells = Cells::new(layout.cells, &objects);
        let plan = plan::plan(&mut objects, &layout, &mut cells, exports)?;
        let shared = Shared::new(&objects, &layout).map_err(|source| LoadError::Memory {
            ranks: 1,
            bytes: layout.bytes,
            source,
        })?;
        let _exports = Arc::clone(exports);
        Ok(Self {
            path,
            objects,
            layout,
            plan,
            cells,
            shared,
            start,
            draws_from_processor,
            uses_openmp,
            is_contained,
            _exports,
        })
    }

    /// Reports whether its own code draws random numbers from the processor.
    pub fn draws_from_processor(&self) -> bool {
        self.draws_from_processor
    }

    /// Reports whether an execution leaves nothing in the process that another one could notice, so that
    /// executions may follow each other in one process. What functions that the simulator exports leave there
    /// does not count: see [`Program::refers_to`].
    pub fn is_contained(&self) -> bool {
        self.is_contained
    }

    /// Reports whether a name is undefined in the program or its libraries, for which `is_wanted` holds.
    pub fn refers_to(&self, is_wanted: impl Fn(&str) -> bool) -> bool {
        let mut symbols = self.objects.iter().flat_map(|object| &object.symbols);
        symbols.any(|symbol| !symbol.defined && is_wanted(&symbol.name))
    }

    /// Returns the path of the program's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the unwind tables of an image; none if the program throws no exceptions.
    fn frame_tables(&self, base: *mut u8) -> impl Iterator<Item = usize> {
        // The Fortran library needs an unwinder, but never throws.
        let others = self.objects.iter().filter(|object| !library::is_private(&object.path));
        let throws = others.into_iter().any(|object| cxx::present(&object.needed));
        let objects = self.objects.iter().zip(&self.layout.objects).filter(move |_| throws);
        objects.filter_map(move |(elf, start)| Some(base as usize + start + elf.frames? as usize))
    }

    /// Reports whether an object of the program runs code on its stack.
    pub fn runs_on_stack(&self) -> bool {
        self.objects.iter().any(|object| object.runs_on_stack)
    }

    /// Returns the address space that one image takes, in bytes.
    pub fn image_bytes(&self) -> usize {
        self.layout.bytes
    }
}

thread_local! {
    /// The source positions of the programs that this thread has simulated: to read them takes longer than many a
    /// simulation.
    static SITES: RefCell<Vec<(Weak<Program>, Rc<Sites>)>> = const { RefCell::new(Vec::new()) };
}

/// Returns the source positions of a program, which all its simulations on this thread share.
fn shared_sites(program: &Arc<Program>, make: impl FnOnce() -> Sites) -> Rc<Sites> {
    SITES.with_borrow_mut(|all| {
        all.retain(|(other, _)| other.strong_count() > 0);
        let known = all.iter().find(|(other, _)| other.as_ptr() == Arc::as_ptr(program));
        if let Some((_, sites)) = known {
            return Rc::clone(sites);
        }
        let sites = Rc::new(make());
        all.push((Arc::downgrade(program), Rc::clone(&sites)));
        sites
    })
}

fn uses_interface(object: &Elf, exports: &Exports) -> bool {
    let undefined = object.symbols.iter().filter(|symbol| !symbol.defined);
    object.needed.iter().any(|name| interface::is_library(name))
        || undefined.into_iter().any(|symbol| {
            let name = symbol.name.as_str();
            interface::is_reserved(name) || exports.get(name).is_some()
        })
}

fn uses_openmp(object: &Elf) -> bool {
    object.symbols.iter().any(|symbol| !symbol.defined && openmp::is_of_openmp(&symbol.name))
}

fn start(program: &Elf) -> Result<Start, LoadError> {
    if program.interpreted && program.entry != 0 {
        return Ok(Start::Entry(program.entry as usize));
    }
    let main = program.definition("main");
    let main = main.ok_or_else(|| LoadError::NoMain { path: program.path.clone() })?;
    Ok(Start::Main(main.value as usize))
}

/// The images of one program for the ranks of one simulation, on one thread.
pub struct Images {
    program: Arc<Program>,
    /// The memory; `None` after `close`.
    arena: RefCell<Option<Arena>>,
    /// Rank of each slot in use.
    live: RefCell<BTreeMap<usize, Rc<Rank>>>,
    sites: Rc<Sites>,
    /// Ranges that no image ever writes to, as offsets from its start.
    constants: Rc<[Range<usize>]>,
}

impl Images {
    /// Reserves memory for `ranks` images. Without `text`, the placement of read-only pages follows
    /// from the limits of the system.
    ///
    /// # Errors
    /// If the system refuses that much address space.
    pub fn new(
        program: &Arc<Program>,
        ranks: u32,
        text: Option<Text>,
    ) -> Result<Rc<Self>, LoadError> {
        surroundings::remember_own();
        let layout = &program.layout;
        let fortran = program.plan.fortran_block.is_some();
        let arena = Arena::new(layout, ranks as usize, text, fortran)
            .map_err(|source| LoadError::Memory { ranks, bytes: layout.bytes, source })?;
        let objects = program.objects.iter().zip(&layout.objects);
        let variables = objects
            .clone()
            .flat_map(|(elf, start)| elf.segments.iter().map(move |segment| (segment, *start)))
            .filter(|(segment, _)| segment.writable)
            .map(|(segment, start)| start + segment.start..start + segment.end)
            .collect();
        let files = objects.map(|(elf, start)| (elf.path.clone(), *start, elf.span));
        let sites = shared_sites(program, || Sites::new(files, variables));
        Ok(Rc::new(Self {
            program: Arc::clone(program),
            arena: RefCell::new(Some(arena)),
            live: RefCell::default(),
            sites,
            constants: layout.constants().collect(),
        }))
    }

    /// Returns the program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Creates an image for one rank, with the arguments of the program (the first is its name).
    ///
    /// # Errors
    /// If the system refuses memory, or as many images exist as `ranks` said.
    pub fn create(
        self: &Rc<Self>,
        rank: u32,
        arguments: &[String],
        host: Rc<dyn Host>,
    ) -> Result<Image, LoadError> {
        Image::new(self, rank, arguments, host)
    }

    /// Returns the rank whose code contains an address, such as that of an instruction that raised
    /// a signal, and the source line.
    pub fn locate(&self, address: usize) -> Option<(u32, Site)> {
        let (slot, base) = self.arena.borrow().as_ref()?.slot_of(address)?;
        let rank = self.live.borrow().get(&slot)?.number();
        Some((rank, self.sites.find(base, address + 1)))
    }

    /// Returns the rank whose code raised a signal at an address, and the call site with the calls
    /// that led to it.
    pub fn struck(&self, address: usize) -> Option<(u32, sim_core::Site)> {
        let (slot, base) = self.arena.borrow().as_ref()?.slot_of(address)?;
        let rank = self.live.borrow().get(&slot)?.number();
        Some((rank, self.sites.struck(base, address)))
    }

    /// Returns the static data of a rank at an address, or the last variable before it.
    pub fn data(&self, rank: u32, address: usize) -> Option<Data> {
        let live = self.live.borrow();
        let slot = live.iter().find(|(_, one)| one.number() == rank)?.0;
        let base = self.arena.borrow().as_ref()?.base(*slot) as usize;
        let place = address.checked_sub(base)?;
        let constant = self.constants.iter().any(|range| range.contains(&place));
        self.sites.data(place, constant)
    }

    /// Writes unfinished output lines and releases all memory after a simulation. Images that were
    /// abandoned midway, on coroutines that will never be resumed, must be released this way; they
    /// must not run again.
    pub fn close(&self) {
        forget_current();
        let live = self.live.take();
        for (slot, rank) in &live {
            life::close(rank);
            self.release(*slot);
        }
        self.arena.take();
    }

    /// Takes a slot for one rank and fills it.
    fn take(&self) -> io::Result<(usize, *mut u8)> {
        let mut arena = self.arena.borrow_mut();
        let program = &self.program;
        let taken = match arena.as_mut() {
            Some(arena) => arena.take(&program.objects, &program.layout, &program.shared)?,
            None => None,
        };
        taken.ok_or_else(|| io::Error::other("every slot is taken"))
    }

    /// Releases the slot of an image.
    fn release(&self, slot: usize) {
        self.live.borrow_mut().remove(&slot);
        let mut arena = self.arena.borrow_mut();
        let Some(arena) = arena.as_mut() else { return };
        for frames in self.program.frame_tables(arena.base(slot)) {
            cxx::forget_frames(frames);
        }
        arena.release(slot, &self.program.layout);
    }
}
