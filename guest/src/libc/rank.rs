//! The per-rank state of the C library, and which rank is running.
#![allow(unsafe_code, reason = "keeps a pointer to the rank that runs")]

use std::{
    cell::{Cell, RefCell},
    ffi::c_void,
    ops::Range,
    ptr,
    rc::Rc,
    time::Duration,
};

use super::{
    ending::Ending,
    float::Modes,
    host::{Host, Stream},
    signal::state::Signals,
    states::States,
    thread::table::{Begin, Threads},
    variables::CVariables,
};
use crate::{
    loader::{enter::leave, thread::ThreadLocals},
    site::{table::OpenedSites, table::Sites},
};

/// Largest number of bytes of a line that is passed on at once; a longer line is split.
const LINE_MAX: usize = 1 << 16;

/// The C library's state of one rank.
pub(crate) struct Rank {
    number: u32,
    host: Rc<dyn Host>,
    base: usize,
    fortran_block: usize,
    sites: Rc<Sites>,
    /// Source positions of the libraries that it has opened.
    pub(crate) opened: OpenedSites,
    pub(crate) threads: Threads,
    ending: RefCell<Option<Box<Ending>>>,
    /// The program's handler set by `std::set_terminate`; 0 if there is none.
    pub(super) terminate: Cell<usize>,
    /// The uncaught exception, while that handler runs.
    pub(super) uncaught: RefCell<Option<Box<Ending>>>,
    lines: [RefCell<Vec<u8>>; 2],
    pub(super) signals: Signals,
    /// Whether its output is being passed on.
    handing_on: Cell<bool>,
    /// Floating-point modes of the thread that was suspended last.
    pub(super) modes: Cell<Modes>,
    /// The locale that it has set; null for that of the process.
    pub(super) locale: Cell<*mut c_void>,
    /// Read-only memory of its image: offsets from the base.
    constants: RefCell<Rc<[Range<usize>]>>,
    /// Addresses of its own copies of the C library's variables.
    pub(crate) c_variables: CVariables,
    /// Whether a function of its program runs while it is suspended.
    pub(super) lent: Cell<bool>,
    /// What else single parts of the C library keep for it.
    states: States,
}

thread_local! {
    pub(super) static CURRENT: Cell<*const Rank> = const { Cell::new(ptr::null()) };
}

impl Rank {
    pub(crate) fn new(
        number: u32,
        host: Rc<dyn Host>,
        (base, fortran_block): (usize, usize),
        variables: CVariables,
        sites: Rc<Sites>,
        (locals, begin): (ThreadLocals, Begin),
    ) -> Self {
        Self {
            number,
            host,
            base,
            fortran_block,
            sites,
            opened: OpenedSites::default(),
            threads: Threads::new(locals, begin),
            ending: RefCell::new(None),
            terminate: Cell::new(0),
            uncaught: RefCell::new(None),
            lines: [RefCell::default(), RefCell::default()],
            signals: Signals::new(),
            handing_on: Cell::new(false),
            modes: Cell::new(Modes::FRESH),
            locale: Cell::new(ptr::null_mut()),
            constants: RefCell::new(Rc::new([])),
            c_variables: variables,
            lent: Cell::new(false),
            states: States::default(),
        }
    }

    /// Returns the rank whose program runs on this thread.
    pub(crate) fn current<'a>() -> Option<&'a Self> {
        let rank = CURRENT.get();
        // SAFETY: set while the image that owns the rank runs, and that image is borrowed then.
        unsafe { rank.as_ref() }
    }

    /// Like [`Rank::current`], for functions that only programs call.
    pub(crate) fn running<'a>() -> &'a Self {
        Self::current().unwrap_or_else(|| std::process::abort())
    }

    /// Returns what one part of the C library keeps for this rank; the first call creates it.
    pub(crate) fn state<T: Default + 'static>(&self) -> &T {
        self.states.get()
    }

    /// Reports whether a function of its program runs while it is suspended: no thread may wait then.
    pub(crate) fn is_lent(&self) -> bool {
        self.lent.get()
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

    /// Leaves the program with `ending`.
    pub(crate) fn finish(&self, ending: Ending) -> ! {
        let code = ending.code();
        *self.ending.borrow_mut() = Some(Box::new(ending));
        let escape = self.threads.present().escape.get();
        // SAFETY: `enter` of this rank is on the current stack, and our frames here own nothing.
        unsafe { leave(escape, code) }
    }

    /// Reports whether the rank's end is known.
    pub(super) fn has_ended(&self) -> bool {
        self.ending.borrow().is_some()
    }

    /// Leaves the program, with the end that is known.
    pub(super) fn finish_ended(&self) -> ! {
        let ending = self.take_ending().unwrap_or(Ending::Exited(0));
        self.finish(ending)
    }

    /// Removes the end of the program, if it is known.
    pub(super) fn take_ending(&self) -> Option<Ending> {
        self.ending.borrow_mut().take().map(|ending| *ending)
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    pub(crate) fn host(&self) -> &dyn Host {
        &*self.host
    }

    pub(crate) fn base(&self) -> usize {
        self.base
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
    pub(crate) fn write(&self, stream: Stream, bytes: &[u8]) {
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

    /// Passes on all unfinished lines.
    pub(super) fn flush_all(&self) {
        self.flush(Stream::Output);
        self.flush(Stream::Error);
    }

    /// Passes on an unfinished line, as the program wishes.
    pub(super) fn flush_now(&self, stream: Stream) {
        if self.host.flushes() {
            self.flush(stream);
        }
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

/// Ends the program of the running rank at once, without its exit handlers: `Image::run` returns.
/// The frames in between must own nothing.
///
/// # Panics
/// If no program is running.
pub fn end(ending: Ending) -> ! {
    Rank::current().expect("a program runs").finish(ending)
}
