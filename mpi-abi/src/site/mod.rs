//! Where in the source an MPI call was made.
#![allow(unsafe_code, reason = "walks the frames of a program")]

mod table;

use std::{cell::Cell, sync::Mutex};

use mpi_api::{
    call::{Place, Site as CallSite},
    text::intern,
};

pub(crate) use self::table::Sites;
pub use self::table::callers;
use crate::{libc::Rank, own_source::is_users_own};

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

/// Most functions around a call that are noted, the one with the call among them.
const DEPTH: usize = 8;
/// Most functions around a call among which the innermost one of the user's own source is looked for:
/// headers and libraries call each other.
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

/// What the standard calls a function: that of Fortran has a symbol of its own.
fn called(function: Function) -> Option<&'static str> {
    let known = FUNCTIONS.lock().expect("nobody panics with the lock");
    let symbol = known.get((function as usize).checked_sub(1)?)?;
    let name = match symbol.strip_prefix("mpi_") {
        Some(rest) => in_fortran(rest.trim_end_matches('_')),
        None => symbol.clone(),
    };
    Some(intern(&name))
}

/// A function of Fortran as the standard spells it: all but the first letter behind `MPI_` are
/// small (MPI 5.0, 2.6.2).
fn in_fortran(rest: &str) -> String {
    let rest = rest.trim_end_matches("_f08ts").trim_end_matches("_f08");
    let mut letters = rest.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    format!("MPI_{}{}", first.map(String::from).unwrap_or_default(), letters.as_str())
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

/// Addresses to return to, counted from the start of the image: the call's and those of the
/// functions around it, innermost first.
struct Path {
    places: [usize; DEPTH],
    count: usize,
}

/// Hands on where the call into MPI that runs now returns to, and then where the functions around it
/// do, innermost first, as long as it is asked for more. Ends where a function keeps no frame pointer.
#[inline]
fn walk(rank: &Rank, mut more: impl FnMut(usize) -> bool) {
    let (mut address, mut frame) = CALL.with(|call| (call.address.get(), call.frame.get()));
    let mut low = (&raw const address) as usize;
    let top = rank.stack_top();
    while more(address) {
        let inside = frame > low && frame + 16 <= top && frame.is_multiple_of(8);
        if !inside {
            return;
        }
        low = frame;
        // SAFETY: between us and the top of this stack all is mapped; where functions keep frame
        // pointers it holds the frame before and the address to return to, elsewhere numbers that
        // lead to no code of the program.
        unsafe {
            address = *((frame + 8) as *const usize);
            frame = *(frame as *const usize);
        }
    }
}

impl Path {
    /// Of the call into MPI that runs now.
    fn now(rank: &Rank) -> Self {
        let base = rank.base();
        let mut path = Self { places: [0; DEPTH], count: 0 };
        walk(rank, |address| {
            path.places[path.count] = address.wrapping_sub(base);
            path.count += 1;
            path.count < DEPTH
        });
        path
    }

    fn places(&self) -> &[usize] {
        &self.places[..self.count]
    }
}

/// Tells paths apart: the function that was called, and the places that led there, one by one.
#[derive(Clone, Copy)]
struct PathHash(u64);

impl PathHash {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    #[inline]
    fn of(function: Function) -> Self {
        Self(u64::from(function).wrapping_mul(Self::FACTOR))
    }

    #[inline]
    fn take(&mut self, place: usize) {
        let mixed = (self.0.rotate_left(23) ^ place as u64).wrapping_mul(Self::FACTOR);
        self.0 = mixed ^ mixed >> 32;
    }

    /// Of the call into MPI that runs now.
    #[inline]
    fn now(rank: &Rank, function: Function) -> Self {
        let base = rank.base();
        let (mut hash, mut left) = (Self::of(function), DEPTH);
        walk(rank, |address| {
            hash.take(address.wrapping_sub(base));
            left -= 1;
            left > 0
        });
        hash
    }
}

/// The place of the call into MPI that runs now. Asked first thing in the implementation: the next
/// call of any rank overwrites it.
///
/// It is the innermost one in the user's own source, if the program keeps frame pointers: not in a
/// header, nor in a library such as a binding of MPI.
#[inline]
pub fn caller() -> CallSite {
    let Some(rank) = Rank::current() else { return CallSite::NOWHERE };
    let function = CALL.with(|call| call.function.get());
    let hash = PathHash::now(rank, function);
    match rank.sites().recent(hash) {
        Some(site) if !rank.dynamic.any() => site,
        _ => caller_by_path(rank, function, hash),
    }
}

/// As [`caller`], of a call that is not among the recent ones.
#[cold]
fn caller_by_path(rank: &Rank, function: Function, hash: PathHash) -> CallSite {
    let path = Path::now(rank);
    if rank.dynamic.any() && !rank.sites().has(&path) {
        return in_library(function);
    }
    rank.sites().call(&path, function, hash)
}

/// As [`caller`], of code in a library that the program has opened.
fn in_library(function: Function) -> CallSite {
    let site = in_program();
    let call = called(function).unwrap_or("a call");
    let place = Place::kept(call, site.function, Box::default());
    CallSite::at(site.file, site.line, site.column.max(1)).of(place)
}

/// The innermost place around the call that runs now that is in the user's own source.
fn in_program() -> Site {
    let sites = backtrace(HEADERS_MAX);
    let own = sites.iter().find(|site| is_users_own(site.file));
    own.or(sites.first()).copied().unwrap_or(Site::UNKNOWN)
}

/// Where the call returns to that runs now. Asked first thing, as [`caller`].
pub(crate) fn return_address() -> usize {
    CALL.with(|call| call.address.get())
}

/// Where the address lies that the function of MPI returns to that was called last, and that
/// address. Asked first thing, as [`caller`].
pub(crate) fn return_place() -> (usize, usize) {
    CALL.with(|call| (call.stack.get(), call.address.get()))
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
/// Asked first thing, as the place of the call alone.
pub fn backtrace(most: usize) -> Vec<Site> {
    let Some(rank) = Rank::current() else { return Vec::new() };
    let mut sites = Vec::new();
    walk(rank, |address| {
        let site = of_code(address);
        sites.extend(site);
        site.is_some() && sites.len() < most
    });
    sites
}

impl Site {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { file: "", line: 0, column: 0, function: "" };
}
