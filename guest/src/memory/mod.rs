//! The variables and heap blocks of a program, as far as its debug information, its symbols and its
//! calls of the allocator tell: what holds an address, how long it is and which numbers it has.
//!
//! Nothing here is a guess: memory of which little is known (an array of variable length in optimised code, a
//! variable in a register, a block of a library) is held by nothing.
#![allow(unsafe_code, reason = "reads pointers in the frames of a program")]

mod debug;
mod kind;
mod merged;
mod named;
mod pointers;
mod reserved;
mod types;
mod units;
mod uses;

use std::{
    cell::{OnceCell, RefCell},
    ffi::c_void,
    path::PathBuf,
    ptr,
    rc::Rc,
};

use rustc_hash::FxHashMap;

use self::{
    debug::{Debug, Elements, FrameBase, Location, Scope, Variable},
    kind::Kind,
    pointers::Pointer,
    types::Extent,
};
pub use self::{
    kind::{Class, Number},
    named::outside_named,
};
use crate::{
    libc::{
        errno,
        heap::{self, HeapBlock},
        rank::Rank,
    },
    site::{self, CodeFrame, position::Site},
    statement,
};

/// Offset of the size of a type in the table that gfortran makes of it (`__vtab`), in bytes.
const DYNAMIC_SIZE: usize = 8;

/// Name of the component of a polymorphic variable of Fortran that points to its data, which may be of an extended type.
const DYNAMIC: &str = "_data";

/// Most pointers one after the other that lead from a variable to memory whose contents they tell.
const HELD_MAX: usize = 2;

/// Most functions around a call whose variables are searched.
const FRAMES_MAX: usize = 16;

/// Where an object lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// A variable in the frame of a function.
    Automatic,
    /// A variable that exists as long as the program.
    Static,
    /// A block of the heap.
    Heap,
}

/// An object of a program: a variable or a heap block.
#[derive(Clone, Debug)]
pub struct Object {
    /// Where it lies.
    pub storage: Storage,
    /// Name of the variable; empty for a heap block.
    pub name: Rc<str>,
    /// Address of its first byte.
    pub start: usize,
    /// Size in bytes.
    pub bytes: u64,
    /// Where it is declared or was allocated.
    pub place: Site,
    /// End of the longest object that may be meant: optimised code may keep variables of several blocks in the same
    /// place and make their calls with the same instructions.
    end: usize,
    /// What it holds, if that is known.
    contents: Option<Contents>,
    /// Number of functions around the running call that may know it: for a variable of a function, up to that one.
    depth: usize,
}

/// What an object holds.
#[derive(Clone, Debug)]
struct Contents {
    kind: Rc<Kind>,
    /// Distance from the start of the object in bytes.
    from: u64,
    /// Whether more of the same follows, up to the end of the object.
    repeats: bool,
}

/// Where memory that is not all in an object of a program begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// In an object that ends before the memory does.
    Inside {
        /// Number of bytes of the object from there on.
        left: u64,
    },
    /// In a vector of C++ whose elements end before the memory does, though there is room behind them.
    Reserved {
        /// Number of bytes of elements from there on.
        left: u64,
    },
    /// In front of an object.
    Before {
        /// Number of bytes in front of it.
        bytes: u64,
    },
    /// Behind an object.
    Behind {
        /// Number of bytes behind its end.
        bytes: u64,
    },
    /// In the stack, below the frames of all functions that are active.
    Dead,
    /// In a heap block that the program has freed.
    Freed {
        /// Where it was freed.
        place: Site,
    },
}

/// Memory that is certain not to be all in an object of a program.
#[derive(Clone, Debug)]
pub struct Misfit {
    /// The object that it should be in.
    pub object: Object,
    /// Where it begins.
    pub begin: Begin,
}

/// Returns that memory, which the program has passed to the running call, lies in the frame of a function that has returned.
pub fn dead(start: usize, bytes: u64) -> Option<Misfit> {
    if !site::is_below_frames(start) || object_at(start).is_some() {
        return None;
    }
    let object = Object {
        storage: Storage::Automatic,
        name: "".into(),
        start,
        bytes,
        place: Site::UNKNOWN,
        end: start + bytes as usize,
        contents: None,
        depth: FRAMES_MAX,
    };
    Some(Misfit { object, begin: Begin::Dead })
}

