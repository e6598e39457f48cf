//! Where in the source an MPI call was made.
#![allow(unsafe_code, reason = "walks the frames of a program")]

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    fs,
    ops::Range,
    path::{Path, PathBuf},
    sync::Mutex,
};

use addr2line::Loader;
use rustc_hash::FxHashMap;

use crate::{libc::Rank, own_source::is_users_own, statement};

/// A place in the source of a program, from its debug information.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// Source file as the compiler was given it.
    pub file: &'static str,
    /// Line, from 1; 0 if the program has no debug information.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// Function, as written in the source; empty if unknown.
    pub function: &'static str,
}

/// Frames further away than this are not the program's.
const STACK_MAX: usize = 1 << 26;

/// Functions of headers and libraries that call each other.
const HEADERS_MAX: usize = 24;

/// What the stub of an exported function notes: the address to return to and where it lies, the
/// caller's frame, and which function it is.
struct Call {
    address: Cell<usize>,
    stack: Cell<usize>,
    frame: Cell<usize>,
    function: Cell<Function>,
}

/// An exported function, by its number; 0 is none.
pub(crate) type Function = u32;

/// Names of the exported functions of all tables, from number 1 on.
static FUNCTIONS: Mutex<Vec<String>> = Mutex::new(Vec::new());

thread_local! {
    static CALL: Call = const {
        Call {
            address: Cell::new(0),
            stack: Cell::new(0),
            frame: Cell::new(0),
            function: Cell::new(0),
        }
    };
}

/// The number of a function that is exported from now on.
pub(crate) fn register(name: &str) -> Function {
    let mut known = FUNCTIONS.lock().expect("nobody panics with the lock");
    known.push(name.to_string());
    known.len() as Function
}

/// The function of MPI that was called last. Asked first thing, as [`caller`].
pub(crate) fn function() -> Function {
    CALL.with(|call| call.function.get())
}

/// Where the address lies that the function of MPI returns to that was called last, and that
/// address. Asked first thing, as [`caller`].
pub(crate) fn return_place() -> (usize, usize) {
    CALL.with(|call| (call.stack.get(), call.address.get()))
}

/// What the standard calls a function: that of Fortran has a symbol of its own.
pub(crate) fn name_of(function: Function) -> Option<&'static str> {
    let known = FUNCTIONS.lock().expect("nobody panics with the lock");
    let symbol = known.get((function as usize).checked_sub(1)?)?;
    let name = match symbol.strip_prefix("mpi_") {
        Some(rest) => format!("MPI_{}", rest.trim_end_matches('_').to_uppercase()),
        None => symbol.clone(),
    };
    // Once in a run, which ends with it.
    Some(Box::leak(name.into_boxed_str()))
}

/// Distances from the thread pointer at which a stub writes the address, its place, the frame and the
/// function.
pub(crate) fn slots() -> [i32; 4] {
    let pointer: usize;
    // SAFETY: on x86-64 Linux the word at the thread pointer is the thread pointer.
    unsafe { std::arch::asm!("mov {}, fs:0", out(reg) pointer, options(nostack, readonly)) };
    let distance = |place: usize| {
        let distance = place.wrapping_sub(pointer) as isize;
        i32::try_from(distance).expect("thread-locals of an executable lie near its thread pointer")
    };
    CALL.with(|call| {
        let places = [&call.address, &call.stack, &call.frame].map(|cell| cell.as_ptr() as usize);
        [places[0], places[1], places[2], call.function.as_ptr() as usize].map(distance)
    })
}

/// The place of the call into MPI that runs now. Asked first thing in the implementation: the
/// next call of any rank overwrites it.
///
/// It is the innermost one in the user's own source, if the program keeps frame pointers: not in a
/// header, nor in a library such as a binding of MPI.
pub fn caller() -> Site {
    let address = CALL.with(|call| call.address.get());
    let Some(rank) = Rank::current() else { return Site::UNKNOWN };
    let (site, own) = rank.sites().find_whose(rank.base(), address);
    let elsewhere = site == Site::UNKNOWN && rank.dynamic.any();
    if own && !elsewhere { site } else { caller_in_program() }
}

/// Where the call returns to that runs now. Asked first thing, as [`caller`].
pub(crate) fn return_address() -> usize {
    CALL.with(|call| call.address.get())
}

/// As [`caller`], for calls whose innermost place is seldom the user's.
pub(crate) fn caller_in_program() -> Site {
    let sites = backtrace(HEADERS_MAX);
    let own = sites.iter().find(|site| is_users_own(site.file));
    own.or(sites.first()).copied().unwrap_or(Site::UNKNOWN)
}

/// Whether an address lies in the image of the running program.
pub(crate) fn is_of_program(address: usize) -> bool {
    Rank::current().is_some_and(|rank| rank.sites().holds(rank.base(), address))
}

/// The place before this address, if it is in the running program.
pub(crate) fn of_code(address: usize) -> Option<Site> {
    let rank = Rank::current()?;
    if rank.sites().holds(rank.base(), address) {
        return Some(rank.sites().find(rank.base(), address));
    }
    rank.dynamic.at(address).map(|opened| opened.site(address))
}

/// The first of these places of return that is in the running program's own source.
pub(crate) fn innermost_of_program(addresses: &[usize]) -> Site {
    let mut sites = addresses.iter().filter_map(|address| of_code(*address));
    let own = sites.find(|site| site.line > 0 && is_users_own(site.file));
    own.unwrap_or(Site::UNKNOWN)
}

