//! Threads of a program: each is a coroutine of its rank, which runs until it waits.
//!
//! Threads switch only at waiting points, in an order that depends on nothing but the program: MPI
//! calls, the functions of this module, sleeps. Taking a free lock does not switch. The state of a
//! lock, a condition or similar object is in the program's own variable, as glibc would initialise
//! it; the threads that wait for it are queued by its address in the rank (`parking`).

mod attribute;
mod barrier;
mod c11;
mod condition;
mod cxx;
mod futex;
mod guard;
mod key;
mod leave;
mod life;
mod mutex;
mod once;
mod parking;
mod rwlock;
mod semaphore;
mod spin;
mod stack;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ffi::{c_char, c_int, c_void},
    ptr,
    rc::Rc,
    time::Duration,
};

pub(crate) use life::end_rank;

use super::{Replacement, locale, process::ExitHandler, rank::Rank, surroundings};
use crate::loader::{Block, ThreadLocals};

/// Initialises or destroys an object without state.
extern "C" fn nothing(_place: *mut c_void) -> c_int {
    0
}

/// One thread of a rank.
pub(crate) struct Thread {
    /// The `pthread_t` by which the program identifies it.
    handle: usize,
    /// Number in the rank; the main thread is 0.
    number: u32,
    /// Return point of `leave`.
    pub(crate) escape: Cell<usize>,
    /// End of its own stack; 0 if it runs on the stack of its coroutine.
    pub(crate) own_top: Cell<usize>,
    /// Destructors of its thread-local objects, to be called when it ends.
    pub(super) exits: RefCell<Vec<ExitHandler>>,
    /// Thread pointer, and the block of variables if they are not the image's own.
    pointer: usize,
    _block: Option<Block>,
    values: RefCell<BTreeMap<u32, usize>>,
    /// Frames with cleanup handlers, the innermost last.
    cleanups: RefCell<Vec<usize>>,
    /// Signals that it blocks.
    pub(super) blocked: Cell<u64>,
    detached: Cell<bool>,
    joined: Cell<bool>,
    ended: Cell<bool>,
    result: Cell<usize>,
    name: Cell<[u8; 16]>,
    /// Its own locale, if it has set one.
    pub(super) locale: locale::OfThread,
}

/// All threads of one rank.
pub(crate) struct Threads {
    locals: ThreadLocals,
    main: Rc<Thread>,
    present: Cell<*const Thread>,
    /// Threads that have not ended or can still be joined, by handle.
    all: RefCell<BTreeMap<usize, Rc<Thread>>>,
    /// Number of threads started, including the main thread.
    begun: Cell<u32>,
    /// Number of additional threads that have not ended.
    live: Cell<u32>,
    /// Number of additional threads with frames that refer to the rank, including some that have
    /// ended.
    running: Cell<u32>,
    lot: RefCell<parking::Lot>,
    /// Destructors of thread-specific values; `None` for a key that is not in use.
    keys: RefCell<Vec<Option<usize>>>,
    /// Environment and working folder of the rank, which its threads share.
    surroundings: Cell<(*mut *mut c_char, u32)>,
    /// Free locks taken since a thread of the rank last gave up the processor.
    free_locks: Cell<u32>,
    /// Time at which the only thread of the rank last yielded, and how often it did so at that
    /// time.
    yields: Cell<(Duration, u32)>,
    /// Whether the program has ended in one of the threads, so that the others do not resume.
    over: Cell<bool>,
}

impl Thread {
    fn new(number: u32, pointer: usize, block: Option<Block>) -> Rc<Self> {
        Rc::new(Self {
            handle: number as usize + 1,
            number,
            escape: Cell::new(0),
            own_top: Cell::new(0),
            exits: RefCell::default(),
            pointer,
            _block: block,
            values: RefCell::default(),
            cleanups: RefCell::default(),
            blocked: Cell::new(0),
            detached: Cell::new(false),
            joined: Cell::new(false),
            ended: Cell::new(false),
            result: Cell::new(0),
            name: Cell::new([0; 16]),
            locale: Cell::new(ptr::null_mut()),
        })
    }
}