/// Most bytes in front of a heap block at which memory is said to begin before it. Farther away there may be blocks that
/// libraries of the host have allocated.
const BEFORE_MAX: usize = 1024;

/// Number of bytes in front of each heap block that are the allocator's own.
const HEADER: u64 = size_of::<usize>() as u64;

/// Returns what is wrong with memory of a length in bytes, which is not 0, if it is certain not to be all in an object of
/// the running program.
pub fn misfit(address: usize, bytes: u64) -> Option<Misfit> {
    if let Some(object) = object_at(address) {
        let Some(left) = object.too_few(address, bytes) else {
            let is_block = object.storage == Storage::Heap;
            return is_block.then(|| reserved::behind_elements(address, bytes)).flatten();
        };
        return Some(Misfit { object, begin: Begin::Inside { left } });
    }
    Rank::current()?;
    freed(address).or_else(|| errno::keeping(|| before(address, bytes)))
}

/// Like [`misfit`], for memory that is used by way of the address `of`, in or behind it: a datatype may count backwards. If it
/// reaches into the object of that address, it is certain not to begin before.
pub fn misfit_by(of: usize, address: usize, bytes: u64) -> Option<Misfit> {
    let before = (address < of).then(|| object_at(of)).flatten().and_then(|object| {
        let before = object.start.checked_sub(address)? as u64;
        let begin = Begin::Before { bytes: before };
        (1..bytes).contains(&before).then_some(Misfit { object, begin })
    });
    before.or_else(|| misfit(address, bytes))
}

/// Returns the heap block that holds an address and that the running program has freed.
pub fn freed(address: usize) -> Option<Misfit> {
    let freed = heap::freed(address)?;
    let begin = Begin::Freed { place: site::innermost_of_program(&freed.callers) };
    Some(Misfit { object: Object::block(&freed.block), begin })
}

/// Returns the heap block that memory runs into which begins before it.
fn before(address: usize, bytes: u64) -> Option<Misfit> {
    let block = heap::behind(address, BEFORE_MAX)?;
    let before = (block.start - address) as u64;
    // Whatever the memory begins in ends before the allocator's own bytes.
    (before < bytes + HEADER)
        .then(|| Misfit { object: Object::block(&block), begin: Begin::Before { bytes: before } })
}

impl Object {
    /// Returns the number of bytes from an address to the end of the object if these are certain to be too few, or
    /// `None` if they suffice.
    fn too_few(&self, address: usize, needed: u64) -> Option<u64> {
        let left = |end: usize| end.saturating_sub(address) as u64;
        (left(self.end) < needed).then(|| left(self.start + self.bytes as usize))
    }

    /// Returns a heap block of which it is not known what it holds.
    fn block(block: &HeapBlock) -> Self {
        Self {
            storage: Storage::Heap,
            name: "".into(),
            start: block.start,
            bytes: block.bytes as u64,
            place: site::innermost_of_program(&block.callers),
            end: block.start + block.bytes,
            contents: None,
            depth: FRAMES_MAX,
        }
    }

    /// Reports whether the object is one pointer and nothing else.
    pub fn is_pointer(&self) -> bool {
        let kind = self.contents.as_ref().map(|contents| &contents.kind);
        self.storage != Storage::Heap && kind.is_some_and(|kind| kind.is_pointer())
    }

    /// Reports whether the object is a heap block of which no more is known than that a pointer to numbers leads to it: there
    /// may be other data behind the first of them.
    pub fn may_be_headed(&self) -> bool {
        let kind = self.contents.as_ref().map(|contents| &contents.kind);
        self.storage == Storage::Heap && kind.is_some_and(|kind| matches!(&**kind, Kind::Number(_)))
    }

    /// Returns the object as one that may hold anything.
    pub fn with_anything(self) -> Self {
        Self { contents: None, ..self }
    }

    /// Returns the number that holds a byte of the object, and the offset of the byte in it; `None` if
    /// the memory may hold anything.
    pub fn number(&self, address: usize) -> Option<(&Number, u64)> {
        let Contents { kind, from, repeats } = self.contents.as_ref()?;
        let offset = (address as u64).checked_sub(self.start as u64)?.checked_sub(*from)?;
        kind.at(if *repeats { offset % kind.bytes().max(1) } else { offset })
    }
}

thread_local! {
    static DEBUG: RefCell<FxHashMap<PathBuf, Rc<Debug>>> = RefCell::default();
    /// The functions around the running call, read once in [`in_one_look`]; `None` outside of one.
    static FRAMES: RefCell<Option<OnceCell<Rc<[Frame]>>>> = const { RefCell::new(None) };
}

