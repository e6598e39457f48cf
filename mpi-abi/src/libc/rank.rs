//! What each rank has for itself, and which rank is running.
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
    limits::Limits,
    locale::{self, Locales},
    multibyte,
    process::ExitHandler,
    random::Random,
    signal::Signals,
    stdio::{self, Descriptors, Streams},
    string::Texts,
    surroundings::{self, Variables},
    thread::{Thread, Threads},
    zone,
};
use mpi_api::call::Site;

use crate::{
    loader::{CVariables, Initialisers, Program, ThreadLocals},
    site::Sites,
};

/// What a program sees of the world. Called on the stack of the rank.
pub trait Host {
    /// Simulated time since the program began; `None` leaves the program the host's clocks.
    fn now(&self, rank: u32) -> Option<Duration>;
    /// Lets simulated time pass; suspends the rank through [`suspend`].
    fn sleep(&self, rank: u32, time: Duration);
    /// Simulated time since the program began, told without letting other ranks run.
    fn clock(&self, rank: u32) -> Duration {
        self.now(rank).unwrap_or_default()
    }
    /// Whether timers of the rank run: then `attend` is to be called when a call ends.
    fn attend(&self, rank: u32, attends: bool) {
        let _ = (rank, attends);
    }
    /// The node that the rank is on.
    fn node(&self, rank: u32) -> u32 {
        let _ = rank;
        0
    }
    /// Whole lines, but for the last of a program that ends in the middle of one.
    fn write(&self, rank: u32, stream: Stream, lines: &[u8]);
    /// Begins a further thread of the rank, which runs `body`; its number, from 1 in order. `None` if
    /// there can be none.
    fn spawn(&self, rank: u32, body: Box<dyn FnOnce()>) -> Option<u32> {
        let _ = (rank, body);
        None
    }
    /// Suspends the calling thread until another one unparks it. False if its time came first.
    fn park(&self, rank: u32, wait: Wait) -> bool {
        let _ = rank;
        super::end(Ending::Refused(format!("it waits for a thread in {}", wait.call)))
    }
    /// Lets the first threads of the rank go on that are parked; the others wait for the first of
    /// them now.
    fn unpark(&self, rank: u32, threads: Vec<u32>, left: Vec<u32>) {
        let _ = (rank, threads, left);
    }
    /// Lets the other threads of the rank run before the calling one goes on.
    fn give_way(&self, rank: u32) {
        let _ = rank;
    }
    /// The program has ended in the calling thread, and no other thread of the rank is to go on.
    fn desert(&self, rank: u32) {
        let _ = rank;
    }
    /// How the program of the rank has ended, in another thread than the main one.
    fn ended(&self, rank: u32, ending: Ending) {
        let _ = (rank, ending);
    }
}

/// Why a thread waits for others of its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The function it is in.
    pub call: &'static str,
    /// Where it was called.
    pub site: Site,
    /// The thread that alone can wake it, if there is only one.
    pub holder: Option<u32>,
    /// How long it waits at most.
    pub within: Option<Duration>,
}

/// Where output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// A longer line is handed on in parts.
const LINE_MAX: usize = 1 << 16;

/// The state of one rank.
pub(crate) struct Rank {
    number: u32,
    host: Rc<dyn Host>,
    base: usize,
    fortran_block: usize,
    sites: Rc<Sites>,
    main: Cell<usize>,
    pub(crate) threads: Threads,
    ending: RefCell<Option<Ending>>,
    /// The program's handler of `std::terminate`; 0 if it has set none.
    pub(super) terminate: Cell<usize>,
    /// The exception that nobody has caught, while that handler runs.
    pub(super) uncaught: RefCell<Option<Ending>>,
    initialisers: RefCell<Option<Initialisers>>,
    pub(super) finalisers: RefCell<Vec<usize>>,
    pub(super) exits: RefCell<Vec<ExitHandler>>,
    pub(super) quick_exits: RefCell<Vec<ExitHandler>>,
    lines: [RefCell<Vec<u8>>; 2],
    pub(super) signals: Signals,
    /// Its output is being handed on.
    handing_on: Cell<bool>,
    /// Floating-point modes of the thread that was suspended last.
    modes: Cell<Modes>,
    /// Its descriptors.
    pub(super) descriptors: Descriptors,
    /// Its streams that are not those of the host's library.
    pub(super) streams: Streams,
    pub(super) random: UnsafeCell<Box<Random>>,
    pub(super) entropy: Cell<u64>,
    pub(super) texts: UnsafeCell<Texts>,
    pub(super) answers: Answers,
    /// Its environment variables, once it has changed them.
    pub(super) variables: RefCell<Option<Variables>>,
    program: OnceCell<Arc<Program>>,
    /// Libraries that it has opened.
    pub(crate) dynamic: Dynamic,
    /// Memory of its image that is never written to: distances from the base.
    constants: RefCell<Rc<[Range<usize>]>>,
    /// Where `getopt` is among the arguments.
    pub(super) options: Options,
    /// What `std::cin` reads through.
    pub(super) input_buffer: InputBuffer,
    /// Limits that it has set.
    pub(super) limits: Limits,
    /// Its locale.
    pub(super) locales: Locales,
    /// Characters that it has converted in part.
    pub(super) states: multibyte::States,
    /// Where its own variables of the C library lie.
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
            random: UnsafeCell::new(Box::default()),
            entropy: Cell::new(entropy::seed(number)),
            texts: UnsafeCell::default(),
            answers: Answers::default(),
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

