//! The signal state of a rank: actions, pending signals, timers.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::BTreeMap,
    ffi::c_int,
    ptr,
    time::Duration,
};

/// The highest signal number, including real-time signals.
pub(super) const LAST: c_int = 64;
/// The handler value `SIG_DFL`; `SIG_IGN` follows.
pub(super) const DEFAULT: usize = libc::SIG_DFL;
pub(super) const IGNORE: usize = libc::SIG_IGN;

/// A set of signals; bit 0 is signal 1.
pub(in crate::libc) type Set = u64;

pub(super) fn bit(signal: c_int) -> Set {
    1 << (signal - 1)
}

pub(super) fn is_signal(signal: c_int) -> bool {
    (1..=LAST).contains(&signal)
}

/// The cause of a signal, as `siginfo_t` describes it.
#[derive(Clone, Copy)]
pub(in crate::libc) struct Cause {
    pub(super) signal: c_int,
    /// The field `si_code`.
    pub(super) code: c_int,
    /// The field `si_value`.
    pub(super) value: usize,
}

impl Cause {
    /// Creates the cause of a signal that the program sends.
    pub(in crate::libc) fn user(signal: c_int) -> Self {
        Self { signal, code: libc::SI_USER, value: 0 }
    }
}

/// The action for one signal.
#[derive(Clone, Copy)]
pub(super) struct Action {
    /// A function of the program, `DEFAULT` or `IGNORE`.
    pub(super) handler: usize,
    pub(super) flags: c_int,
    /// Signals that are blocked while the handler runs.
    pub(super) mask: Set,
}

impl Action {
    pub(super) const DEFAULT: Self = Self { handler: DEFAULT, flags: 0, mask: 0 };
}

/// The signal state of one rank.
pub(in crate::libc) struct Signals {
    /// The actions, once the program has set one: most programs never do.
    actions: OnceCell<Box<[Cell<Action>]>>,
    /// Signals sent while they were blocked; the last cause of each is in `causes`.
    pub(super) pending: Cell<Set>,
    pub(super) causes: RefCell<Vec<Cause>>,
    /// Signals that threads wait for in `sigwait`.
    pub(super) awaited: Cell<Set>,
    pub(super) timers: RefCell<Timers>,
    /// Time at which the next timer expires.
    pub(super) due: Cell<Option<Duration>>,
    /// The alternate stack that the program has set: address, flags, bytes.
    pub(super) alternate: Cell<(usize, c_int, usize)>,
    /// The instruction that caused the last signal, and how often it has done so in a row.
    pub(super) struck: Cell<(usize, u32)>,
    /// Whether a handler installed without `SA_RESTART` has run since this was last cleared.
    pub(super) interrupting: Cell<bool>,
}

impl Signals {
    pub(in crate::libc) fn new() -> Self {
        Self {
            actions: OnceCell::new(),
            pending: Cell::new(0),
            causes: RefCell::default(),
            awaited: Cell::new(0),
            timers: RefCell::default(),
            due: Cell::new(None),
            alternate: Cell::new((0, libc::SS_DISABLE, 0)),
            struck: Cell::new((0, 0)),
            interrupting: Cell::new(false),
        }
    }

    /// Returns the action of a signal. Allocates nothing, since it is called for faults, too.
    pub(super) fn action(&self, signal: c_int) -> Action {
        let actions = self.actions.get();
        actions.map_or(Action::DEFAULT, |actions| actions[(signal - 1) as usize].get())
    }

    /// Returns the place of the action of a signal, which the program sets.
    pub(super) fn own_action(&self, signal: c_int) -> &Cell<Action> {
        let defaults = || vec![Cell::new(Action::DEFAULT); LAST as usize].into_boxed_slice();
        &self.actions.get_or_init(defaults)[(signal - 1) as usize]
    }

    /// Returns the key under which threads wait for signals.
    pub(super) fn key(&self) -> usize {
        ptr::from_ref(self) as usize
    }
}

/// The notification when a timer expires.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Notice {
    Nothing,
    Signal {
        signal: c_int,
        code: c_int,
        value: usize,
    },
    /// Starts a thread that runs a function with a value.
    Thread {
        function: usize,
        value: usize,
    },
}

/// A timer of a rank.
#[derive(Clone, Copy)]
pub(super) struct Timer {
    pub(super) notice: Notice,
    pub(super) clock: libc::clockid_t,
    /// Next expiration time; `None` if it is not running. `interval` is its period, 0 for none.
    pub(super) at: Option<Duration>,
    pub(super) interval: Duration,
    /// Number of expirations that were not delivered separately.
    pub(super) overrun: u32,
}

/// Signals of the three interval timers of a process, by timer number.
pub(super) const INTERVAL: [c_int; 3] = [libc::SIGALRM, libc::SIGVTALRM, libc::SIGPROF];

/// The timers of a rank by number; those of `setitimer` are first.
#[derive(Default)]
pub(super) struct Timers {
    pub(super) all: BTreeMap<usize, Timer>,
    pub(super) made: usize,
}

impl Timers {
    pub(super) fn next(&self) -> Option<Duration> {
        self.all.values().filter_map(|timer| timer.at).min()
    }

    pub(super) fn interval(&mut self, which: usize) -> &mut Timer {
        let notice = Notice::Signal { signal: INTERVAL[which], code: libc::SI_KERNEL, value: 0 };
        self.all.entry(which).or_insert(Timer::new(notice, libc::CLOCK_MONOTONIC))
    }
}

impl Timer {
    pub(super) fn new(notice: Notice, clock: libc::clockid_t) -> Self {
        Self { notice, clock, at: None, interval: Duration::ZERO, overrun: 0 }
    }

    /// Returns the remaining time and the period.
    pub(super) fn left(&self, now: Duration) -> (Duration, Duration) {
        // A running timer has some time left until its expiration has been noticed.
        let least = Duration::from_nanos(1);
        let left = self.at.map_or(Duration::ZERO, |at| at.saturating_sub(now).max(least));
        (left, self.interval)
    }
}
