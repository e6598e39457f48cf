//! Accesses of programs to memory that operations under way own (MPI sections 3.7.2 and 3.7.3), seen
//! as they happen.
//!
//! While a program runs between its calls, pages with such memory are closed. An access strikes;
//! it is noted if it was to owned memory, the pages are opened for one instruction, and closed
//! again. Only runs that ask for it (`Environment::watched`) are watched, one at a time.
#![allow(unsafe_code, reason = "closes pages of programs and handles the signals that follow")]

use std::{
    cell::{Cell, UnsafeCell},
    ffi::{c_int, c_void},
    mem::MaybeUninit,
    ptr,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use mpi_api::call::Site;

const PAGE: usize = 4096;
/// Most pieces of memory that are watched at once; with more, none is.
const PIECES_MAX: usize = 256;
/// Most accesses of one run that are looked at: a program that computes in a closed page has many.
const STEPS_MAX: u64 = 1 << 15;
/// Words of the stack in which the caller of a library's function is looked for.
const WORDS: usize = 64;
/// The processor's flag that makes the next instruction the last one before a trap.
const TRAP_FLAG: i64 = 0x100;

/// Memory that an operation owns.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The operation writes there: then a program must not even read.
    pub(crate) writes: bool,
    pub(crate) call: &'static str,
    pub(crate) site: Site,
}

impl Piece {
    fn pages(&self) -> (usize, usize) {
        let start = self.start & !(PAGE - 1);
        (start, self.end.next_multiple_of(PAGE) - start)
    }
}

/// What a program did to a piece.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    pub(crate) piece: Piece,
    pub(crate) wrote: bool,
    /// The instruction, then what lay on the stack.
    pub(crate) code: [usize; WORDS],
}

struct Watch {
    pieces: [Option<Piece>; PIECES_MAX],
    closed: bool,
    stepping: bool,
    steps: u64,
    seen: Option<Access>,
}

/// Touched by the thread in `OWNER` alone.
struct Shared(UnsafeCell<Watch>);

// SAFETY: only the thread that is the owner reads or writes it.
unsafe impl Sync for Shared {}

static WATCH: Shared = Shared(UnsafeCell::new(Watch {
    pieces: [None; PIECES_MAX],
    closed: false,
    stepping: false,
    steps: 0,
    seen: None,
}));

/// The thread whose run is watched: the address of a variable of its own; 0 if there is none.
static OWNER: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static OWN: Cell<u8> = const { Cell::new(0) };
}

fn me() -> usize {
    OWN.with(|own| own.as_ptr() as usize)
}

/// The watch, if it is this thread's.
fn mine() -> Option<*mut Watch> {
    (OWNER.load(Ordering::Relaxed) == me()).then_some(WATCH.0.get())
}

impl Watch {
    fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().map_while(Option::as_ref)
    }

    fn protect(&self, access: impl Fn(&Piece) -> Option<c_int>) {
        for piece in self.pieces() {
            let (start, bytes) = piece.pages();
            if let Some(access) = access(piece) {
                // SAFETY: the pages hold memory of the program, which is opened before anybody
                // else needs it.
                unsafe { libc::mprotect(start as *mut c_void, bytes, access) };
            }
        }
    }

    fn shut(&self) {
        self.protect(|piece| (!piece.writes).then_some(libc::PROT_READ));
        self.protect(|piece| piece.writes.then_some(libc::PROT_NONE));
    }

    fn unlock(&self) {
        self.protect(|_| Some(libc::PROT_READ | libc::PROT_WRITE));
    }

    fn covers(&self, address: usize) -> bool {
        self.pieces().any(|piece| {
            let (start, bytes) = piece.pages();
            address.wrapping_sub(start) < bytes
        })
    }
}

/// Closes the memory of these operations while the program runs.
pub(crate) fn close(pieces: impl Iterator<Item = Piece>) {
    let free = OWNER.compare_exchange(0, me(), Ordering::Relaxed, Ordering::Relaxed);
    if free.is_ok() {
        install();
    }
    let Some(watch) = mine() else { return };
    // SAFETY: the thread's own, and its handlers run only while pages are closed.
    let watch = unsafe { &mut *watch };
    if watch.steps > STEPS_MAX {
        return;
    }
    let mut count = 0;
    for piece in pieces {
        if count == PIECES_MAX {
            return;
        }
        watch.pieces[count] = Some(piece);
        count += 1;
    }
    if let Some(end) = watch.pieces.get_mut(count) {
        *end = None;
    }
    if count > 0 {
        watch.closed = true;
        watch.shut();
    }
}