impl Threads {
    pub(crate) fn new(locals: ThreadLocals) -> Self {
        let main = Thread::new(0, locals.main(), None);
        let present = Cell::new(Rc::as_ptr(&main));
        Self {
            locals,
            present,
            all: RefCell::new(BTreeMap::from([(main.handle, Rc::clone(&main))])),
            main,
            begun: Cell::new(1),
            live: Cell::new(0),
            running: Cell::new(0),
            lot: RefCell::default(),
            keys: RefCell::default(),
            surroundings: Cell::new((ptr::null_mut(), 0)),
            free_locks: Cell::new(0),
            yields: Cell::new((Duration::ZERO, 0)),
            over: Cell::new(false),
        }
    }

    /// Reports whether there has ever been an additional thread.
    #[inline]
    pub(super) fn several(&self) -> bool {
        self.begun.get() > 1
    }

    /// Returns the number of threads that have not ended, besides the running one.
    pub(crate) fn others(&self) -> u32 {
        let all = self.live.get() + u32::from(!self.main.ended.get());
        all.saturating_sub(1)
    }

    /// Reports whether threads are left besides the one that has ended the program.
    pub(crate) fn are_left(&self) -> bool {
        self.over.get()
    }

    /// Returns the running thread, or the one that ran last.
    #[allow(unsafe_code, reason = "threads live as long as they run")]
    pub(crate) fn present(&self) -> &Thread {
        // SAFETY: the main thread lives as long as this value, and an additional one as long as it
        // runs.
        unsafe { &*self.present.get() }
    }

    pub(super) fn main(&self) -> &Thread {
        &self.main
    }

    /// Returns the running thread as an address for [`Threads::show`].
    #[inline]
    pub(super) fn mark(&self) -> *const Thread {
        self.present.get()
    }

    /// Makes a thread of this rank the running one.
    #[allow(unsafe_code, reason = "threads live as long as they run")]
    pub(super) fn show(&self, thread: *const Thread) {
        self.present.set(thread);
        self.free_locks.set(0);
        // SAFETY: as in `present`.
        self.locals.show(unsafe { (*thread).pointer });
    }

    /// Stores the state that belongs to the rank and not to one thread, when a thread stops.
    pub(super) fn keep(&self, variables: *mut *mut c_char, folder: u32) {
        self.surroundings.set((variables, folder));
    }

    /// Like `keep`, with the current state.
    fn keep_present(&self) {
        self.keep(surroundings::present(), surroundings::folder());
    }

    pub(super) fn kept(&self) -> (*mut *mut c_char, u32) {
        self.surroundings.get()
    }
}

/// Returns the number of the calling thread; the main thread is 0.
pub fn present() -> u32 {
    Rank::current().map_or(0, |rank| rank.threads.present().number)
}

/// Reports whether there is a thread with this handle.
pub(super) fn exists(handle: usize) -> bool {
    life::find(handle).is_some()
}

/// Starts a detached thread.
pub(super) fn begin_detached(function: usize, value: usize) {
    let mut handle = 0;
    if life::begin(&raw mut handle, None, (function, value)) == 0 {
        life::detach_handle(handle);
    }
}

/// Waits at an address for a signal, at most `within`, on behalf of the function `call`.
pub(super) fn wait_for_signal(key: usize, call: &'static str, within: Option<Duration>) {
    parking::wait(key, &parking::Why::here(call).within(within));
}

/// Wakes the threads that wait for signals at an address.
pub(super) fn wake_for_signal(key: usize) {
    parking::wake(key, usize::MAX);
}

/// Returns the calling rank and thread.
fn caller<'a>() -> (&'a Rank, &'a Thread) {
    let rank = Rank::current().unwrap_or_else(|| std::process::abort());
    (rank, rank.threads.present())
}

/// Returns the functions that do not wait.
pub(super) fn replacements() -> Vec<Replacement> {
    let tables = [
        attribute::replacements,
        barrier::replacements,
        c11::replacements,
        condition::replacements,
        cxx::replacements,
        guard::replacements,
        key::replacements,
        leave::replacements,
        life::replacements,
        mutex::replacements,
        rwlock::replacements,
        semaphore::replacements,
        spin::replacements,
    ];
    tables.iter().flat_map(|table| table()).collect()
}

/// Returns the functions that may wait and therefore need the place of their caller.
pub(crate) fn waiting() -> Vec<Replacement> {
    let tables = [
        barrier::waiting,
        c11::waiting,
        condition::waiting,
        cxx::waiting,
        futex::waiting,
        guard::waiting,
        life::waiting,
        mutex::waiting,
        once::waiting,
        rwlock::waiting,
        semaphore::waiting,
        spin::waiting,
    ];
    tables.iter().flat_map(|table| table()).collect()
}
