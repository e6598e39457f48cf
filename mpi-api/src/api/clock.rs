//! The clocks of the standard library in a rank that is a Rust function: simulated time.
//!
//! A rank reads them without a call, because whoever reads may hold a lock or be an allocator. A
//! program that waits by reading a clock until a time has come would wait for ever then, so that
//! after 32,768 readings at one time each takes longer than the one before. The rank makes up
//! for that time with its next call.

use std::{cell::Cell, time::Duration};

use sim_core::{SimDuration, SimTime};

use super::{context, environment};
use crate::call::{Operation, Site};

/// Readings at one simulated time that take no time. An allocator that reads clocks now and then
/// stays below it.
const FREE: u32 = 1 << 15;
/// How much longer than the one before each further reading takes.
const STEP: SimDuration = SimDuration::from_ns(25);

/// What a rank has read on its clock since it was called last.
#[derive(Clone, Copy, Debug, Default)]
struct Readings {
    at: SimTime,
    count: u32,
    /// How long the readings took.
    took: SimDuration,
}

/// The clock of a rank.
#[derive(Default)]
pub(crate) struct Clock(Cell<Readings>);

impl Clock {
    /// What the clock shows at a time of the rank; and whether readings have taken time.
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

    /// What readings took since the rank was called last, once.
    pub(super) fn owed(&self) -> SimDuration {
        self.0.take().took
    }
}

/// The simulated time since the beginning of the run, if a rank runs on this thread that is a Rust
/// function with simulated clocks.
pub fn reading() -> Option<Duration> {
    context::reading().map(|time| Duration::from_nanos(time.as_ps() / 1000))
}

/// Has the rank on this thread sleep. Answers false where no rank is, or where its clocks are the
/// host's; before `initialize` a sleep takes no time.
#[track_caller]
pub fn sleep(time: Duration) -> bool {
    if reading().is_none() {
        return false;
    }
    let ps = u64::try_from(time.as_nanos().saturating_mul(1000)).unwrap_or(u64::MAX);
    if let Some(context) = super::Context::current().filter(|_| environment::is_initialized()) {
        context.call(Site::here(), Operation::Compute(SimDuration::from_ps(ps)));
    }
    true
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
