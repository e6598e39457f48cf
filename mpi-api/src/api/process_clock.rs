//! The clocks of Rust's standard library in a rank that is a Rust function: simulated time.
//!
//! A rank reads them without a call to the kernel, because the reader may hold a lock or be an
//! allocator.

use std::time::Duration;

use sim_core::{ProcessClock, SimDuration};

use super::{context, environment};
use crate::call::{ClockCall, Site};

/// The clock of ranks that are Rust functions.
pub(super) const PROCESS_CLOCK: ProcessClock = ProcessClock { read: reading, sleep };

/// Returns the simulated time since the start of the run, if the current thread runs a rank that is
/// a Rust function with simulated clocks.
fn reading() -> Option<Duration> {
    context::reading().map(|time| Duration::from_nanos(time.as_ps() / 1000))
}

/// Lets the rank on this thread sleep; before `initialize` a sleep takes no time.
fn sleep(time: Duration) {
    let ps = u64::try_from(time.as_nanos().saturating_mul(1000)).unwrap_or(u64::MAX);
    if let Some(context) = super::Context::current().filter(|_| environment::is_initialized()) {
        context.call(Site::here(), ClockCall::Compute(SimDuration::from_ps(ps)));
    }
}