/// Opens what is closed. Whether something was.
pub(crate) fn open() -> bool {
    let Some(watch) = mine() else { return false };
    // SAFETY: as in `close`; from here on nothing strikes.
    unsafe {
        if !(*watch).closed {
            return false;
        }
        (*watch).unlock();
        (*watch).closed = false;
    }
    true
}

/// The first access since this was last asked.
pub(crate) fn seen() -> Option<Access> {
    // SAFETY: as in `close`.
    mine().and_then(|watch| unsafe { (*watch).seen.take() })
}

/// The run is over.
pub(crate) fn end() {
    open();
    if let Some(watch) = mine() {
        // SAFETY: as in `close`.
        unsafe {
            (*watch).steps = 0;
            (*watch).seen = None;
        }
        OWNER.store(0, Ordering::Relaxed);
    }
}

const SIGNALS: [c_int; 2] = [libc::SIGSEGV, libc::SIGTRAP];
static PREVIOUS: OnceLock<[libc::sigaction; 2]> = OnceLock::new();

type Handler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);

/// Handles the signals before those who handled them so far.
fn install() {
    PREVIOUS.get_or_init(|| {
        let handlers: [Handler; 2] = [on_fault, on_step];
        let mut previous = [(); 2].map(|()| {
            // SAFETY: all zeros are an action.
            unsafe { MaybeUninit::<libc::sigaction>::zeroed().assume_init() }
        });
        for ((signal, handler), previous) in SIGNALS.iter().zip(handlers).zip(&mut previous) {
            // SAFETY: the handlers have the signature that SA_SIGINFO asks for, and do only what
            // a handler may.
            unsafe {
                let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
                action.sa_sigaction = handler as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigemptyset(&raw mut action.sa_mask);
                libc::sigaction(*signal, &raw const action, previous);
            }
        }
        previous
    });
}

fn pass_on(place: usize, info: *mut libc::siginfo_t, context: *mut c_void) {
    let Some(previous) = PREVIOUS.get().map(|previous| &previous[place]) else { return };
    // SAFETY: as the system would have done; the system's own action takes effect when the
    // instruction strikes again.
    unsafe {
        if previous.sa_sigaction == libc::SIG_DFL || previous.sa_sigaction == libc::SIG_IGN {
            libc::sigaction(SIGNALS[place], previous, ptr::null_mut());
        } else {
            let handler: Handler = std::mem::transmute(previous.sa_sigaction);
            handler(SIGNALS[place], info, context);
        }
    }
}

/// The instruction and what lies on the stack.
///
/// # Safety
/// `context` is a handler's, and the stack is not closed.
unsafe fn code(context: *const libc::ucontext_t) -> [usize; WORDS] {
    // SAFETY: the caller's; stacks of ranks go on above the place where one was struck.
    unsafe {
        let registers = &(*context).uc_mcontext.gregs;
        let stack = registers[libc::REG_RSP as usize] as *const usize;
        let mut words = [0; WORDS];
        words[0] = registers[libc::REG_RIP as usize] as usize;
        for (at, word) in words.iter_mut().enumerate().skip(1) {
            *word = stack.add(at - 1).read();
        }
        words
    }
}

extern "C" fn on_fault(_signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let registers = context.cast::<libc::ucontext_t>();
    if let Some(watch) = mine() {
        // SAFETY: the thread's own, which is not inside of `close` or `open`: those do not touch
        // memory of programs. `info` and `context` are the system's.
        unsafe {
            let (watch, address) = (&mut *watch, (*info).si_addr() as usize);
            if watch.closed && !watch.stepping && watch.covers(address) {
                watch.unlock();
                let wrote = (*registers).uc_mcontext.gregs[libc::REG_ERR as usize] & 2 != 0;
                let touched = watch.pieces().find(|piece| {
                    (piece.start..piece.end).contains(&address) && (wrote || piece.writes)
                });
                if let (None, Some(piece)) = (watch.seen, touched.copied()) {
                    watch.seen = Some(Access { piece, wrote, code: code(registers) });
                }
                watch.steps += 1;
                if watch.steps > STEPS_MAX {
                    watch.closed = false;
                    return;
                }
                watch.stepping = true;
                (*registers).uc_mcontext.gregs[libc::REG_EFL as usize] |= TRAP_FLAG;
                return;
            }
        }
    }
    pass_on(0, info, context);
}

extern "C" fn on_step(_signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    if let Some(watch) = mine() {
        // SAFETY: as in `on_fault`.
        unsafe {
            if (*watch).stepping {
                let registers = context.cast::<libc::ucontext_t>();
                (*registers).uc_mcontext.gregs[libc::REG_EFL as usize] &= !TRAP_FLAG;
                (*watch).stepping = false;
                if (*watch).closed {
                    (*watch).shut();
                }
                return;
            }
        }
    }
    pass_on(1, info, context);
}
