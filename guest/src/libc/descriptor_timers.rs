//! The timers of a rank that are descriptors, and what they have counted.
#![allow(unsafe_code, reason = "calls the system")]

use std::{
    cell::RefCell,
    os::fd::{AsRawFd, OwnedFd},
    time::Duration,
};

use super::{clock, rank::Rank};

/// Period and first expiration, as in `struct itimerspec`.
pub(super) type Setting = [libc::timespec; 2];

/// The timers of a rank.
#[derive(Default)]
pub(super) struct DescriptorTimers(pub(super) RefCell<Vec<Timer>>);

pub(super) struct Timer {
    /// Another descriptor of the event counter, which the program does not know.
    pub(super) counter: OwnedFd,
    /// The system's number of the event counter.
    pub(super) number: String,
    pub(super) clock: libc::clockid_t,
    /// Next expiration; `None` if it is not running. `interval` is its period, 0 for none.
    pub(super) at: Option<Duration>,
    pub(super) interval: Duration,
}

impl Timer {
    /// Adds the expirations up to `now` to the counter.
    fn advance(&mut self, now: Duration) {
        let Some(at) = self.at.filter(|at| *at <= now) else { return };
        let mut expirations = 1;
        self.at = None;
        if !self.interval.is_zero() {
            let missed = (now - at).as_nanos() / self.interval.as_nanos();
            expirations += u64::try_from(missed).unwrap_or(u64::MAX - 2);
            let periods = u32::try_from(expirations).unwrap_or(u32::MAX);
            self.at = Some(at + self.interval * periods);
        }
        // SAFETY: a number of ours; nobody else waits for the counter to have room.
        unsafe {
            let bytes = (&raw const expirations).cast();
            libc::write(self.counter.as_raw_fd(), bytes, size_of::<u64>());
        }
    }

    /// Sets the counter to zero.
    pub(super) fn clear(&self) {
        let file = self.counter.as_raw_fd();
        let mut place = libc::pollfd { fd: file, events: libc::POLLIN, revents: 0 };
        let mut count = 0_u64;
        // SAFETY: structures of ours; a counter that is ready does not block.
        unsafe {
            if libc::poll(&raw mut place, 1, 0) == 1 {
                libc::read(file, (&raw mut count).cast(), size_of::<u64>());
            }
        }
    }

    pub(super) fn setting(&self, now: Duration) -> Setting {
        let left = self.at.map_or(Duration::ZERO, |at| at.saturating_sub(now));
        [clock::timespec(self.interval), clock::timespec(left)]
    }
}

/// Returns the timers of a rank.
pub(super) fn timers(rank: &Rank) -> &DescriptorTimers {
    rank.state()
}

impl DescriptorTimers {
    /// Brings the counters up to the present time of the rank.
    pub(super) fn advance(&self, rank: &Rank) {
        let mut all = self.0.borrow_mut();
        if !all.is_empty() {
            let now = rank.clock();
            all.iter_mut().for_each(|timer| timer.advance(now));
        }
    }

    /// Like [`DescriptorTimers::advance`], for a look that does not wait: a program that looks again
    /// and again must see time pass.
    pub(super) fn look(&self, rank: &Rank) {
        if !self.0.borrow().is_empty() {
            rank.host().now(rank.number());
            self.advance(rank);
        }
    }

    /// Returns the time until the next expiration.
    pub(super) fn time_to_next(&self, rank: &Rank) -> Option<Duration> {
        let next = self.0.borrow().iter().filter_map(|timer| timer.at).min()?;
        Some(next.saturating_sub(rank.clock()))
    }
}
