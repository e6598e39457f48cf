//! The threads of a rank: what is recorded of each, and which one runs.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ffi::{c_char, c_void},
    ptr,
    rc::Rc,
};

use super::{super::states::States, lot::Lot, parking::Idle};
use crate::{
    libc::ending::ExitHandler,
    loader::{thread::Block, thread::ThreadLocals},
};

/// One thread of a rank.
pub(crate) struct Thread {
    /// The `pthread_t` by which the program identifies it.
    pub(super) handle: usize,
    /// Number in the rank; the main thread is 0.
    pub(super) number: u32,
    /// Return point of `leave`.
    pub(crate) escape: Cell<usize>,
    /// End of its own stack; 0 if it runs on the stack of its coroutine.
    pub(crate) own_top: Cell<usize>,
    /// Destructors of its thread-local objects, to be called when it ends.
    pub(in crate::libc) exits: RefCell<Vec<ExitHandler>>,
    /// Thread pointer, and the block of variables if they are not the image's own.
    pub(super) pointer: usize,
    _block: Option<Block>,
    pub(super) values: RefCell<BTreeMap<u32, usize>>,
    /// Frames with cleanup handlers, the innermost last.
    pub(super) cleanups: RefCell<Vec<usize>>,
    /// Signals that it blocks.
    pub(in crate::libc) blocked: Cell<u64>,
    pub(super) detached: Cell<bool>,
    pub(super) joined: Cell<bool>,
    pub(super) ended: Cell<bool>,
    pub(super) result: Cell<usize>,
    pub(super) name: Cell<[u8; 16]>,
    /// Its own locale, if it has set one.
    pub(in crate::libc) locale: Cell<*mut c_void>,
    /// What single parts keep for it.
    states: States,
}

/// Starts a detached thread with a function and its argument.
pub(crate) type Begin = fn(usize, usize);

/// All threads of one rank.
pub(crate) struct Threads {
    /// How timers, on which the start of threads depends, start one.
    pub(in crate::libc) begin: Begin,
    pub(super) locals: ThreadLocals,
    main: Rc<Thread>,
    present: Cell<*const Thread>,
    /// Threads that have not ended or can still be joined, by handle.
    pub(super) all: RefCell<BTreeMap<usize, Rc<Thread>>>,
    /// Number of threads started, including the main thread.
    pub(super) begun: Cell<u32>,
    /// Number of additional threads that have not ended.
    pub(super) live: Cell<u32>,
    /// Number of additional threads with frames that refer to the rank, including some that have
    /// ended.
    pub(super) running: Cell<u32>,
    pub(super) lot: RefCell<Lot>,
    /// Destructors of thread-specific values; `None` for a key that is not in use.
    pub(super) keys: RefCell<Vec<Option<usize>>>,
    /// Environment and working folder of the rank, which its threads share.
    surroundings: Cell<(*mut *mut c_char, u32)>,
    /// Free locks taken since a thread of the rank last gave up the processor.
    pub(super) free_locks: Cell<u32>,
    /// What the rank does without effect.
    pub(super) idle: Idle,
    /// Whether the program has ended in one of the threads, so that the others do not resume.
    pub(super) over: Cell<bool>,
}

impl Thread {
    pub(super) fn new(number: u32, pointer: usize, block: Option<Block>) -> Rc<Self> {
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
            states: States::default(),
        })
    }

    /// Returns what one part keeps for this thread; the first call creates it.
    pub(crate) fn state<T: Default + 'static>(&self) -> &T {
        self.states.get()
    }
}

impl Threads {
    pub(crate) fn new(locals: ThreadLocals, begin: Begin) -> Self {
        let main = Thread::new(0, locals.main(), None);
        let present = Cell::new(Rc::as_ptr(&main));
        Self {
            begin,
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
            idle: Idle::default(),
            over: Cell::new(false),
        }
    }

    /// Reports whether there has ever been an additional thread.
    #[inline]
    pub(in crate::libc) fn several(&self) -> bool {
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

    pub(in crate::libc) fn main(&self) -> &Thread {
        &self.main
    }

    /// Returns the running thread as an address for [`Threads::show`].
    #[inline]
    pub(in crate::libc) fn mark(&self) -> *const Thread {
        self.present.get()
    }

    /// Makes a thread of this rank the running one.
    #[allow(unsafe_code, reason = "threads live as long as they run")]
    pub(in crate::libc) fn show(&self, thread: *const Thread) {
        self.present.set(thread);
        self.free_locks.set(0);
        // SAFETY: as in `present`.
        self.locals.show(unsafe { (*thread).pointer });
    }

    /// Stores the state that belongs to the rank and not to one thread, when a thread stops.
    pub(in crate::libc) fn keep(&self, variables: *mut *mut c_char, folder: u32) {
        self.surroundings.set((variables, folder));
    }

    pub(in crate::libc) fn kept(&self) -> (*mut *mut c_char, u32) {
        self.surroundings.get()
    }
}
