//! The simulated clock of a rank, which is read without a call to the kernel. The time that readings
//! take (`reading.rs`) is accounted for with the rank's next call.

use std::cell::Cell;

use sim_core::{SimDuration, SimTime};

use crate::reading::Reading;

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
