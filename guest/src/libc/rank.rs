//! The per-rank state of the C library, and which rank is running.
#![allow(unsafe_code, reason = "keeps a pointer to the rank that runs")]

use std::{
    cell::{Cell, OnceCell, RefCell, UnsafeCell},
    ffi::c_char,
    ops::Range,
    ptr,
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use super::{
    answer::Answers,
    cxx::{self, InputBuffer},
    dynamic::Dynamic,
    ending::Ending,
    entropy,
    float::{Float, Modes},
    getopt::{self, Options},
    hosts::Hosts,
    limits::Limits,
    locale::{self, Locales},
    multibyte,
    process::ExitHandler,
    random::Random,
    signal::Signals,
    stdio::{self, DescriptorTimers, Descriptors, Streams},
    string::Texts,
    surroundings::{self, Variables},
    thread::{Thread, Threads},
    zone,
};
use sim_core::Site;

use crate::{
    loader::{CVariables, Initialisers, Program, ThreadLocals},
    site::Sites,
};

/// The services that a program's C library gets from the simulator. Called on the stack of the
/// rank.
pub trait Host {
    /// Returns the simulated time since the program began; `None` leaves the program the host's
    /// clocks.
    fn now(&self, rank: u32) -> Option<Duration>;
    /// Lets simulated time pass; suspends the rank through [`suspend`].
    fn sleep(&self, rank: u32, time: Duration);
    /// Returns the simulated time since the program began, without letting other ranks run.
    fn clock(&self, rank: u32) -> Duration {
        self.now(rank).unwrap_or_default()
    }
    /// Sets whether timers of the rank run: then `attend` must be called when a call ends.
    fn attend(&self, rank: u32, attends: bool) {
        let _ = (rank, attends);
    }
    /// Returns the seed of the random numbers that programs request from the system.
    fn seed(&self) -> u64 {
        0
    }
    /// Returns the number of the node that the rank is on.
    fn node(&self, rank: u32) -> u32 {
        let _ = rank;
        0
    }
    /// Writes output: whole lines, except for the last line of a program that ends without a
    /// newline.
    fn write(&self, rank: u32, stream: Stream, lines: &[u8]);
    /// Starts another thread of the rank, which runs `body`, and returns its number, from 1 in
    /// order. Returns `None` if no thread can be started.
    fn spawn(&self, rank: u32, body: Box<dyn FnOnce()>) -> Option<u32> {
        let _ = (rank, body);
        None
    }
    /// Suspends the calling thread until another one unparks it. Returns false if its time limit
    /// passed first.
    fn park(&self, rank: u32, wait: Wait) -> bool {
        let _ = rank;
        super::end(Ending::Refused(format!("it waits for a thread in {}", wait.call)))
    }
    /// Wakes those of `threads` that are parked, all of the rank; the threads in `left` now wait
    /// for the first of them.
    fn unpark(&self, rank: u32, threads: Vec<u32>, left: Vec<u32>) {
        let _ = (rank, threads, left);
    }
    /// Lets the other threads of the rank run before the calling one continues.
    fn give_way(&self, rank: u32) {
        let _ = rank;
    }
    /// Records that the program has ended in the calling thread: no other thread of the rank may
    /// continue.
    fn desert(&self, rank: u32) {
        let _ = rank;
    }
    /// Records the place where the program of the rank calls `exit` or a similar function with an
    /// error code.
    fn leaves(&self, rank: u32, place: crate::site::Site) {
        let _ = (rank, place);
    }
    /// Records how the program of the rank has ended, in a thread other than the main one.
    fn ended(&self, rank: u32, ending: Ending) {
        let _ = (rank, ending);
    }
}

/// The reason for which a thread waits for others of its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Name of the function that waits.
    pub call: &'static str,
    /// Place of the call.
    pub site: Site,
    /// The only thread that can wake it, if there is just one.
    pub holder: Option<u32>,
    /// Longest time to wait; `None` is no limit.
    pub within: Option<Duration>,
}

/// The destination of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// Largest number of bytes of a line that is passed on at once; a longer line is split.
const LINE_MAX: usize = 1 << 16;