/// Executes `look`, which asks for several objects of the program while its running call stays the same: what is the same
/// for all of them is then found out once.
pub fn in_one_look<T>(look: impl FnOnce() -> T) -> T {
    FRAMES.set(Some(OnceCell::new()));
    let seen = heap::in_one_look(look);
    FRAMES.set(None);
    seen
}

/// Records from now on which heap blocks programs allocate; keeps those that are recorded.
pub fn record() {
    heap::record();
}

/// Stops recording heap blocks and forgets them, and the debug information that was read.
pub fn forget() {
    heap::forget_all();
    named::forget();
    DEBUG.take();
}

/// Notes that the running call has allocated a block for the program, in runs that record them.
pub fn allocated(start: *mut c_void, bytes: usize) {
    heap::keep(start, bytes);
}

/// Notes that the program has to return a block by a function of ours, not by one of the C library.
pub fn give(start: *mut c_void) {
    heap::give(start);
}

/// Notes that the program returns a block of [`give`].
pub fn take_given(start: *mut c_void) {
    heap::take_given(start);
}

/// Notes that the running call gives memory to the program that does not come from the C library.
pub fn lent(start: *mut c_void, bytes: usize) {
    heap::lend(start, bytes);
}

/// Notes that the running call takes back the memory of [`lent`].
pub fn taken_back(start: *mut c_void) {
    heap::take_back(start);
}

/// Frees a block for the program that [`libc::free`] may be given, or null.
///
/// # Safety
/// Nothing uses the block any more but the program, which may not.
pub unsafe fn free(start: *mut c_void) {
    // SAFETY: as above.
    unsafe { heap::free_block(start) };
}

/// Returns the object of the running program that holds the byte at an address.
pub fn object_at(address: usize) -> Option<Object> {
    let rank = Rank::current()?;
    errno::keeping(|| {
        let frames = frames(rank);
        in_heap(address, &frames)
            .or_else(|| in_frames(rank, address, &frames))
            .or_else(|| in_image(rank, address))
    })
}

/// Reports whether a function around the running call uses the memory of an object, of which a number lies at an address, as
/// something else than [`Object::number`] says: then it may hold anything.
pub fn is_used_otherwise(object: &Object, address: usize) -> bool {
    let Some(rank) = Rank::current() else { return false };
    errno::keeping(|| uses::is_used_otherwise(object, address, &frames(rank)))
}

/// Returns the debug information of an object, which is read once.
fn debug_of(path: PathBuf) -> Rc<Debug> {
    DEBUG.with_borrow_mut(|known| {
        Rc::clone(known.entry(path).or_insert_with_key(|path| Rc::new(Debug::new(path))))
    })
}

/// A function around the running call.
struct Frame {
    debug: Rc<Debug>,
    scope: Rc<Scope>,
    /// The frame base, if it is known.
    address: Option<usize>,
    code: usize,
    /// Address of the object's start in memory.
    base: usize,
}

impl Frame {
    /// Returns the address of a variable.
    fn place_of(&self, variable: &Variable) -> Option<usize> {
        match variable.location {
            Location::Frame(_) | Location::Fixed(_) => self.word_of(variable),
            Location::Reference(_) | Location::Unknown => None,
        }
    }

    /// Returns where a variable lies that is a pointer, or the address of one that is elsewhere.
    fn word_of(&self, variable: &Variable) -> Option<usize> {
        match variable.location {
            Location::Frame(offset) | Location::Reference(offset) => {
                Some(self.address?.wrapping_add_signed(offset as isize))
            }
            Location::Fixed(address) => Some(self.base + address as usize),
            Location::Unknown => None,
        }
    }

    /// Returns the address that a variable holds, or that of one that is elsewhere, if it has room for an address.
    fn pointer(&self, variable: &Variable) -> Option<usize> {
        let place = self.word_of(variable)?;
        let is_there = match variable.location {
            Location::Frame(_) | Location::Fixed(_) => {
                variable.kind.bytes() >= size_of::<usize>() as u64
            }
            Location::Reference(_) => true,
            Location::Unknown => false,
        };
        // SAFETY: the word belongs to a function that is active, or is a static variable. A variable that is not a
        // pointer may lie at any address.
        is_there.then(|| unsafe { (place as *const usize).read_unaligned() })
    }

