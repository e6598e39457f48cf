//! Finds the source position of an MPI call in a compiled program.
#![allow(unsafe_code, reason = "walks the frames of a program")]

pub(crate) mod path;
pub(crate) mod position;
pub(crate) mod table;
pub(crate) mod variable;

use std::{cell::Cell, ops::Range, path::PathBuf};

use sim_core::{Address, Place, Site as CallSite};

use self::path::{DEPTH, Function, Path, PathHash, called};
pub use self::{position::Site, table::callers, variable::Data};
use crate::{
    libc::{errno, rank::Rank},
    own_source::is_users_own,
};

/// Maximum number of functions around a call that are searched for the innermost one in the user's
/// own source: headers and libraries call each other.
const HEADERS_MAX: usize = 24;

/// What the stub of an exported function records: the return address and its location, the caller's
/// frame, and the number of the function.
struct Call {
    address: Cell<usize>,
    stack: Cell<usize>,
    frame: Cell<usize>,
    function: Cell<Function>,
}

/// Where an exported function returns to: the location of its return address, and that address.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReturnPlace {
    pub(crate) slot: usize,
    pub(crate) address: usize,
}

/// Most bytes of arguments on the stack of a call.
const ARGUMENTS_MAX: usize = 128;

impl ReturnPlace {
    /// Reports whether the call is made by the function that has made the `earlier` one on the same stack, or by one that has
    /// called that function: then the earlier call is over. A function called in it has its frame further below.
    pub fn follows(self, earlier: Self) -> bool {
        self.slot + ARGUMENTS_MAX >= earlier.slot
    }
}

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

/// Returns the offsets from the thread pointer at which a stub writes the return address, its
/// location, the frame and the function number.
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

/// Passes the return address of the running MPI call to `more`, and then those of the functions around
/// it, innermost first, until `more` returns false. Stops at a function that keeps no frame pointer.
#[inline(always)]
fn walk(rank: &Rank, more: impl FnMut(usize) -> bool) {
    let (address, frame) = CALL.with(|call| (call.address.get(), call.frame.get()));
    walk_from(rank, (address, frame), (&raw const address) as usize, more);
}

/// Like [`walk`], from an address and a frame pointer. Frames lie above `low`, an address on the
/// rank's stack.
#[inline(always)]
fn walk_from(rank: &Rank, from: (usize, usize), low: usize, mut more: impl FnMut(usize) -> bool) {
    walk_frames(rank, from, low, |address, _| more(address));
}

