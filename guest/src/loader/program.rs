//! A program as its files describe it, read once for all its images.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    arena::Shared,
    cell::Cells,
    contained::Containment,
    elf::Elf,
    entropy,
    error::LoadError,
    exports::Exports,
    layout::Layout,
    library::{self, Sharing},
    plan::{self, Plan},
    text,
};
use crate::{
    interface,
    libc::{cxx, startup},
    openmp::names,
};

/// A compiled program, ready to be instantiated. Threads share it; each creates its own images.
pub struct Program {
    pub(super) path: PathBuf,
    pub(super) objects: Vec<Elf>,
    pub(super) layout: Layout,
    pub(super) plan: Plan,
    pub(super) cells: Cells,
    pub(super) shared: Shared,
    /// Where execution starts, as an offset in the image.
    pub(super) start: Start,
    /// Whether its own code draws random numbers from the processor.
    pub(super) draws_from_processor: bool,
    /// Whether it calls functions of OpenMP.
    pub(super) uses_openmp: bool,
    /// Whether its executions leave nothing in the process that another one could notice.
    containment: Containment,
    /// The stubs that the images call; kept alive with the program.
    pub(super) exports: Arc<Exports>,
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
        // A library of the system may be of a kind that only the host can load.
        Self::open_with(path.clone(), exports, Sharing::Least)
            .or_else(|_| Self::open_with(path, exports, Sharing::Most))
    }

    fn open_with(
        path: PathBuf,
        exports: &Arc<Exports>,
        sharing: Sharing,
    ) -> Result<Self, LoadError> {
        let program = Elf::read(&path)?;
        if program.needed.is_empty() && program.definition("main").is_none() {
            let starts = program.entry != 0;
            return Err(if starts {
                LoadError::Static { path }
            } else {
                LoadError::NoMain { path }
            });
        }
        let mut objects = library::gather(program, |_| false, sharing)?;
        if !objects.iter().any(|object| uses_interface(object, exports)) {
            return Err(LoadError::NotMpi { path });
        }
        let start = start(&objects[0])?;
        let draws_from_processor = entropy::draws_from_processor(&objects[0]);
        let uses_openmp = objects.iter().any(uses_openmp);
        let layout = Layout::new(&objects);
        let memory = |source| LoadError::Memory { ranks: 1, bytes: layout.bytes, source };
        let containment = Containment::new(&objects, exports).map_err(memory)?;
        let thread_locals = objects.iter().any(Elf::has_thread_locals);
        let redirected = objects.iter_mut().zip(&layout.objects).filter(|_| thread_locals);
        for (object, place) in redirected {
            let word = layout.thread_pointer - place;
            if !text::redirect_thread_pointer(object, word) {
                return Err(LoadError::ThreadLocal { path: object.path.clone() });
            }
        }
        let mut cells = Cells::new(layout.cells, &objects);
        let plan = plan::plan(&mut objects, &layout, &mut cells, exports, &containment.guards)?;
        let shared = Shared::new(&objects, &layout).map_err(memory)?;
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
            containment,
            exports: Arc::clone(exports),
        })
    }

    /// Reports whether its own code draws random numbers from the processor.
    pub fn draws_from_processor(&self) -> bool {
        self.draws_from_processor
    }

    /// Reports whether its executions in this process have left nothing there that another one could notice, so that
    /// they may follow each other as if each had its own process.
    pub fn is_contained(&self) -> bool {
        self.containment.is_possible && self.containment.guards.called().is_none()
    }

    /// Reports whether no execution of it can leave something in the process: see [`Program::is_contained`].
    pub fn is_always_contained(&self) -> bool {
        self.containment.is_possible && self.containment.guards.is_empty()
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
    pub(super) fn frame_tables(&self, base: *mut u8) -> impl Iterator<Item = usize> {
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

fn uses_interface(object: &Elf, exports: &Exports) -> bool {
    let undefined = object.symbols.iter().filter(|symbol| !symbol.defined);
    object.needed.iter().any(|name| interface::is_library(name))
        || undefined.into_iter().any(|symbol| {
            let name = symbol.name.as_str();
            interface::is_reserved(name) || exports.get(name).is_some()
        })
}

fn uses_openmp(object: &Elf) -> bool {
    object.symbols.iter().any(|symbol| !symbol.defined && names::is_of_openmp(&symbol.name))
}

fn start(program: &Elf) -> Result<Start, LoadError> {
    if program.interpreted && program.entry != 0 {
        return Ok(Start::Entry(program.entry as usize));
    }
    let main = program.definition("main");
    let main = main.ok_or_else(|| LoadError::NoMain { path: program.path.clone() })?;
    Ok(Start::Main(main.value as usize))
}