    /// Returns the first word of the structure that a variable is, or that it refers to.
    fn first_word(&self, variable: &Variable) -> Option<usize> {
        let word = self.pointer(variable)?;
        match variable.elements.as_ref()?.elsewhere {
            // Where the variable does not hold its value yet, the word may be any number.
            true => heap::word_at(word),
            false => Some(word),
        }
    }

    /// Returns where a variable lies, or what it is a reference to.
    fn memory_of(&self, variable: &Variable) -> Option<usize> {
        match variable.location {
            Location::Frame(_) | Location::Fixed(_) => self.place_of(variable),
            Location::Reference(_) => self.pointer(variable),
            Location::Unknown => None,
        }
    }

    /// Returns what the pointers in a variable, or in the structure that it refers to, tell of the memory that they point to,
    /// of those that have one of the `wanted` values. The statement of the call names the variable and, if they are members of
    /// a structure, one of the members that lead to them: others may still point to memory that was freed before.
    fn held_by(&self, variable: &Variable, wanted: impl Fn(&usize) -> bool) -> Vec<Told> {
        let Some(place) = self.memory_of(variable) else { return Vec::new() };
        // Methods of C++ use the members of their object by their names alone.
        let is_named = || *variable.name == *"this" || self.names(&variable.name);
        let is_meant = |of: &Pointer| {
            let is_dynamic = of.members.last().is_some_and(|name| **name == *DYNAMIC);
            !is_dynamic && !of.is_reference && of.path.len() <= HELD_MAX
        };
        let leads_there =
            |of: &Pointer| of.members.is_empty() || of.members.iter().any(|name| self.names(name));
        let pointers = self.debug.pointers(variable.of);
        let found = pointers.iter().filter(|of| is_meant(of)).filter_map(|of| {
            let at = uses::follow(place, &of.path).filter(&wanted)?;
            // The source is looked at last: most variables have no such pointer.
            (is_named() && leads_there(of))
                .then(|| (at, Some(Rc::clone(&of.target)), of.is_descriptor))
        });
        found.collect()
    }

    /// Returns where the structure lies that a variable is, or refers to.
    fn structure(&self, variable: &Variable, elements: &Elements) -> Option<usize> {
        match elements.elsewhere {
            true => self.pointer(variable),
            false => self.place_of(variable),
        }
    }

    /// Reports whether all objects behind the one that the first word of a structure points to have its type. `variable` is
    /// the structure, or refers to it.
    fn is_container(&self, variable: &Variable, elements: &Elements) -> bool {
        match elements.extent {
            Extent::All => true,
            Extent::First => !elements.kind.is_structure(),
            Extent::Dynamic { table } => {
                let structure = self.structure(variable, elements);
                let table = structure.and_then(|at| heap::word_at(at.checked_add(table as usize)?));
                let bytes = table.and_then(|at| heap::word_at(at.checked_add(DYNAMIC_SIZE)?));
                bytes == Some(elements.kind.bytes() as usize)
            }
        }
    }

    /// Reports whether the memory of a variable is certain to hold it. Optimised code may put a temporary there before
    /// the first use of the variable, but not where its call uses the variable itself; so does any code of Fortran before the
    /// block of a variable.
    fn holds(&self, variable: &Variable) -> bool {
        match variable.location {
            Location::Frame(_) if self.scope.optimised || variable.is_of_block => {
                self.names(&variable.name)
            }
            Location::Frame(_) | Location::Fixed(_) => true,
            Location::Reference(_) | Location::Unknown => false,
        }
    }

    /// Returns where a variable is declared: in the file of the call.
    fn declaration(&self, variable: &Variable) -> Site {
        let place = site::of_code(self.code).unwrap_or(Site::UNKNOWN);
        Site { line: variable.line, column: 1, ..place }
    }