/// The C library's state of one rank.
pub(crate) struct Rank {
    number: u32,
    host: Rc<dyn Host>,
    base: usize,
    fortran_block: usize,
    sites: Rc<Sites>,
    main: Cell<usize>,
    pub(crate) threads: Threads,
    ending: RefCell<Option<Box<Ending>>>,
    /// The program's handler set by `std::set_terminate`; 0 if there is none.
    pub(super) terminate: Cell<usize>,
    /// The uncaught exception, while that handler runs.
    pub(super) uncaught: RefCell<Option<Box<Ending>>>,
    initialisers: RefCell<Option<Initialisers>>,
    pub(super) finalisers: RefCell<Vec<usize>>,
    pub(super) exits: RefCell<Vec<ExitHandler>>,
    pub(super) quick_exits: RefCell<Vec<ExitHandler>>,
    lines: [RefCell<Vec<u8>>; 2],
    pub(super) signals: Signals,
    /// Whether its output is being passed on.
    handing_on: Cell<bool>,
    /// Floating-point modes of the thread that was suspended last.
    modes: Cell<Modes>,
    /// Its file descriptors.
    pub(super) descriptors: Descriptors,
    /// Its C streams other than those of the host's library.
    pub(super) streams: Streams,
    /// Its timers that are descriptors.
    pub(super) descriptor_timers: DescriptorTimers,
    pub(super) random: UnsafeCell<Box<Random>>,
    pub(super) entropy: Cell<u64>,
    pub(super) texts: UnsafeCell<Texts>,
    pub(super) answers: Answers,
    pub(super) hosts: Hosts,
    /// Its environment variables, once it has changed them.
    pub(super) variables: RefCell<Option<Variables>>,
    program: OnceCell<Arc<Program>>,
    /// Libraries that it has opened (`dlopen`).
    pub(crate) dynamic: Dynamic,
    /// Read-only memory of its image: offsets from the base.
    constants: RefCell<Rc<[Range<usize>]>>,
    /// The position of `getopt` in the arguments.
    pub(super) options: Options,
    /// The stream buffer of `std::cin`.
    pub(super) input_buffer: InputBuffer,
    /// Resource limits that it has set.
    pub(super) limits: Limits,
    /// Its locale.
    pub(super) locales: Locales,
    /// State of multibyte conversions that are not complete.
    pub(super) states: multibyte::States,
    /// Addresses of its own copies of the C library's variables.
    pub(crate) c_variables: CVariables,
}

thread_local! {
    static CURRENT: Cell<*const Rank> = const { Cell::new(ptr::null()) };
}

impl Rank {
    pub(crate) fn new(
        number: u32,
        host: Rc<dyn Host>,
        (base, fortran_block): (usize, usize),
        variables: CVariables,
        sites: Rc<Sites>,
        locals: ThreadLocals,
    ) -> Self {
        let entropy = Cell::new(entropy::begin(number, host.seed()));
        Self {
            number,
            host,
            base,
            fortran_block,
            sites,
            main: Cell::new(0),
            threads: Threads::new(locals),
            ending: RefCell::new(None),
            terminate: Cell::new(0),
            uncaught: RefCell::new(None),
            initialisers: RefCell::new(None),
            finalisers: RefCell::default(),
            exits: RefCell::default(),
            quick_exits: RefCell::default(),
            lines: [RefCell::default(), RefCell::default()],
            signals: Signals::new(),
            handing_on: Cell::new(false),
            modes: Cell::new(Modes::FRESH),
            descriptors: Descriptors::default(),
            streams: Streams::default(),
            descriptor_timers: DescriptorTimers::default(),
            random: UnsafeCell::new(Box::default()),
            entropy,
            texts: UnsafeCell::default(),
            answers: Answers::default(),
            hosts: Hosts::default(),
            variables: RefCell::default(),
            program: OnceCell::new(),
            dynamic: Dynamic::default(),
            constants: RefCell::new(Rc::new([])),
            options: Options::default(),
            input_buffer: InputBuffer::default(),
            limits: Limits::default(),
            locales: Locales::default(),
            states: multibyte::States::default(),
            c_variables: variables,
        }
    }

    /// Returns the rank whose program runs on this thread.
    pub(crate) fn current<'a>() -> Option<&'a Self> {
        let rank = CURRENT.get();
        // SAFETY: set while the image that owns the rank runs, and that image is borrowed then.
        unsafe { rank.as_ref() }
    }

    /// Records that no program runs on this thread.
    pub(crate) fn forget_current() {
        CURRENT.set(ptr::null());
        surroundings::show_own();
        locale::show_own();
    }

    /// Makes this the running rank, with the fresh state of a new process.
    pub(crate) fn begin(&self, initialisers: Initialisers, finalisers: Vec<usize>) {
        *self.initialisers.borrow_mut() = Some(initialisers);
        *self.finalisers.borrow_mut() = finalisers.into_iter().rev().collect();
        CURRENT.set(self);
        getopt::begin_rank(self);
        surroundings::begin_rank(self);
        zone::begin_rank(self);
        stdio::begin_rank(self);
        Seen::of(self).restore();
    }