/// Like [`walk_from`], and passes on the frame pointer of each function, too.
#[inline(always)]
fn walk_frames(
    rank: &Rank,
    (mut address, mut frame): (usize, usize),
    mut low: usize,
    mut more: impl FnMut(usize, usize) -> bool,
) {
    let top = rank.stack_top();
    while more(address, frame) {
        if !is_frame(frame, (low, top)) {
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

/// Reports whether a number may be the address of a frame between two addresses of a stack: where functions keep no frame
/// pointers it is any number.
#[inline(always)]
fn is_frame(frame: usize, (low, top): (usize, usize)) -> bool {
    frame > low && frame <= top.saturating_sub(16) && frame.is_multiple_of(8)
}

/// Returns the path of the running MPI call.
fn present_path(rank: &Rank) -> Path {
    let (base, mut path) = (rank.base(), Path::default());
    walk(rank, |address| path.add(address.wrapping_sub(base)));
    path
}

/// Returns the hash of the path of the running MPI call, up to the first address outside the
/// program: where functions keep no frame pointers, numbers follow that change from call to call.
#[inline(always)]
fn present_hash(rank: &Rank, function: Function) -> PathHash {
    let (base, size) = (rank.base(), rank.sites().size());
    let (mut hash, mut left) = (PathHash::of(function), DEPTH);
    walk(rank, |address| {
        let place = address.wrapping_sub(base);
        if place >= size {
            return false;
        }
        hash.take(place);
        left -= 1;
        left > 0
    });
    hash
}

/// Returns the site of the running MPI call. Must be called first in the implementation of a
/// function: the next call of any rank overwrites what the stub recorded.
///
/// The site is the innermost one in the user's own source, if the program keeps frame pointers: not
/// in a header, nor in a library such as a language binding of MPI.
// Inlined where all messages pass: otherwise the site is copied once more.
#[inline(always)]
pub fn caller() -> CallSite {
    let Some(rank) = Rank::current() else { return CallSite::NOWHERE };
    let function = CALL.with(|call| call.function.get());
    let hash = present_hash(rank, function);
    match rank.sites().recent(hash) {
        Some(site) if !rank.opened.any() => site,
        _ => caller_by_path(rank, function, hash),
    }
}

/// Forgets the place of the running call: the program has since called a function that has no stub.
pub(crate) fn forget_caller() {
    CALL.with(|call| {
        call.address.set(0);
        call.frame.set(0);
    });
}

/// Like [`caller`], for a call that is not among the recent ones.
#[cold]
fn caller_by_path(rank: &Rank, function: Function, hash: PathHash) -> CallSite {
    let path = present_path(rank);
    errno::keeping(|| {
        if rank.opened.any() && !rank.sites().has(&path) {
            return in_library(function);
        }
        rank.sites().call(&path, function, hash, in_program)
    })
}

/// Like [`caller`], for code in a library that the program has opened.
fn in_library(function: Function) -> CallSite {
    let site = in_program();
    let call = called(function).unwrap_or("a call");
    let place = Place::kept(call, site.function, Box::default());
    CallSite::at(site.file, site.line, site.column.max(1)).of(place)
}

/// Returns the innermost position around the running call that is in the user's own source.
pub(crate) fn in_program() -> Site {
    let sites = backtrace(HEADERS_MAX);
    let own = sites.iter().find(|site| is_users_own(site.file));
    own.or(sites.first()).copied().unwrap_or(Site::UNKNOWN)
}

/// Returns the position at which a function of the program begins.
pub(crate) fn definition(rank: &Rank, function: usize) -> Site {
    // Positions are looked up by addresses to return to, one behind a call. What is inlined at the beginning of a
    // function comes before it.
    let frames = rank.sites().find_all(rank.base(), function + 1);
    frames.last().copied().unwrap_or(Site::UNKNOWN)
}

/// Returns the return address of the running call. Must be called first, like [`caller`].
pub(crate) fn return_address() -> usize {
    CALL.with(|call| call.address.get())
}

/// Returns where the exported function that was called last returns to. Must be called first, like [`caller`].
pub fn return_place() -> ReturnPlace {
    CALL.with(|call| ReturnPlace { slot: call.stack.get(), address: call.address.get() })
}

/// What the stub of an exported function has recorded of the running call, to be kept while other ranks run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Recorded {
    address: usize,
    stack: usize,
    frame: usize,
    function: Function,
}

impl Recorded {
    /// Returns what was recorded last. Must be called first, like [`caller`].
    pub fn last() -> Self {
        CALL.with(|call| Self {
            address: call.address.get(),
            stack: call.stack.get(),
            frame: call.frame.get(),
            function: call.function.get(),
        })
    }

    /// Makes this the record of the running call again.
    pub fn restore(self) {
        CALL.with(|call| {
            call.address.set(self.address);
            call.stack.set(self.stack);
            call.frame.set(self.frame);
            call.function.set(self.function);
        });
    }

    /// Reports whether this is the record of a call of the present rank that has not returned.
    pub fn is_present(self) -> bool {
        let top = Rank::current().map_or(0, Rank::stack_top);
        ((&raw const self) as usize..top).contains(&self.stack)
    }
}

/// Returns the frame pointer of the function that has made the running call. Must be called first,
/// like [`caller`].
pub fn frame() -> usize {
    CALL.with(|call| call.frame.get())
}

/// A function around the running call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodeFrame {
    /// The address to which its call returns.
    pub(crate) code: usize,
    /// Its frame pointer.
    pub(crate) pointer: usize,
    /// Its stack pointer, for the innermost function.
    pub(crate) stack: Option<usize>,
}

/// Returns the functions around the running call of the present rank, innermost first, at most `most`,
/// as far as they are in the program; none if another rank has made a call since.
pub(crate) fn code_frames(most: usize) -> Vec<CodeFrame> {
    let Some(rank) = Rank::current() else { return Vec::new() };
    let (address, frame, slot) =
        CALL.with(|call| (call.address.get(), call.frame.get(), call.stack.get()));
    let low = (&raw const address) as usize;
    let mut frames = Vec::new();
    if (low..rank.stack_top()).contains(&slot) {
        walk_frames(rank, (address, frame), low, |code, pointer| {
            let stack = frames.is_empty().then_some(slot + size_of::<usize>());
            let own = image_at(rank, code).is_some();
            frames.extend(own.then_some(CodeFrame { code, pointer, stack }));
            own && frames.len() < most
        });
    }
    frames
}

/// Number of bytes below the frames of a program that belong to its stack for certain: a part of the smallest stack.
const BELOW_FRAMES: usize = 1 << 17;

/// Returns where the frames of the functions around the running call begin and end.
fn frames_on_stack() -> Option<Range<usize>> {
    let (slot, top) = (CALL.with(|call| call.stack.get()), Rank::current()?.stack_top());
    let low = (&raw const slot) as usize;
    (low..top).contains(&slot).then_some(slot..top)
}

/// Reports whether an address lies in the frames of the functions around the running call.
pub fn is_in_frames(address: usize) -> bool {
    frames_on_stack().is_some_and(|frames| frames.contains(&address))
}

/// Reports whether an address lies in the stack below the frame of the function that makes the running call. If the program
/// has passed it, it belonged to a function that has returned; else it may belong to one of ours.
pub(crate) fn is_below_frames(address: usize) -> bool {
    frames_on_stack().is_some_and(|frames| {
        (frames.start.saturating_sub(BELOW_FRAMES)..frames.start).contains(&address)
    })
}

/// Returns the file of the object of the program that has the code or data at an address, and where in
/// memory its addresses count from.
pub(crate) fn image_at(rank: &Rank, address: usize) -> Option<(PathBuf, usize)> {
    rank.sites().object_at(rank.base(), address).or_else(|| rank.opened.object_at(address))
}

/// Keeps the functions around an instruction that has raised a signal: its address, the frame
/// pointer and the stack pointer. The stack will be gone when they are asked for.
///
/// May be called in a signal handler.
pub(crate) fn keep_struck(rank: &Rank, (address, frame): (usize, usize), stack: usize) {
    let (mut places, mut count) = ([0; DEPTH], 0);
    // A function that calls no other may keep its frame at the stack pointer itself. Callers are
    // addresses to return to, one behind the call.
    walk_from(rank, (address + 1, frame), stack - 1, |address| {
        places[count] = address;
        count += 1;
        count < DEPTH
    });
    path::keep_struck(address, places);
}

/// Like [`keep_struck`], for an instruction of a library: `addresses` follow it and the calls that led to it, innermost
/// first. Those of libraries that are not part of the running program are skipped.
pub(crate) fn keep_struck_path(place: usize, addresses: &[usize]) {
    let mut path = addresses.iter().copied().skip_while(|address| !is_of_program(address - 1));
    let mut places = [0; DEPTH];
    places.iter_mut().zip(&mut path).for_each(|(kept, address)| *kept = address);
    path::keep_struck(place, places);
}

/// Returns an address in the program's innermost call for an instruction that has raised a signal: that instruction itself
/// if it is the program's.
pub fn struck_call(address: usize) -> Option<usize> {
    path::struck_call(address)
}

/// Reports whether an address lies in the image of the running program.
pub(crate) fn is_of_program(address: usize) -> bool {
    Rank::current().is_some_and(|rank| rank.sites().holds(rank.base(), address))
}

/// Returns where the addresses of the object of the running program count from that holds an address.
pub(crate) fn object_start(address: usize) -> Option<usize> {
    let rank = Rank::current()?;
    rank.sites().object_at(rank.base(), address).map(|(_, start)| start)
}

/// Returns an address of the running program as one in the file that holds it.
pub fn address_in_file(address: usize) -> Option<Address> {
    let rank = Rank::current()?;
    rank.sites().address_in_file(address.wrapping_sub(rank.base()))
}

/// Reports whether a position lies in the program's own source.
pub(crate) fn is_own(site: Site) -> bool {
    site.line > 0 && is_users_own(site.file)
}

/// Returns how many bytes of a stack there are from an address on, at least to the end of its page.
///
/// May be called in a signal handler.
pub(crate) fn stack_above(address: usize) -> usize {
    const PAGE: usize = 4096;
    let of_rank = Rank::current().and_then(|rank| rank.stack_top().checked_sub(address));
    of_rank.filter(|bytes| *bytes < STACK_MAX).unwrap_or(PAGE - address % PAGE)
}

/// No stack of a rank is larger. Of a thread's, which lies elsewhere, only a page is sure to be there.
const STACK_MAX: usize = 1 << 30;

/// Returns the position of the code just before this address, if it is in the running program.
pub fn of_code(address: usize) -> Option<Site> {
    let rank = Rank::current()?;
    if rank.sites().holds(rank.base(), address) {
        return Some(rank.sites().find(rank.base(), address));
    }
    rank.opened.find(address)
}

/// Like [`of_code`], the positions in all functions that are inlined into each other there, innermost first.
pub(crate) fn all_of_code(address: usize) -> Vec<Site> {
    let Some(rank) = Rank::current() else { return Vec::new() };
    match rank.sites().holds(rank.base(), address) {
        true => rank.sites().find_all(rank.base(), address),
        false => rank.opened.find(address).into_iter().collect(),
    }
}

/// Returns the first of the positions of these return addresses that is in the running program's
/// own source.
pub(crate) fn innermost_of_program(addresses: &[usize]) -> Site {
    let mut sites = addresses.iter().filter_map(|address| of_code(*address));
    let own = sites.find(|site| is_own(*site));
    own.unwrap_or(Site::UNKNOWN)
}

/// Returns the return addresses of the running call and of the functions around it, innermost
/// first, at most `most`, as far as they are in the running program. Must be called first, like
/// [`caller`].
pub(crate) fn return_addresses(most: usize) -> Vec<usize> {
    let mut found = Vec::new();
    if let Some(rank) = Rank::current().filter(|_| most > 0) {
        walk(rank, |address| {
            let own = of_code(address).is_some();
            found.extend(own.then_some(address));
            own && found.len() < most
        });
    }
    found
}

/// Returns the positions of the call and of the functions around it, innermost first, at most
/// `most`. Must be called first in the implementation of a function.
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