    /// Reports whether one of the statements that the code of the call belongs to is of some kind.
    fn has_statement(&self, is_wanted: impl Fn(&'static str, (u32, u32)) -> bool) -> bool {
        let mut sites = site::all_of_code(self.code).into_iter();
        sites.any(|site| is_wanted(site.file, (site.line, site.column)))
    }

    /// Reports whether the statement of the call casts a pointer to one of another type.
    fn casts(&self) -> bool {
        self.has_statement(statement::casts)
    }

    /// Reports whether the statement of the call names a variable.
    fn names(&self, variable: &str) -> bool {
        self.has_statement(|file, place| statement::mentions(file, place, variable))
    }

    /// Returns an array of variable length. Before it is made, or after its block, the words that say where it lies and how
    /// long it is may be any: the statement of the call must name it.
    fn array(&self, variable: &Variable) -> Option<Object> {
        let last = variable.last_index.filter(|_| !self.scope.optimised)?;
        let (start, place) =
            (self.pointer(variable)?, self.address?.wrapping_add_signed(last as isize));
        // SAFETY: the word belongs to a function that is active.
        let last = unsafe { (place as *const u64).read_unaligned() };
        let bytes = last.checked_add(1)?.checked_mul(variable.kind.bytes())?;
        let end = start.checked_add(usize::try_from(bytes).ok()?)?;
        let of = Contents { kind: Rc::clone(&variable.kind), from: 0, repeats: true };
        self.names(&variable.name).then(|| Object {
            storage: Storage::Automatic,
            name: Rc::clone(&variable.name),
            start,
            bytes,
            place: self.declaration(variable),
            end,
            contents: Some(of),
            depth: FRAMES_MAX,
        })
    }

    fn object(&self, variable: &Variable, start: usize) -> Object {
        let storage = match variable.location {
            Location::Frame(_) | Location::Reference(_) | Location::Unknown => Storage::Automatic,
            Location::Fixed(_) => Storage::Static,
        };
        let bytes = variable.kind.bytes();
        let end = start + bytes as usize;
        // Variables share memory where blocks are merged, and by an `EQUIVALENCE` of Fortran.
        let others = || {
            let declared = self.scope.variables.iter().filter(|other| !ptr::eq(*other, variable));
            let others = self.scope.of_merged_blocks.iter().chain(declared);
            let placed = others.filter_map(|other| Some((other, self.place_of(other)?)));
            placed
                .filter(|(other, from)| *from < end && start < *from + other.kind.bytes() as usize)
        };
        let ends = others().map(|(other, from)| from + other.kind.bytes() as usize);
        let alike = others().all(|(other, from)| from == start && other.kind == variable.kind);
        let contents = || Contents { kind: Rc::clone(&variable.kind), from: 0, repeats: false };
        Object {
            storage,
            name: Rc::clone(&variable.name),
            start,
            bytes,
            place: self.declaration(variable),
            end: ends.fold(end, usize::max),
            contents: alike.then(contents),
            depth: FRAMES_MAX,
        }
    }
}

/// Returns the functions around the running call, of which the innermost makes it, if its objects have been read.
fn innermost_frame(rank: &Rank) -> Option<Rc<[Frame]>> {
    let frames = known_frames(rank).unwrap_or_else(|| read_frames(rank, 1));
    (!frames.is_empty()).then_some(frames)
}

/// Returns the functions around the running call whose objects have been read, innermost first.
fn frames(rank: &Rank) -> Rc<[Frame]> {
    known_frames(rank).unwrap_or_else(|| read_frames(rank, FRAMES_MAX))
}

/// Returns these functions in [`in_one_look`].
fn known_frames(rank: &Rank) -> Option<Rc<[Frame]>> {
    FRAMES.with_borrow(|known| {
        let known = known.as_ref()?;
        Some(Rc::clone(known.get_or_init(|| read_frames(rank, FRAMES_MAX))))
    })
}

fn read_frames(rank: &Rank, most: usize) -> Rc<[Frame]> {
    let frames = site::code_frames(most);
    let innermost = frames.first().map(|frame| frame.pointer);
    let read = |CodeFrame { code, pointer, stack }: CodeFrame| {
        let (path, base) = site::image_at(rank, code)?;
        let debug = debug_of(path);
        // The address is that behind the call.
        let scope = debug.scope((code - 1 - base) as u64);
        let address = match scope.frame {
            Some(FrameBase::FramePointer(offset)) => {
                Some(pointer.wrapping_add_signed(offset as isize))
            }
            Some(FrameBase::StackPointer(offset)) => {
                stack.map(|stack| stack.wrapping_add_signed(offset as isize))
            }
            Some(FrameBase::Saved(offset)) => word_in_stack(rank, innermost, pointer, offset),
            None => None,
        };
        Some(Frame { debug, scope, address, code, base })
    };
    frames.into_iter().map_while(read).collect()
}

/// Returns the word at an offset from a frame pointer, if it lies on the stack.
fn word_in_stack(
    rank: &Rank,
    innermost: Option<usize>,
    pointer: usize,
    offset: i64,
) -> Option<usize> {
    let place = pointer.checked_add_signed(offset as isize)?;
    let low = innermost?.checked_sub(STACK_BELOW)?;
    let inside = (low..rank.stack_top().saturating_sub(8)).contains(&place);
    // SAFETY: the address lies between the innermost frame and the top of the running stack.
    (inside && place.is_multiple_of(8)).then(|| unsafe { *(place as *const usize) })
}

/// Number of bytes below the innermost frame pointer that belong to its frame for certain: the
/// registers that a function saves first.
const STACK_BELOW: usize = 64;

fn in_frames(rank: &Rank, address: usize, frames: &[Frame]) -> Option<Object> {
    frames.iter().zip(1..).find_map(|(frame, depth)| {
        frame.scope.variables.iter().find_map(|variable| {
            if let Some(array) = frame.array(variable) {
                let end = array.end;
                let object = Object { depth, ..array };
                return Some(object).filter(|array| (array.start..end).contains(&address));
            }
            let start = frame.place_of(variable)?;
            let inside = (start..start + variable.kind.bytes() as usize).contains(&address);
            if !inside || !frame.holds(variable) {
                return None;
            }
            let object = frame.object(variable, start);
            let block = if variable.is_in_common { in_image(rank, start) } else { None };
            let end = block.map_or(object.end, |block| block.end.max(object.end));
            let depth = match object.storage {
                Storage::Automatic => depth,
                Storage::Static | Storage::Heap => FRAMES_MAX,
            };
            Some(Object { end, depth, ..object })
        })
    })
}

/// Returns the static variable that holds an address, wherever it is declared.
fn in_image(rank: &Rank, address: usize) -> Option<Object> {
    let (path, base) = site::image_at(rank, address)?;
    let known = debug_of(path);
    let symbol = known.symbol((address - base) as u64)?;
    Some(Object {
        storage: Storage::Static,
        name: Rc::clone(&symbol.name),
        start: base + symbol.address as usize,
        bytes: symbol.bytes,
        place: Site::UNKNOWN,
        end: base + (symbol.address + symbol.bytes) as usize,
        contents: None,
        depth: FRAMES_MAX,
    })
}

/// What a pointer tells of memory: the value of the pointer, what it points to, if that is known, and whether all that follows
/// is of the same kind, as in a container.
type Told = (usize, Option<Rc<Kind>>, bool);

/// Returns the heap block that holds an address. What it holds follows from the variables that point to its start or to the
/// address and are handed on from function to function: others may still point to a block that was freed before.
///
/// A block is an array of the numbers that a pointer points to, and of the elements of a container. A pointer to a
/// structure, or to a pointer, tells what the first one holds only: behind it there may be the data that it is the head of.
fn in_heap(address: usize, frames: &[Frame]) -> Option<Object> {
    let block = heap::holding(address)?;
    let mut all: Vec<Contents> = Vec::new();
    for frame in frames {
        let mut is_handed_on = false;
        for variable in &frame.scope.variables {
            let points = |pointer: &usize| *pointer == block.start || *pointer == address;
            let itself = frame.pointer(variable).filter(points);
            let itself = itself.map(|at| (at, variable.target.clone(), false));
            let first = || {
                let elements = variable.elements.as_ref()?;
                let at = frame.first_word(variable).filter(points)?;
                let is_container = frame.is_container(variable, elements);
                Some((at, Some(Rc::clone(&elements.kind)), is_container))
            };
            let known = itself.clone().filter(|(_, kind, _)| kind.is_some());
            let found = known.or_else(first).or(itself).filter(|_| frame.names(&variable.name));
            let told = match found {
                Some(found) => vec![found],
                None => frame.held_by(variable, points),
            };
            is_handed_on |= variable.is_parameter && !told.is_empty();
            all.extend(told.into_iter().filter_map(|(pointer, kind, is_container)| {
                let kind = kind?;
                let repeats = (is_container || !kind.is_structure()) && !kind.is_pointer();
                Some(Contents { kind, from: (pointer - block.start) as u64, repeats })
            }));
        }
        if !is_handed_on {
            break;
        }
    }
    let alike = all.windows(2).all(|pair| pair[0].kind == pair[1].kind);
    let contents = if alike { all.into_iter().next() } else { None };
    Some(Object { contents, ..Object::block(&block) })
}
