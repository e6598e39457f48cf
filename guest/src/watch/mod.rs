//! Detects accesses of programs to memory that operations under way own (MPI sections 3.7.2 and
//! 3.7.3), as they happen.
//!
//! While a program runs between its calls, the pages with such memory are closed (`mprotect`). An
//! access faults; it is recorded if it was to owned memory, the pages are opened for one
//! instruction, and closed again. A system call meanwhile is intercepted as well (`system_call`):
//! the operating system would reject pointers into closed pages. Only runs that request it
//! (`Environment::watched`) are watched, one at a time.
//!
//! The pages may hold the rank's stack and memory of the simulator itself, so the order of steps
//! matters. Pages are closed by a signal handler on its alternate stack, if possible at the very
//! moment an MPI function returns to the program ([`close_on_return`]). They are opened where the
//! program enters MPI, by the handler if the stack itself is closed. Once [`open`] has begun
//! nothing closes a page: a fault then only opens all pages.
#![allow(unsafe_code, reason = "closes pages of programs and handles the signals that follow")]

mod instruction;
mod interrupted;
mod reading;
mod signal;
mod system_call;

use std::{
    cell::{Cell, UnsafeCell},
    ffi::{c_int, c_void},
    ops::Range,
    slice,
    sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering, compiler_fence},
};

use iced_x86::Instruction;
use sim_core::Site;

use self::{
    instruction::{BYTES_MAX, Kind, What},
    interrupted::Interrupted,
};
use crate::site::{self, ReturnPlace};

const PAGE: usize = 4096;
/// Maximum number of pieces of memory that are watched at once; with more, none is watched.
const PIECES_MAX: usize = 4096;
/// Maximum number of pages that are opened one by one for an instruction.
const OPENED_MAX: usize = 8;
/// Maximum number of accesses of one run that are examined: a program that computes in a closed
/// page makes many.
const STEPS_MAX: u64 = 1 << 17;
/// Maximum number of accesses that are examined between two MPI calls.
const STEPS_BETWEEN_CALLS_MAX: u64 = 1 << 15;

/// How an operation owns memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// Together with others: these and the program may read, and nobody may write.
    Shared,
    /// Alone: the program must not even read.
    Exclusive,
}

/// A piece of memory that an operation owns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Address of the first byte.
    pub start: usize,
    /// Address after the last byte.
    pub end: usize,
    /// Whether the program may read there meanwhile.
    pub claimed: Claimed,
    /// Name of the call that began the operation.
    pub call: &'static str,
    /// Place of that call.
    pub site: Site,
    /// Whether accesses are allowed, and only listed.
    pub listed: bool,
}

/// An access to a piece whose accesses are listed.
#[derive(Clone, Copy)]
pub struct Listed {
    /// Address of the first byte.
    pub address: usize,
    /// Number of bytes that were certainly accessed.
    pub bytes: usize,
    /// What the program did.
    pub how: How,
    /// Whether it loaded a vector: compilers let it drop elements of it.
    pub vector: bool,
    /// Address of the instruction.
    pub instruction: usize,
    /// Where the program was, if that is known.
    pub place: Option<Site>,
}

/// How a program accesses memory itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It reads.
    Load,
    /// It reads floating-point numbers, and does not compare them: it does not wait for them.
    LoadNumber,
    /// It writes.
    Store,
    /// It reads and writes with one atomic instruction, or in a function that synchronises.
    Atomic,
}

/// What the watch of a run has examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Examined {
    /// Number of accesses to pages with memory that is watched.
    pub accesses: u64,
    /// Whether these are all: no limit of the watch was reached.
    pub in_full: bool,
}

impl Examined {
    const NONE: Self = Self { accesses: 0, in_full: true };
}

/// Least bytes of a load of the program that is one of a vector.
const VECTOR_MIN: usize = 16;

/// Most accesses that are listed between two MPI calls.
const LISTED_MAX: usize = STEPS_BETWEEN_CALLS_MAX as usize;
/// Most instructions whose accesses are listed between two MPI calls.
const INSTRUCTIONS_MAX: usize = 128;

/// An access in a [`List`].
#[derive(Clone, Copy)]
struct Entry {
    address: usize,
    bytes: usize,
    wrote: bool,
    /// Place of the instruction in the list's `codes`.
    code: u8,
}

