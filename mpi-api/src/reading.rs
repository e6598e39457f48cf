//! The time that clock reads take. A read takes none until a program does nothing else: a program
//! that polls the clock until a given time would otherwise never get there.
//!
//! A program that measures reads the clock often, too, at one simulated time if what it measures is
//! computing that takes none. The two are told apart by the state of the program at each read
//! ([`sim_core::with_caller_state`]): a loop that waits is in one of a few states again and again, and
//! one that makes progress has counted something. A program whose counter cannot be seen (a global
//! variable in memory) and one that counts while it waits are told apart by the number of reads.

use sim_core::{SimDuration, SimTime};

/// Number of reads in a row, at one time and in a state seen shortly before, after which the reader
/// waits for a time to come.
const REPEATS: u32 = 1_000;
/// Number of reads at one time, in whatever state, after which the reader waits. A loop that counts
/// while it waits reaches it in less than a second of the host (about 0.3 us a read); loops that
/// time each of a few hundred thousand small pieces of work stay below it.
const READS: u32 = 1 << 20;
/// A rank that has waited is recognised sooner: the two numbers are halved with each wait, as many
/// times.
const HALVINGS: u32 = 4;
/// Number of states that are remembered: a loop may read several clocks, or one in several places.
const STATES: usize = 8;
/// Divisor of the time already waited: a read then takes this fraction of it, between two bounds.
const PART: u64 = 32;
const LEAST: SimDuration = SimDuration::from_us(1);
const MOST: SimDuration = SimDuration::from_ms(1);

/// The clock reads of a rank.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    last: SimTime,
    /// Time since which the rank has done nothing but read the clock.
    since: SimTime,
    /// Number of reads at that time, and how many of them in a row were in a remembered state.
    reads: u32,
    repeats: u32,
    /// The last different states, as a ring.
    states: [u64; STATES],
    newest: usize,
    /// Whether reads take time, and how often that has begun.
    waits: bool,
    waited: u32,
    idle: bool,
    /// Number of other calls of the rank at the last read.
    calls: u32,
}

impl Reading {
    /// Returns the duration of a read at `now` by a program in a state, which has made a number of
    /// other calls; `idle` means that polls cannot succeed either, so that the program can only wait
    /// for a time.
    pub(crate) fn price(
        &mut self,
        now: SimTime,
        (state, calls): (u64, u32),
        idle: bool,
    ) -> SimDuration {
        if self.idle != idle || (self.last != now && !idle) {
            let before = Self { last: now, since: now, idle, ..*self };
            *self = Self { reads: 0, repeats: 0, waits: false, ..before };
        }
        if std::mem::replace(&mut self.calls, calls) != calls && !idle {
            // Another wait, perhaps a short one.
            (self.since, self.waits) = (now, false);
        }
        if !idle && !self.waits && !self.begins_to_wait(state) {
            return SimDuration::default();
        }
        let waited = now.since(self.since).as_ps();
        let price = SimDuration::from_ps(waited / PART).clamp(LEAST, MOST);
        self.last = now + price;
        price
    }

    /// Counts a read, and reports whether the reader waits.
    fn begins_to_wait(&mut self, state: u64) -> bool {
        self.reads += 1;
        if self.states.contains(&state) {
            self.repeats += 1;
        } else {
            self.repeats = 0;
            self.newest = (self.newest + 1) % STATES;
            self.states[self.newest] = state;
        }
        let halvings = self.waited.min(HALVINGS);
        self.waits = self.repeats >= REPEATS >> halvings || self.reads > READS >> halvings;
        self.waited += u32::from(self.waits);
        self.waits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: SimDuration) -> SimTime {
        SimTime::ZERO + time
    }

    /// Returns the number of reads that a program makes that waits until `end`, in states given by
    /// the number of the read.
    fn reads_until(reading: &mut Reading, end: SimTime, state: impl Fn(u64) -> u64) -> u32 {
        let mut now = reading.last.max(SimTime::from_ps(7));
        for reads in 1.. {
            now = now + reading.price(now, (state(u64::from(reads)), 0), false);
            if now >= end {
                return reads;
            }
        }
        unreachable!("reads go on")
    }

    #[test]
    fn long_waits_need_few_reads() {
        let fresh = || Reading::default();
        assert!(reads_until(&mut fresh(), at(SimDuration::from_us(1)), |_| 5) > REPEATS);
        assert!(reads_until(&mut fresh(), at(SimDuration::from_secs(2)), |_| 5) < 4 * REPEATS);
        // A loop that reads in three places.
        let of_three = |read| read % 3;
        assert!(reads_until(&mut fresh(), at(SimDuration::from_secs(2)), of_three) < 4 * REPEATS);
    }

    #[test]
    fn who_can_only_wait_reads_even_less() {
        let (mut reading, mut now, mut reads) = (Reading::default(), SimTime::from_ps(7), 0);
        while now < at(SimDuration::from_secs(2)) {
            now = now + reading.price(now, (reads, 0), true);
            reads += 1;
        }
        assert!(reads < 3000, "{reads}");
    }

    #[test]
    fn calls_in_between_begin_another_wait_but_do_not_prevent_it() {
        let (mut reading, mut now, mut reads) = (Reading::default(), SimTime::from_ps(7), 0);
        for calls in 0..500 {
            let end = now + SimDuration::from_us(50);
            while now < end {
                now = now + reading.price(now, (reads % 2, calls), false);
                reads += 1;
            }
        }
        assert!(now < at(SimDuration::from_ms(26)), "{now:?}");
        assert!(reads < 50_000, "{reads}");
        // A loop in which each read follows a call that takes no time.
        let (begun, mut reads) = (now, 0);
        while now < begun + SimDuration::from_ms(1) {
            reads += 1;
            now = now + reading.price(now, (1, 500 + reads), false);
        }
        assert!(reads < 3 * REPEATS, "{reads}");
    }

    #[test]
    fn reading_is_free_where_time_passes() {
        let mut reading = Reading::default();
        for step in 0..5 * u64::from(REPEATS) {
            let now = SimTime::from_ps(step / 500);
            assert_eq!(reading.price(now, (1, 0), false), SimDuration::default());
        }
    }

    #[test]
    fn reading_is_free_where_something_is_counted() {
        let mut reading = Reading::default();
        for read in 0..900_000 {
            assert_eq!(reading.price(SimTime::ZERO, (read, 0), false), SimDuration::default());
        }
        // Six reads for each of many elements, of which only the counter differs.
        let mut reading = Reading::default();
        for read in 0..900_000 {
            let state = 10 * (read / 6) + read % 6;
            assert_eq!(reading.price(SimTime::ZERO, (state, 0), false), SimDuration::default());
        }
    }

    #[test]
    fn who_counts_while_it_waits_gets_there() {
        let mut reading = Reading::default();
        let end = at(SimDuration::from_secs(1));
        let first = reads_until(&mut reading, end, |read| read);
        assert!((READS..READS + 3_000).contains(&first), "{first}");
        // The next waits are recognised sooner.
        let mut last = first;
        for second in 2..10 {
            let end = at(SimDuration::from_secs(second));
            reading.price(end, (0, 0), false);
            last = reads_until(&mut reading, end + SimDuration::from_ms(500), |read| read);
        }
        assert!(last < first / 8, "{last}");
    }
}