    /// Ends a program that has returned: writes the rest of its output and returns how it ended.
    pub(crate) fn end(&self, code: i32) -> Ending {
        self.close();
        Self::forget_current();
        self.ending.borrow_mut().take().map_or(Ending::Exited(code), |ending| *ending)
    }

    pub(super) fn take_initialisers(&self) -> Option<Initialisers> {
        self.initialisers.borrow_mut().take()
    }

    pub(crate) fn set_main(&self, main: usize) {
        self.main.set(main);
    }

    pub(super) fn main(&self) -> usize {
        self.main.get()
    }

    /// Returns the location of the saved context to which the running thread returns at its end.
    pub(crate) fn escape(&self) -> *mut usize {
        self.threads.present().escape.as_ptr()
    }

    /// Returns the end of the stack of the running thread; 0 if no program has begun.
    pub(crate) fn stack_top(&self) -> usize {
        let thread = self.threads.present();
        match thread.own_top.get() {
            0 => thread.escape.get(),
            top => top,
        }
    }

    pub(super) fn set_ending(&self, ending: Ending) -> usize {
        *self.ending.borrow_mut() = Some(Box::new(ending));
        self.threads.present().escape.get()
    }

    /// Reports whether the rank's end is known.
    pub(super) fn has_ended(&self) -> bool {
        self.ending.borrow().is_some()
    }

    /// Leaves the program, with the end that is known.
    pub(super) fn finish_ended(&self) -> ! {
        let ending = self.ending.borrow_mut().take().map_or(Ending::Exited(0), |ending| *ending);
        super::process::finish(self, ending)
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn host(&self) -> &dyn Host {
        &*self.host
    }

    pub(crate) fn base(&self) -> usize {
        self.base
    }

    pub(crate) fn set_program(&self, program: Arc<Program>) {
        self.program.get_or_init(|| program);
    }

    /// Returns the program that it runs.
    ///
    /// # Panics
    /// Panics if its image has not been created yet.
    pub(super) fn program(&self) -> &Program {
        self.program.get().expect("a rank that runs has its program")
    }

    /// Sets the read-only memory of its image.
    pub(crate) fn set_constants(&self, constants: Rc<[Range<usize>]>) {
        self.constants.replace(constants);
    }

    /// Reports whether an address lies in read-only memory of the image.
    pub(crate) fn is_constant(&self, address: usize) -> bool {
        let place = address.wrapping_sub(self.base);
        self.constants.borrow().iter().any(|range| range.contains(&place))
    }

    /// Returns the address of the common block of Fortran's special variables (`MPI_BOTTOM` and
    /// others); 0 if the program has none.
    pub(crate) fn fortran_block(&self) -> usize {
        self.fortran_block
    }

    pub(crate) fn sites(&self) -> &Sites {
        &self.sites
    }

    /// Buffers output; whole lines are passed on to the host.
    pub(super) fn write(&self, stream: Stream, bytes: &[u8]) {
        let mut line = self.lines[stream as usize].borrow_mut();
        let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') else {
            line.extend_from_slice(bytes);
            if line.len() > LINE_MAX {
                self.hand_on(stream, &line);
                line.clear();
            }
            return;
        };
        if line.is_empty() {
            self.hand_on(stream, &bytes[..=end]);
        } else {
            line.extend_from_slice(&bytes[..=end]);
            self.hand_on(stream, &line);
            line.clear();
        }
        line.extend_from_slice(&bytes[end + 1..]);
    }

    /// Passes on all unfinished lines, and closes files that the program has left open.
    pub(crate) fn close(&self) {
        stdio::end_rank(self);
        self.flush_all();
    }

    /// Passes on all unfinished lines.
    fn flush_all(&self) {
        self.flush(Stream::Output);
        self.flush(Stream::Error);
    }

    /// Passes on an unfinished line.
    pub(super) fn flush(&self, stream: Stream) {
        let line = std::mem::take(&mut *self.lines[stream as usize].borrow_mut());
        if !line.is_empty() {
            self.hand_on(stream, &line);
        }
    }

    fn hand_on(&self, stream: Stream, lines: &[u8]) {
        self.handing_on.set(true);
        self.host.write(self.number, stream, lines);
        self.handing_on.set(false);
    }

    /// Reports whether it is writing output of the simulator: signals caused by that are not the
    /// rank's.
    pub(super) fn writes_for_host(&self) -> bool {
        self.handing_on.get()
    }

    /// Returns the simulated time since the program began.
    pub(super) fn clock(&self) -> Duration {
        self.host.clock(self.number)
    }
}

/// The C library's variables as a thread of a rank sees them; saved and restored around
/// suspensions.
pub(super) struct Seen {
    rank: *const Rank,
    thread: *const Thread,
    errno: i32,
    exceptions: cxx::Exceptions,
    variables: *mut *mut c_char,
    folder: u32,
    float: Float,
}