/// The accesses since the last MPI call to pieces whose accesses are listed.
struct List {
    accesses: [Entry; LISTED_MAX],
    count: usize,
    codes: [Interrupted; INSTRUCTIONS_MAX],
    instructions: usize,
}

impl List {
    /// Returns the place of an instruction in `codes`, if it is there.
    fn place_of(&self, instruction: usize) -> Option<usize> {
        let mut codes = self.codes[..self.instructions].iter();
        codes.position(|code| code.instruction() == instruction)
    }

    /// Adds an access; returns false if there is no room.
    #[must_use]
    fn add(
        &mut self,
        (address, bytes): (usize, usize),
        wrote: bool,
        instruction: usize,
        copy: impl FnOnce(&mut Interrupted),
    ) -> bool {
        let known = self.place_of(instruction);
        let room = self.count < LISTED_MAX && self.instructions < INSTRUCTIONS_MAX;
        if !(room || known.is_some() && self.count < LISTED_MAX) {
            return false;
        }
        let place = known.unwrap_or(self.instructions);
        if known.is_none() {
            copy(&mut self.codes[place]);
            self.instructions += 1;
        }
        self.accesses[self.count] = Entry { address, bytes, wrote, code: place as u8 };
        self.count += 1;
        true
    }
}

impl Piece {
    fn pages(&self) -> Range<usize> {
        self.start & !(PAGE - 1)..self.end.next_multiple_of(PAGE)
    }

    /// Reports whether the program must not make an access, which is a write if `wrote`, and otherwise a read.
    fn forbids(&self, wrote: bool) -> bool {
        wrote || self.claimed == Claimed::Exclusive
    }

    /// Returns the protection of its pages while they are closed.
    fn closed(&self) -> c_int {
        match self.claimed {
            Claimed::Shared => libc::PROT_READ,
            Claimed::Exclusive => libc::PROT_NONE,
        }
    }
}

/// What the program does with a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// It reads.
    Reads,
    /// It writes.
    Writes,
    /// It releases the block of the heap that the piece is in.
    Frees,
}

/// An access of the program to a piece.
#[derive(Clone, Copy)]
pub struct Access {
    /// The piece that was touched.
    pub piece: Piece,
    /// What the program does with it.
    pub touch: Touch,
    /// Where the program was, if that is known.
    pub place: Option<Site>,
}

/// All pages are open.
const OPEN: u8 = 0;
/// All pages are open, and will be closed when the MPI function that runs returns.
const ARMED: u8 = 1;
/// Pages are closed, except during a single instruction.
const CLOSED: u8 = 2;
/// Pages are being opened: nothing may close any.
const OPENING: u8 = 3;

/// One of the constants above. Written by the owning thread only.
static STATE: AtomicU8 = AtomicU8::new(OPEN);

/// Pages that are open for a single instruction.
#[derive(Clone, Copy)]
enum Opened {
    /// The first `.1` of these pages.
    Pages([usize; OPENED_MAX], usize),
    All,
}

impl Opened {
    const NONE: Self = Self::Pages([0; OPENED_MAX], 0);

    fn contains(&self, page: usize) -> bool {
        match self {
            Self::Pages(pages, count) => pages[..*count].contains(&page),
            Self::All => true,
        }
    }
}

struct Watch {
    pieces: [Option<Piece>; PIECES_MAX],
    /// Whether the next trap ends the instruction that may access closed pages.
    stepping: bool,
    /// The pages that are open for this instruction.
    opened: Opened,
    examined: Examined,
    steps_since_call: u64,
    seen: Option<(Piece, Touch)>,
    /// Where that was.
    seen_at: Interrupted,
    /// Whether the program releases a block.
    releases: bool,
    list: List,
    /// The replaced return address: its location, and the original address.
    hook: Option<(usize, usize)>,
    /// Memory that always stays open: signals and threads need it.
    reserved: [Range<usize>; 2],
}

/// The watch; accessed by the thread in `OWNER` only.
struct Shared(UnsafeCell<Watch>);

// SAFETY: only the thread that is the owner reads or writes it.
unsafe impl Sync for Shared {}