/// The place of the call and those of the functions around it, innermost first, at most `most`.
/// Asked first thing, as [`caller`]. Ends where a function keeps no frame pointer.
pub fn backtrace(most: usize) -> Vec<Site> {
    let Some(rank) = Rank::current() else { return Vec::new() };
    let (mut address, mut frame) = CALL.with(|call| (call.address.get(), call.frame.get()));
    let here = (&raw const address) as usize;
    let mut sites = Vec::new();
    while sites.len() < most {
        let Some(site) = of_code(address) else { break };
        sites.push(site);
        let inside = frame >= here && frame - here < STACK_MAX && frame.is_multiple_of(8);
        if !inside {
            break;
        }
        // SAFETY: the frame lies above us on this stack, where the program's frames are; it holds
        // the frame before it and the address to return to.
        let (before, back) = unsafe { (*(frame as *const usize), *((frame + 8) as *const usize)) };
        if before <= frame {
            if rank.sites().holds(rank.base(), back) {
                frame = 0;
                address = back;
                continue;
            }
            break;
        }
        (frame, address) = (before, back);
    }
    sites
}

impl Site {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { file: "", line: 0, column: 0, function: "" };
}

/// Places in the code that are found without a search.
const RECENT: usize = 64;

/// Debug information of the objects of a program.
pub(crate) struct Sites {
    objects: Vec<Object>,
    variables: Vec<Range<usize>>,
    known: RefCell<FxHashMap<usize, Site>>,
    /// Those asked for of late, by the place, and whether they are the user's own: most programs
    /// call from few.
    recent: [Cell<(usize, Site, bool)>; RECENT],
}

struct Object {
    path: PathBuf,
    start: usize,
    end: usize,
    loader: RefCell<Option<Option<Loader>>>,
}

impl Sites {
    /// Of objects given by file, place in an image and size, the program first; and the places of
    /// their variables in an image.
    pub(crate) fn new(
        objects: impl Iterator<Item = (PathBuf, usize, usize)>,
        variables: Vec<Range<usize>>,
    ) -> Self {
        let objects = objects
            .map(|(path, start, bytes)| Object {
                // Programs change their working folder.
                path: fs::canonicalize(&path).unwrap_or(path),
                start,
                end: start + bytes,
                loader: RefCell::new(None),
            })
            .collect();
        let recent = [const { Cell::new((usize::MAX, Site::UNKNOWN, true)) }; RECENT];
        Self { objects, variables, known: RefCell::default(), recent }
    }

    /// The file of the program.
    pub(crate) fn program(&self) -> Option<&Path> {
        self.objects.first().map(|object| object.path.as_path())
    }

    /// The places of static variables in an image.
    pub(crate) fn variables(&self) -> &[Range<usize>] {
        &self.variables
    }

    fn holds(&self, base: usize, address: usize) -> bool {
        let place = address.wrapping_sub(base);
        self.objects.iter().any(|object| (object.start..object.end).contains(&place))
    }

    /// The place of the call that returns to `address`.
    pub(crate) fn find(&self, base: usize, address: usize) -> Site {
        self.find_whose(base, address).0
    }

    /// As [`Sites::find`], and whether it is in the user's own source.
    fn find_whose(&self, base: usize, address: usize) -> (Site, bool) {
        let place = address.wrapping_sub(base).wrapping_sub(1);
        let recent = &self.recent[place / 4 % RECENT];
        let (known, site, own) = recent.get();
        if known == place {
            return (site, own);
        }
        let site = self.look_up(place);
        let own = is_users_own(site.file);
        recent.set((place, site, own));
        (site, own)
    }

    fn look_up(&self, place: usize) -> Site {
        if let Some(site) = self.known.borrow().get(&place) {
            return *site;
        }
        let object = self.objects.iter().find(|object| (object.start..object.end).contains(&place));
        // Reading files changes `errno`, which belongs to the program.
        // SAFETY: the thread's own variable.
        let errno = unsafe { *libc::__errno_location() };
        let site = object.map_or(Site::UNKNOWN, |object| object.look_up(place - object.start));
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = errno };
        self.known.borrow_mut().insert(place, site);
        site
    }
}

impl Object {
    fn look_up(&self, address: usize) -> Site {
        let mut loader = self.loader.borrow_mut();
        let loader = loader.get_or_insert_with(|| Loader::new(&self.path).ok());
        let Some(loader) = loader else { return Site::UNKNOWN };
        innermost(loader, address).unwrap_or_else(|| {
            let symbol = loader.find_symbol(address as u64).unwrap_or_default();
            Site { function: intern(symbol), ..Site::UNKNOWN }
        })
    }
}

/// The innermost function at an address that is in the user's own source, if there is one.
fn innermost(loader: &Loader, address: usize) -> Option<Site> {
    let mut frames = loader.find_frames(address as u64).ok()?;
    let mut first = None;
    while let Ok(Some(frame)) = frames.next() {
        let function = frame.function.as_ref().and_then(|name| name.demangle().ok());
        let place = frame.location.as_ref();
        let file = intern(place.and_then(|place| place.file).unwrap_or_default());
        let line = place.and_then(|place| place.line).unwrap_or(0);
        let column = place.and_then(|place| place.column).unwrap_or(0);
        let (line, column) = statement::start(file, line).unwrap_or((line, column));
        let function = intern(function.as_deref().unwrap_or_default());
        let site = Site { file, line, column, function };
        if is_users_own(file) {
            return Some(site);
        }
        first = first.or(Some(site));
    }
    first
}

/// One copy of each text for the life of the process.
fn intern(text: &str) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(known) = texts.get(text) {
        return known;
    }
    let kept: &'static str = Box::leak(text.to_string().into_boxed_str());
    texts.insert(kept);
    kept
}
