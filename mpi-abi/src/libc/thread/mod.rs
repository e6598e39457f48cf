//! Threads of a program: each is a thread of control of its rank, which goes on until it waits.
//!
//! They change at points that wait alone, in an order that depends on nothing but the program: calls
//! of MPI, the functions of this module, sleeps. A lock that is free is taken without a switch.
//! What a lock, a condition or the like holds lies in the program's own variable, as glibc would
//! initialise it; who waits for it is kept by address in the rank (`parking`).

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

/// To initialise or destroy what holds nothing.
extern "C" fn nothing(_place: *mut c_void) -> c_int {
    0
}

/// One thread of a rank.
pub(crate) struct Thread {
    /// The program's name for it.
    handle: usize,
    /// Its number in the rank: the main thread is 0.
    number: u32,
    /// Where `leave` goes back to.
    pub(crate) escape: Cell<usize>,
    /// Where a stack that it alone has ends; 0 if it runs on that of its coroutine.
    pub(crate) own_top: Cell<usize>,
    /// Functions to be called when it ends, for its thread-local objects.
    pub(super) exits: RefCell<Vec<ExitHandler>>,
    /// Its thread pointer, and the variables that lead there if they are not the image's own.
    pointer: usize,
    _block: Option<Block>,
    values: RefCell<BTreeMap<u32, usize>>,
    /// Frames with something to do if it ends inside of them, the innermost last.
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
    /// Those that can be joined or have not ended, by handle.
    all: RefCell<BTreeMap<usize, Rc<Thread>>>,
    /// How many have begun, the main thread among them.
    begun: Cell<u32>,
    /// How many have not ended besides the main thread.
    live: Cell<u32>,
    /// How many of these have frames that look at the rank: some of those that have ended do.
    running: Cell<u32>,
    lot: RefCell<parking::Lot>,
    /// Destructors of values that each thread has for itself; `None` is a key that is not in use.
    keys: RefCell<Vec<Option<usize>>>,
    /// Environment and folder of the rank, of which the threads have one.
    surroundings: Cell<(*mut *mut c_char, u32)>,
    /// Free locks taken since a thread of the rank last gave up the processor.
    free_locks: Cell<u32>,
    /// When the only thread of the rank last yielded, and how often it had done so at that time.
    yields: Cell<(Duration, u32)>,
    /// The program has ended in one of them: the others go no further.
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

    /// Whether there have ever been further threads.
    #[inline]
    pub(super) fn several(&self) -> bool {
        self.begun.get() > 1
    }

    /// How many threads have not ended besides the one that runs.
    pub(crate) fn others(&self) -> u32 {
        let all = self.live.get() + u32::from(!self.main.ended.get());
        all.saturating_sub(1)
    }

    /// Whether threads are left besides the one that has ended the program.
    pub(crate) fn are_left(&self) -> bool {
        self.over.get()
    }

    /// The thread that runs, or ran last.
    #[allow(unsafe_code, reason = "threads live as long as they run")]
    pub(crate) fn present(&self) -> &Thread {
        // SAFETY: the main thread lives as long as this, and a further one as long as it runs.
        unsafe { &*self.present.get() }
    }

    pub(super) fn main(&self) -> &Thread {
        &self.main
    }

    /// As an address that is good for [`Threads::show`].
    #[inline]
    pub(super) fn mark(&self) -> *const Thread {
        self.present.get()
    }

    /// Makes a thread of this rank the one that runs.
    #[allow(unsafe_code, reason = "threads live as long as they run")]
    pub(super) fn show(&self, thread: *const Thread) {
        self.present.set(thread);
        self.free_locks.set(0);
        // SAFETY: as in `present`.
        self.locals.show(unsafe { (*thread).pointer });
    }

    /// What belongs to the rank and not to one thread: what it was when a thread of it stopped.
    pub(super) fn keep(&self, variables: *mut *mut c_char, folder: u32) {
        self.surroundings.set((variables, folder));
    }

    /// As `keep`, of what is there now.
    fn keep_present(&self) {
        self.keep(surroundings::present(), surroundings::folder());
    }

    pub(super) fn kept(&self) -> (*mut *mut c_char, u32) {
        self.surroundings.get()
    }
}

/// The number of the thread that calls; the main thread is 0.
pub(crate) fn present() -> u32 {
    Rank::current().map_or(0, |rank| rank.threads.present().number)
}

/// Whether there is such a thread.
pub(super) fn exists(handle: usize) -> bool {
    life::find(handle).is_some()
}

/// Begins a thread that nobody joins.
pub(super) fn begin_detached(function: usize, value: usize) {
    let mut handle = 0;
    if life::begin(&raw mut handle, None, (function, value)) == 0 {
        life::detach_handle(handle);
    }
}

/// Waits at an address for a signal, in a function that was called just now, at most so long.
pub(super) fn wait_for_signal(key: usize, call: &'static str, within: Option<Duration>) {
    parking::wait(key, &parking::Why::here(call).within(within));
}

/// A signal is there for the threads that wait at an address.
pub(super) fn wake_for_signal(key: usize) {
    parking::wake(key, usize::MAX);
}

/// The rank and the thread that call.
fn caller<'a>() -> (&'a Rank, &'a Thread) {
    let rank = Rank::current().unwrap_or_else(|| std::process::abort());
    (rank, rank.threads.present())
}

/// Functions that do not wait.
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

/// Functions that may wait: their callers' places are noted.
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
