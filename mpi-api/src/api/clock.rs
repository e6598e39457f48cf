//! The clocks of Rust's standard library in a rank that is a Rust function: simulated time.
//!
//! A rank reads them without a call to the kernel, because the reader may hold a lock or be an
//! allocator. A program that polls a clock until a certain time would then wait forever. Therefore,
//! after 32,768 readings at one simulated time each reading takes longer than the one before; the
//! rank accounts for that time with its next call.

use std::{cell::Cell, time::Duration};

use sim_core::{ProcessClock, SimDuration, SimTime};

use super::{context, environment};
use crate::call::{ClockCall, Site};

/// Number of readings at one simulated time that take no time. An allocator that sometimes reads
/// clocks stays below it.
const FREE: u32 = 1 << 15;
/// The additional time of each further reading, compared to the one before.
const STEP: SimDuration = SimDuration::from_ns(25);

/// The clock readings of a rank since its last call.
#[derive(Clone, Copy, Debug, Default)]
struct Readings {
    at: SimTime,
    count: u32,
    /// Simulated time that the readings took.
    took: SimDuration,
}

/// The simulated clock of one rank.
#[derive(Default)]
pub(crate) struct Clock(Cell<Readings>);

impl Clock {
    /// Returns the clock time at simulated time `now`, and whether readings have taken time.
    pub(super) fn read(&self, now: SimTime) -> (SimTime, bool) {
        let mut readings = self.0.get();
        if readings.at != now {
            readings = Readings { at: now, ..Readings::default() };
        }
        readings.count = readings.count.saturating_add(1);
        readings.took += STEP * u64::from(readings.count.saturating_sub(FREE));
        self.0.set(readings);
        (now + readings.took, readings.took > SimDuration::default())
    }

    /// Returns the time that readings took since the rank's last call, and resets it.
    pub(super) fn owed(&self) -> SimDuration {
        self.0.take().took
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_readings_take_no_time_and_many_come_to_an_end() {
        let clock = Clock::default();
        let now = SimTime::from_ps(5_000);
        for _ in 0..FREE {
            assert_eq!(clock.read(now), (now, false));
        }
        assert_eq!(clock.read(now), (now + STEP, true));
        let end = now + SimDuration::from_secs(10);
        let further = (0..).take_while(|_| clock.read(now).0 < end).count();
        assert!((1_000..100_000).contains(&further), "{further}");
        assert!(clock.owed() >= SimDuration::from_secs(10));
        assert_eq!(clock.owed(), SimDuration::default());
        assert_eq!(clock.read(end), (end, false));
    }
}
