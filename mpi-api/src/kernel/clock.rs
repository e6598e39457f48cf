//! The simulated clock as programs read it. A read takes no time until a program does nothing else:
//! otherwise a program that polls the clock until a given time would never get there.

use sim_core::{SimDuration, SimTime};

use super::{MpiKernel, Sched};
use crate::call::{ClockCall, Reply};

/// Number of reads that a rank may make at the same time before a read costs time.
const READS: u32 = 1_000;
/// Number of unsuccessful polls in a row after which a program that reads the clock is taken to
/// wait for a time to come.
const IDLE_POLLS: u64 = 1_000;
/// Divisor of the time already waited: a read then takes this fraction of it, between two bounds.
const PART: u64 = 32;
const LEAST: SimDuration = SimDuration::from_us(1);
const MOST: SimDuration = SimDuration::from_ms(1);

/// The clock reads of a rank.
#[derive(Default)]
pub(super) struct Reading {
    last: SimTime,
    /// Time since which the rank has done nothing but read the clock.
    since: SimTime,
    reads: u32,
    /// Number of unsuccessful polls of the rank at that time.
    polls: u64,
    idle: bool,
}

impl Reading {
    /// Returns the duration of a read at `now`; `idle` means that polls cannot succeed either.
    fn price(&mut self, now: SimTime, idle: bool) -> SimDuration {
        if self.idle != idle || (self.last != now && !idle) {
            *self = Self { last: now, since: now, reads: 0, idle, ..*self };
        }
        self.reads = self.reads.saturating_add(1);
        if self.reads <= READS && !idle {
            return SimDuration::from_ps(0);
        }
        let waited = now.since(self.since).as_ps();
        let price = SimDuration::from_ps(waited / PART).clamp(LEAST, MOST);
        self.last = now + price;
        price
    }
}

impl MpiKernel {
    /// Executes a call about simulated time.
    pub(super) fn clock_call(&mut self, rank: u32, call: ClockCall, s: &mut Sched) {
        match call {
            ClockCall::Compute(time) => self.compute(rank, time, s),
            ClockCall::Now => self.tell_time(rank, s),
        }
    }

    /// Answers a rank's call with the present time.
    pub(super) fn tell_time(&mut self, rank: u32, s: &mut Sched) {
        let state = &mut self.ranks[rank as usize];
        // A rank that reads the clock may wait for a time, so its polls are made one by one.
        state.failed_polls = 0;
        let rest = &mut state.rest;
        let failed = std::mem::replace(&mut rest.reading.polls, rest.polls) < rest.polls;
        let idle = failed && self.idle_polls > IDLE_POLLS;
        let price = rest.reading.price(s.now(), idle);
        if idle {
            // The rank is still polling: a clock read sends nothing to other ranks.
            self.ranks[rank as usize].polling = true;
            self.polling += 1;
        }
        let at = self.computing(rank, price, s);
        s.reply(self.ranks[rank as usize].process, at, Reply::Time(at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of reads that a program makes that waits until `end`.
    fn reads_until(end: SimTime, idle: bool) -> u32 {
        let (mut reading, mut now) = (Reading::default(), SimTime::from_ps(7));
        for reads in 1.. {
            now = now + reading.price(now, idle);
            if now >= end {
                return reads;
            }
        }
        unreachable!("reads go on")
    }

    #[test]
    fn long_waits_need_few_reads() {
        assert!(reads_until(SimTime::ZERO + SimDuration::from_us(1), false) > READS);
        assert!(reads_until(SimTime::ZERO + SimDuration::from_secs(2), false) < 4 * READS);
        assert!(reads_until(SimTime::ZERO + SimDuration::from_secs(2), true) < 3 * READS);
    }

    #[test]
    fn reading_is_free_where_time_passes() {
        let mut reading = Reading::default();
        for step in 0..5 * u64::from(READS) {
            let now = SimTime::from_ps(step / 500);
            assert_eq!(reading.price(now, false), SimDuration::from_ps(0));
        }
    }
}
