//! The clock of processes, for code that makes no calls: replacements of the C library's clock
//! functions ask for it.

use std::{sync::OnceLock, time::Duration};

/// The simulated clock of whatever process runs on the current thread.
///
/// The owner of the processes' calls implements it, because only it knows what a process may see of
/// simulated time and how a process waits.
#[derive(Clone, Copy, Debug)]
pub struct ProcessClock {
    /// Returns the simulated time since the start of the run; `None` if no process with a simulated
    /// clock runs on this thread. May be called at any time, also by an allocator: it must not
    /// allocate and must not suspend the process.
    pub read: fn() -> Option<Duration>,
    /// Suspends the process until this much simulated time has passed. Called only if `read` has
    /// just returned a time.
    pub sleep: fn(Duration),
}

static CLOCK: OnceLock<ProcessClock> = OnceLock::new();

impl ProcessClock {
    /// Makes this the clock of all processes. Later calls have no effect.
    pub fn install(self) {
        CLOCK.get_or_init(|| self);
    }

    /// Returns the installed clock, if there is one.
    pub fn installed() -> Option<&'static Self> {
        CLOCK.get()
    }
}