impl Seen {
    /// Returns the values at the start of a program.
    pub(super) fn of(rank: &Rank) -> Self {
        let exceptions = cxx::Exceptions::default();
        let (variables, folder) = (surroundings::present(), surroundings::folder());
        let thread = ptr::from_ref(rank.threads.main());
        let float = Float::of(Modes::FRESH);
        Self { rank, thread, errno: 0, exceptions, variables, folder, float }
    }

    /// Returns the values at the start of another thread.
    pub(super) fn of_thread(rank: &Rank, thread: &Thread) -> Self {
        Self { thread, ..Self::lent(rank) }
    }

    /// Returns the values for a function of the program that runs while the rank is suspended.
    pub(super) fn lent(rank: &Rank) -> Self {
        Self { float: Float::of(rank.modes.get()), ..Self::of(rank) }
    }

    pub(super) fn save() -> Self {
        let rank = CURRENT.get();
        // SAFETY: the thread's own variable.
        let errno = unsafe { *libc::__errno_location() };
        let exceptions = cxx::Exceptions::take();
        let (variables, folder) = (surroundings::present(), surroundings::folder());
        let float = Float::take();
        // SAFETY: set while the rank lives.
        let known = unsafe { rank.as_ref() };
        if let Some(rank) = known {
            rank.modes.set(float.modes());
        }
        let threads = known.map(|rank| &rank.threads);
        let thread = threads.map_or(ptr::null(), Threads::mark);
        if let Some(threads) = threads.filter(|threads| threads.several()) {
            threads.keep(variables, folder);
        }
        Self { rank, thread, errno, exceptions, variables, folder, float }
    }

    pub(super) fn restore(mut self) {
        CURRENT.set(self.rank);
        // SAFETY: as in `save`.
        match unsafe { self.rank.as_ref() } {
            Some(rank) => {
                if rank.threads.several() {
                    rank.threads.show(self.thread);
                    (self.variables, self.folder) = rank.threads.kept();
                }
                locale::show(&rank.locales, &rank.threads.present().locale);
            }
            None => locale::show_own(),
        }
        surroundings::show(self.variables);
        surroundings::go_to(self.folder);
        self.exceptions.put();
        self.float.put();
        // SAFETY: the thread's own variable.
        unsafe { *libc::__errno_location() = self.errno };
    }
}

/// The C library's variables for the common case: the program has one thread, does not use the C++
/// library, and has not changed environment, directory, locale or floating-point modes.
struct Plain {
    rank: *const Rank,
    errno: i32,
    modes: Modes,
}

impl Plain {
    #[inline(always)]
    fn save() -> Option<Self> {
        let pointer = CURRENT.get();
        // SAFETY: set while the rank lives.
        let rank = unsafe { pointer.as_ref() }?;
        let modes = Modes::present();
        if !Self::is_now() || rank.threads.several() || !modes.are_plain() {
            return None;
        }
        rank.modes.set(modes);
        // SAFETY: the thread's own variable.
        Some(Self { rank: pointer, errno: unsafe { *libc::__errno_location() }, modes })
    }

    /// Reports whether the library shows the values of the host's process.
    #[inline]
    fn is_now() -> bool {
        surroundings::are_own() && locale::is_own() && !cxx::is_there()
    }

    #[inline(always)]
    fn restore(self) {
        CURRENT.with(|current| current.set(self.rank));
        if !Self::is_now() {
            Self::make_own();
        }
        self.modes.put_plain();
        // SAFETY: the thread's own variable.
        unsafe { *libc::__errno_location() = self.errno };
    }

    /// Restores the values after other ranks have set theirs.
    #[cold]
    fn make_own() {
        surroundings::show_own();
        surroundings::go_to(0);
        locale::show_own();
        cxx::Exceptions::default().put();
    }
}

/// Suspends a rank: `suspension` gives up the thread and returns when the rank is resumed; changes
/// of other ranks to the C library's variables are then undone. Every suspension of a rank goes
/// through this function.
#[inline(always)]
pub fn suspend<T>(suspension: impl FnOnce() -> T) -> T {
    if let Some(seen) = Plain::save() {
        // Setting the key directly is not inlined.
        CURRENT.with(|current| current.set(ptr::null()));
        let value = suspension();
        seen.restore();
        return value;
    }
    suspend_unusual(suspension)
}

/// Like [`suspend`], for any rank.
#[cold]
#[inline(never)]
fn suspend_unusual<T>(suspension: impl FnOnce() -> T) -> T {
    let seen = Seen::save();
    CURRENT.set(ptr::null());
    let value = suspension();
    seen.restore();
    value
}
