//! Limits of a run and sizes of stacks.

use crate::time::SimTime;

/// What a run may use up, and the stacks its processes get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of events. There are at most as many resumptions of processes besides, give or take
    /// [`STEPS_BETWEEN_LOOKS`](crate::interrupt::STEPS_BETWEEN_LOOKS): at one moment of simulated time processes can be
    /// resumed for ever without an event.
    pub events: u64,
    /// Maximum simulated time.
    pub time: SimTime,
    /// Size of each stack, bytes; rounded up to whole pages.
    pub stack_bytes: usize,
    /// Whether the user asked for this size, so that programs that usually get more do not.
    pub stack_is_asked: bool,
    /// Size of the guard below each stack, bytes; rounded up to whole pages, at least one.
    ///
    /// One page is enough for code with stack probes, such as Rust's. Code without them (C as
    /// most compilers make it) can step over a small guard with one large frame: give it 64 KiB
    /// or more.
    pub guard_bytes: usize,
    /// Whether the stacks are executable: compilers put small trampolines there that give nested
    /// procedures access to the variables around them (Fortran, and GNU C).
    pub executable_stacks: bool,
    /// Whether processes run code that is not Rust.
    ///
    /// If set, every SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT raised by a process ends the run
    /// with [`Outcome::Signal`](crate::Outcome::Signal), and processes left at the end are
    /// abandoned instead of unwound, since foreign frames cannot be unwound: what they own leaks.
    pub foreign: bool,
}

impl Limits {
    /// Returns limits without a bound on events and time, and stacks large enough for ordinary
    /// programs.
    pub fn standard() -> Self {
        let stack_bytes = if cfg!(debug_assertions) { 256 } else { 64 } * 1024;
        Self {
            events: u64::MAX,
            time: SimTime::MAX,
            stack_bytes,
            stack_is_asked: false,
            guard_bytes: 4096,
            executable_stacks: false,
            foreign: false,
        }
    }

    /// Like [`Limits::standard`], for processes that run C code: 1 MiB stacks, 64 KiB guards.
    pub fn foreign() -> Self {
        Self { stack_bytes: 1 << 20, guard_bytes: 64 << 10, foreign: true, ..Self::standard() }
    }
}