    /// The rank whose program runs on this thread.
    pub(crate) fn current<'a>() -> Option<&'a Self> {
        let rank = CURRENT.get();
        // SAFETY: set while the image that owns the rank runs, and that image is borrowed then.
        unsafe { rank.as_ref() }
    }

    /// No program runs on this thread.
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

    /// The program has come back: writes what is left of its output.
    pub(crate) fn end(&self, code: i32) -> Ending {
        self.close();
        Self::forget_current();
        self.ending.borrow_mut().take().unwrap_or(Ending::Exited(code))
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

    /// Where the place to go back to is kept, of the thread that runs.
    pub(crate) fn escape(&self) -> *mut usize {
        self.threads.present().escape.as_ptr()
    }

    /// Where the stack of the thread that runs ends; 0 if no program has begun.
    pub(crate) fn stack_top(&self) -> usize {
        let thread = self.threads.present();
        match thread.own_top.get() {
            0 => thread.escape.get(),
            top => top,
        }
    }

    pub(super) fn set_ending(&self, ending: Ending) -> usize {
        *self.ending.borrow_mut() = Some(ending);
        self.threads.present().escape.get()
    }

    /// Whether its end is known.
    pub(super) fn has_ended(&self) -> bool {
        self.ending.borrow().is_some()
    }

    /// Goes back out of the program with the end that is known.
    pub(super) fn finish_ended(&self) -> ! {
        let ending = self.ending.borrow_mut().take().unwrap_or(Ending::Exited(0));
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

    /// What it runs.
    ///
    /// # Panics
    /// If its image is not made yet.
    pub(super) fn program(&self) -> &Program {
        self.program.get().expect("a rank that runs has its program")
    }

    /// Names the memory of its image that is never written to.
    pub(crate) fn set_constants(&self, constants: Rc<[Range<usize>]>) {
        self.constants.replace(constants);
    }

    /// Whether an address lies in memory of the image that is never written to.
    pub(crate) fn is_constant(&self, address: usize) -> bool {
        let place = address.wrapping_sub(self.base);
        self.constants.borrow().iter().any(|range| range.contains(&place))
    }

    /// The common block of Fortran's special variables; 0 if the program has none.
    pub(crate) fn fortran_block(&self) -> usize {
        self.fortran_block
    }

    pub(crate) fn sites(&self) -> &Sites {
        &self.sites
    }

    /// Takes output; whole lines go on to the host.
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

    /// Hands on all unfinished lines, and closes what the program has left open.
    pub(crate) fn close(&self) {
        stdio::end_rank(self);
        self.flush_all();
    }

    /// Hands on all unfinished lines.
    fn flush_all(&self) {
        self.flush(Stream::Output);
        self.flush(Stream::Error);
    }

    /// Hands on an unfinished line.
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

    /// Whether it writes what the simulator prints for it: a signal of that is no signal to the rank.
    pub(super) fn writes_for_host(&self) -> bool {
        self.handing_on.get()
    }

    /// Simulated time since the program began.
    pub(super) fn clock(&self) -> Duration {
        self.host.clock(self.number)
    }
}

/// What a thread of a rank sees of the library's variables.
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
    /// Of a program in which nothing has happened yet.
    pub(super) fn of(rank: &Rank) -> Self {
        let exceptions = cxx::Exceptions::default();
        let (variables, folder) = (surroundings::present(), surroundings::folder());
        let thread = ptr::from_ref(rank.threads.main());
        let float = Float::of(Modes::FRESH);
        Self { rank, thread, errno: 0, exceptions, variables, folder, float }
    }

    /// Of a further thread that begins.
    pub(super) fn of_thread(rank: &Rank, thread: &Thread) -> Self {
        Self { thread, ..Self::lent(rank) }
    }

    /// Of a function of the program that runs while the rank is suspended.
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

/// What a rank sees of the library's variables whose program has one thread, does not use the library of
/// C++, and has left environment, folder, locale and floating-point modes alone: as most do.
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

    /// Whether the library shows what it does in a process of its own.
    #[inline]
    fn is_now() -> bool {
        surroundings::are_own() && locale::is_own() && !cxx::is_there()
    }

    #[inline(always)]
    fn restore(self) {
        CURRENT.set(self.rank);
        if !Self::is_now() {
            Self::make_own();
        }
        self.modes.put_plain();
        // SAFETY: the thread's own variable.
        unsafe { *libc::__errno_location() = self.errno };
    }

    /// Other ranks have shown what is theirs.
    #[cold]
    fn make_own() {
        surroundings::show_own();
        surroundings::go_to(0);
        locale::show_own();
        cxx::Exceptions::default().put();
    }
}

/// Every suspension of a rank goes through here: `suspension` gives up the thread and returns
/// when the rank goes on; what other ranks did to the library's variables is undone.
#[inline(always)]
pub fn suspend<T>(suspension: impl FnOnce() -> T) -> T {
    if let Some(seen) = Plain::save() {
        CURRENT.set(ptr::null());
        let value = suspension();
        seen.restore();
        return value;
    }
    suspend_unusual(suspension)
}

/// As [`suspend`], of any rank.
#[cold]
#[inline(never)]
fn suspend_unusual<T>(suspension: impl FnOnce() -> T) -> T {
    let seen = Seen::save();
    CURRENT.set(ptr::null());
    let value = suspension();
    seen.restore();
    value
}