static WATCH: Shared = Shared(UnsafeCell::new(Watch {
    pieces: [None; PIECES_MAX],
    stepping: false,
    opened: Opened::NONE,
    examined: Examined::NONE,
    steps_since_call: 0,
    seen: None,
    seen_at: Interrupted::NONE,
    releases: false,
    list: List {
        accesses: [Entry { address: 0, bytes: 0, wrote: false, code: 0 }; LISTED_MAX],
        count: 0,
        codes: [Interrupted::NONE; INSTRUCTIONS_MAX],
        instructions: 0,
    },
    hook: None,
    reserved: [0..0, 0..0],
}));

/// The thread whose run is watched, identified by the address of a thread-local variable; 0 if
/// there is none.
static OWNER: AtomicUsize = AtomicUsize::new(0);

/// Whether code may lie on the stacks of ranks.
static STACKS_HOLD_CODE: AtomicBool = AtomicBool::new(false);

/// Address range of the stubs through which programs enter MPI.
static STUBS: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

thread_local! {
    static OWN: Cell<u8> = const { Cell::new(0) };
}

/// Returns a number that names this thread: the address of a variable of its own.
pub(crate) fn me() -> usize {
    OWN.with(|own| own.as_ptr() as usize)
}

/// Returns the addresses of the simulator's code.
fn own_code() -> Range<usize> {
    unsafe extern "C" {
        static __executable_start: u8;
        static etext: u8;
    }
    // Symbols of the linker, of which only the addresses are taken.
    (&raw const __executable_start) as usize..(&raw const etext) as usize
}

/// Returns the watch if this thread owns it.
fn mine() -> Option<*mut Watch> {
    (OWNER.load(Ordering::Relaxed) == me()).then_some(WATCH.0.get())
}

/// Returns the protection of open pages.
fn access_of_open() -> c_int {
    let code = STACKS_HOLD_CODE.load(Ordering::Relaxed);
    libc::PROT_READ | libc::PROT_WRITE | if code { libc::PROT_EXEC } else { 0 }
}

/// Sets the protection of pages that hold memory of the program.
fn protect(pages: &Range<usize>, access: c_int) {
    // SAFETY: any other code that accesses closed pages faults and is let through by the handler.
    unsafe { libc::mprotect(pages.start as *mut c_void, pages.len(), access) };
}

impl Watch {
    fn pieces(&self) -> impl Iterator<Item = &Piece> + Clone {
        self.pieces.iter().map_while(Option::as_ref)
    }

    /// Reports whether an instruction of the program that reads from a piece uses it. A conditional move may not,
    /// nor may a load before one. Nor may code that compilers have vectorised: it loads whole vectors of memory in which
    /// an operation owns every few elements, and drops those.
    ///
    /// # Safety
    /// The instruction is executed next, with these flags of the processor; the decoder is prepared.
    unsafe fn uses(
        &self,
        piece: &Piece,
        address: usize,
        (instruction, flags): (usize, i64),
    ) -> bool {
        // SAFETY: guaranteed by the caller.
        let Some(decoded) = (unsafe { instruction_at(instruction) }) else { return true };
        // SAFETY: as long as no instruction jumps, the next one may be executed.
        let next = |address: u64| unsafe { instruction_at(address as usize) };
        let may_drop = |register| instruction::is_selected(register, decoded.next_ip(), next);
        if !instruction::uses(&decoded, flags)
            || instruction::loaded(&decoded).is_some_and(may_drop)
        {
            return false;
        }
        let load = address..address + instruction::what(&decoded).bytes;
        piece.listed || reading::uses_all(self.pieces(), piece, &load)
    }

    /// Sets the protection of the pages of pieces that have one. Pieces that follow each other are mostly on the same page
    /// or the next one, whose protection is set with theirs.
    fn protect(&self, access: impl Fn(&Piece) -> Option<c_int>) {
        let mut before: Option<(Range<usize>, c_int)> = None;
        for piece in self.pieces() {
            let Some(access) = access(piece).filter(|_| !self.is_reserved(piece)) else { continue };
            let pages = piece.pages();
            match &mut before {
                Some((all, same))
                    if *same == access && (all.start..=all.end).contains(&pages.start) =>
                {
                    all.end = all.end.max(pages.end);
                }
                _ => {
                    before.iter().for_each(|(all, access)| protect(all, *access));
                    before = Some((pages, access));
                }
            }
        }
        before.iter().for_each(|(all, access)| protect(all, *access));
    }

