//! The clocks of Rust's standard library in a rank that is a Rust function: simulated time.
//!
//! A rank reads them without a call to the kernel, because the reader may hold a lock or be an
//! allocator. The time that readings take (`reading.rs`) is accounted for with the rank's next call.

use std::{cell::Cell, time::Duration};

use sim_core::{ProcessClock, SimDuration, SimTime};

use super::{context, environment};
use crate::{
    call::{ClockCall, Site},
    reading::Reading,
};

/// The simulated clock of one rank.
#[derive(Default)]
pub(crate) struct Clock {
    reading: Cell<Reading>,
    /// Simulated time that readings have taken since the rank's last call.
    took: Cell<SimDuration>,
}

impl Clock {
    /// Returns the clock time at simulated time `now` for a program in a state, and whether
    /// readings have taken time.
    pub(super) fn read(&self, now: SimTime, state: u64) -> (SimTime, bool) {
        let mut reading = self.reading.get();
        let present = now + self.took.get();
        let price = reading.price(present, (state, 0), false);
        self.reading.set(reading);
        self.took.set(self.took.get() + price);
        (present + price, self.took.get() > SimDuration::default())
    }

    /// Returns the time that readings took since the rank's last call, and resets it.
    pub(super) fn owed(&self) -> SimDuration {
        self.took.take()
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
        for state in 0..100_000 {
            assert_eq!(clock.read(now, state), (now, false));
        }
        let end = now + SimDuration::from_secs(10);
        let further = (0..).take_while(|_| clock.read(now, 1).0 < end).count();
        assert!((1_000..20_000).contains(&further), "{further}");
        assert!(clock.owed() >= SimDuration::from_secs(10));
        assert_eq!(clock.owed(), SimDuration::default());
        let later = end + SimDuration::from_secs(1);
        assert_eq!(clock.read(later, 1), (later, false));
    }
}