    /// Reports whether the pages of a piece stay open.
    fn is_reserved(&self, piece: &Piece) -> bool {
        let pages = piece.pages();
        self.reserved.iter().any(|kept| pages.start < kept.end && kept.start < pages.end)
    }

    /// Returns the protection of a page while pages are closed: the strictest of its pieces. `None` if it is
    /// never closed.
    fn closed(&self, page: usize) -> Option<c_int> {
        let here = self.pieces().filter(|piece| piece.pages().contains(&page));
        here.filter(|piece| !self.is_reserved(piece)).map(Piece::closed).min()
    }

    /// Closes the pages; on a page with several pieces the strictest protection applies.
    fn shut(&self) {
        for claimed in [Claimed::Shared, Claimed::Exclusive] {
            self.protect(|piece| (piece.claimed == claimed).then(|| piece.closed()));
        }
        system_call::intercept();
    }

    fn unlock(&self) {
        system_call::let_pass();
        let access = access_of_open();
        self.protect(|_| Some(access));
    }

    /// Opens the page with this address alone for the instruction that is executed next. Returns false if it
    /// is open.
    fn open_page(&mut self, address: usize) -> bool {
        let page = address & !(PAGE - 1);
        if self.opened.contains(page) || self.closed(page).is_none() {
            return false;
        }
        match &mut self.opened {
            Opened::Pages(pages, count) if *count < OPENED_MAX => {
                pages[*count] = page;
                *count += 1;
                system_call::let_pass();
                protect(&(page..page + PAGE), access_of_open());
            }
            Opened::Pages(..) | Opened::All => self.open_all(),
        }
        true
    }

    /// Opens all pages for the instruction that is executed next.
    fn open_all(&mut self) {
        self.opened = Opened::All;
        self.unlock();
    }

    /// Closes what was open for the last instruction.
    fn shut_opened(&mut self) {
        let Opened::Pages(pages, count) = std::mem::replace(&mut self.opened, Opened::NONE) else {
            return self.shut();
        };
        for page in &pages[..count] {
            if let Some(access) = self.closed(*page) {
                protect(&(*page..*page + PAGE), access);
            }
        }
        system_call::intercept();
    }

    fn covers(&self, address: usize) -> bool {
        self.pieces().any(|piece| piece.pages().contains(&address))
    }

    /// Opens all pages until the next MPI call ends.
    fn release(&mut self) {
        STATE.store(OPENING, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        self.unlock();
        self.stepping = false;
        self.opened = Opened::NONE;
        STATE.store(OPEN, Ordering::Relaxed);
    }

    /// Records an access to the bytes at an address: in the list, or unless one is recorded already.
    fn note(
        &mut self,
        piece: Piece,
        (bytes, wrote): ((usize, usize), bool),
        instruction: usize,
        copy: impl FnOnce(&mut Interrupted),
    ) {
        if piece.listed {
            let is_listed = self.list.add(bytes, wrote, instruction, copy);
            self.examined.in_full &= is_listed;
        } else if self.seen.is_none() {
            let touch = match wrote {
                _ if self.releases => Touch::Frees,
                true => Touch::Writes,
                false => Touch::Reads,
            };
            self.seen = Some((piece, touch));
            copy(&mut self.seen_at);
        }
    }

    /// Replaces the list of pages to close; returns false if it is empty.
    fn take(&mut self, pieces: impl Iterator<Item = Piece>) -> bool {
        let mut count = 0;
        self.pieces[0] = None;
        self.steps_since_call = 0;
        for piece in pieces {
            if count == PIECES_MAX || self.examined.accesses > STEPS_MAX {
                self.pieces[0] = None;
                self.examined.in_full = false;
                return false;
            }
            self.pieces[count] = Some(piece);
            count += 1;
        }
        if let Some(end) = self.pieces.get_mut(count) {
            *end = None;
        }
        count > 0
    }
}

/// Sets whether programs of the next run have code on their stacks.
pub fn begin(stacks_hold_code: bool) {
    STACKS_HOLD_CODE.store(stacks_hold_code, Ordering::Relaxed);
}

/// Sets the address range of the code through which programs enter MPI.
pub(crate) fn entries(range: &Range<usize>) {
    STUBS[0].store(range.start, Ordering::Relaxed);
    STUBS[1].store(range.end, Ordering::Relaxed);
}

/// Makes this thread the owner if there is none, and replaces the list of pages to close.
fn prepare(pieces: impl Iterator<Item = Piece>) -> Option<*mut Watch> {
    open();
    let free = OWNER.compare_exchange(0, me(), Ordering::Relaxed, Ordering::Relaxed);
    if free.is_ok() {
        signal::install();
        signal::look_at_memory(false);
        system_call::begin();
    }
    let watch = mine()?;
    let reserved = signal::prepare();
    // SAFETY: the thread's own, and its handlers run only while pages are closed.
    let any = unsafe {
        (*watch).reserved = reserved;
        (*watch).take(pieces)
    };
    any.then_some(watch)
}

/// Closes the memory of these operations immediately.
pub fn close(pieces: impl Iterator<Item = Piece>) {
    if prepare(pieces).is_some() {
        STATE.store(ARMED, Ordering::Relaxed);
        signal::close_now();
    }
}

/// Closes the memory of these operations as soon as the exported function returns whose place this
/// is.
///
/// # Safety
/// The function that was running when [`crate::site::return_place`] gave the place has not returned
/// yet, and the present stack is still the one that it runs on.
pub unsafe fn close_on_return(pieces: impl Iterator<Item = Piece>, at: ReturnPlace) {
    let ReturnPlace { slot, address } = at;
    let Some(watch) = prepare(pieces) else { return };
    let place = slot as *mut usize;
    // SAFETY: the caller guarantees that the place is on the present stack.
    unsafe {
        if place.read() != address {
            return;
        }
        (*watch).hook = Some((slot, address));
        STATE.store(ARMED, Ordering::Relaxed);
        place.write(signal::landing());
    }
}

/// Reports whether a run is watched at present: memory of programs, and memory next to it, may be
/// closed.
#[inline]
pub fn is_watching() -> bool {
    OWNER.load(Ordering::Relaxed) != 0
}

/// Opens all closed pages; reports whether there were any.
#[inline]
pub fn open() -> bool {
    STATE.load(Ordering::Relaxed) != OPEN && open_now()
}

#[cold]
fn open_now() -> bool {
    let Some(watch) = mine() else { return false };
    let was_closed = STATE.swap(OPENING, Ordering::Relaxed) == CLOSED;
    compiler_fence(Ordering::SeqCst);
    // SAFETY: the thread's own; from here on the handlers only open pages. The place of an armed
    // return is on the present stack, whose function has not returned.
    unsafe {
        if let Some((slot, address)) = (*watch).hook.take() {
            (slot as *mut usize).write(address);
        }
        (*watch).release();
    }
    was_closed
}

/// Reports whether pages are closed.
#[inline]
pub(crate) fn is_closed() -> bool {
    STATE.load(Ordering::Relaxed) == CLOSED
}

/// Writes what is there to the first byte of a block that an operation owns: the allocator may leave all of it as it is
/// when the program releases it.
#[cold]
pub(crate) fn release_block(start: *mut c_void) {
    let Some(watch) = mine().filter(|_| !start.is_null()) else { return };
    // SAFETY: the program releases a block of the allocator.
    let block = start as usize..start as usize + unsafe { libc::malloc_usable_size(start) };
    // SAFETY: the watch is the thread's own, and the handler that a read above may have called has returned.
    let mut pieces = unsafe { (*watch).pieces() };
    let is_in =
        |piece: &&Piece| !piece.listed && piece.start < block.end && block.start < piece.end;
    if let Some(first) = pieces.find(is_in).map(|piece| piece.start.max(block.start)) {
        // SAFETY: the byte is the program's, and the handler lets the access through.
        unsafe {
            let first = first as *mut u8;
            (*watch).releases = true;
            first.write_volatile(first.read_volatile());
            (*watch).releases = false;
        }
    }
}

/// Returns and clears the first access since the last call of this function.
pub fn seen() -> Option<Access> {
    // SAFETY: as in `open_now`.
    let watch = mine().map(|watch| unsafe { &mut *watch })?;
    let (piece, touch) = watch.seen.take()?;
    Some(Access { piece, touch, place: watch.seen_at.place() })
}

/// Returns the addresses after the instruction that a signal has interrupted and after the calls that led to it,
/// innermost first.
///
/// # Safety
/// `context` is that of a handler of the signal, which runs on another stack.
pub(crate) unsafe fn addresses_at(context: *const libc::ucontext_t) -> Vec<usize> {
    // SAFETY: guaranteed by the caller.
    unsafe { Interrupted::look_at(context) }.addresses()
}

/// Returns the place of an instruction in the program's own source, or else in any source of it, by the registers before
/// it, which are in the order of the system's contexts.
///
/// # Safety
/// Nothing has changed the stack above the stack pointer since.
pub(crate) unsafe fn place_at(registers: &[i64]) -> Option<Site> {
    // SAFETY: guaranteed by the caller.
    unsafe { Interrupted::with_registers(registers) }.place()
}

/// Returns the innermost line of the program's own source around the running call, also where libraries without frame
/// pointers are in between. Must be called first in the implementation of a function.
pub(crate) fn calling_line() -> site::position::Site {
    let caller = site::code_frames(1).first().copied().and_then(Interrupted::of_call);
    let addresses = caller.map_or_else(Vec::new, |caller| caller.addresses());
    site::innermost_of_program(&addresses)
}

/// Returns what an instruction is that has been executed. The simulator's own functions, those on locks of threads for
/// instance, count as atomic.
fn what(instruction: usize) -> What {
    if own_code().contains(&instruction) {
        return What { kind: Kind::Atomic, bytes: 1 };
    }
    // SAFETY: it has been executed.
    let decoded = unsafe { instruction_at(instruction) };
    decoded.map_or(What { kind: Kind::Other, bytes: 1 }, |decoded| instruction::what(&decoded))
}

/// Returns the instruction at an address.
///
/// # Safety
/// There is one, which may be executed.
pub(crate) unsafe fn instruction_at(address: usize) -> Option<Instruction> {
    // SAFETY: it lies on this page, and on the next one if its code does not end before.
    let code = |bytes| unsafe { slice::from_raw_parts(address as *const u8, bytes) };
    let here = (PAGE - address % PAGE).min(BYTES_MAX);
    instruction::decode(code(here), address)
        .or_else(|| instruction::decode(code(BYTES_MAX), address))
}

/// Reports whether all accesses of the present run have been examined so far.
pub fn is_in_full() -> bool {
    // SAFETY: as in `open_now`.
    mine().is_none_or(|watch| unsafe { (*watch).examined.in_full })
}

/// Returns and clears the listed accesses since the last call of this function.
pub fn listed() -> Vec<Listed> {
    let Some(watch) = mine() else { return Vec::new() };
    // SAFETY: as in `open_now`.
    let list = unsafe { &mut (*watch).list };
    let codes = list.codes[..list.instructions].iter().map(|code| {
        let instruction = code.instruction();
        (instruction, code.place(), what(instruction), site::is_of_program(instruction))
    });
    let codes: Vec<_> = codes.collect();
    let accesses = list.accesses[..list.count].iter();
    let listed = accesses.map(|&Entry { address, bytes, wrote, code }| {
        let (instruction, place, what, is_of_program) = codes[usize::from(code)];
        // Libraries read more than they use, in whole blocks. Of an access that begins before a page the rest is on it.
        let is_whole = (wrote || is_of_program) && !address.is_multiple_of(PAGE);
        Listed {
            address,
            bytes: if is_whole { what.bytes.max(bytes) } else { bytes },
            how: match (wrote, what.kind) {
                (true, Kind::Atomic) => How::Atomic,
                (true, Kind::Floating | Kind::Other) => How::Store,
                (false, Kind::Floating) => How::LoadNumber,
                (false, Kind::Atomic | Kind::Other) => How::Load,
            },
            vector: !wrote && is_of_program && what.bytes >= VECTOR_MIN,
            instruction,
            place,
        }
    });
    let listed = listed.collect();
    (list.count, list.instructions) = (0, 0);
    listed
}

/// Ends the watch of the run, and returns what it has examined.
pub fn end() -> Examined {
    open();
    let mut examined = Examined::NONE;
    if let Some(watch) = mine() {
        // SAFETY: as in `open_now`.
        unsafe {
            examined = std::mem::replace(&mut (*watch).examined, Examined::NONE);
            (*watch).seen = None;
            (*watch).list.count = 0;
            (*watch).list.instructions = 0;
            (*watch).pieces[0] = None;
        }
        system_call::end();
        signal::look_at_memory(true);
        OWNER.store(0, Ordering::Relaxed);
    }
    examined
}
