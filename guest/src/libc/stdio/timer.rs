//! Timers that are descriptors (`timerfd`), in simulated time.
//!
//! Each is an event counter of the system (`eventfd`), which is read and polled like a timer. The
//! number of expirations is added when the rank reads or waits, the only times at which it can
//! notice.
#![allow(unsafe_code, reason = "is called by programs and calls the system")]

use std::{
    cell::RefCell,
    ffi::c_int,
    fs, io,
    os::fd::{AsRawFd, FromRawFd, OwnedFd},
    time::Duration,
};

use super::descriptor::{fail, of_process, opened};
use crate::libc::{Replacement, clock, rank::Rank};

/// Descriptors of the simulator are not below this number.
const KEPT_MIN: c_int = 1024;

/// The timers of a rank.
#[derive(Default)]
pub(in crate::libc) struct DescriptorTimers(RefCell<Vec<Timer>>);

struct Timer {
    /// Another descriptor of the event counter, which the program does not know.
    counter: OwnedFd,
    /// The system's number of the event counter.
    number: String,
    clock: libc::clockid_t,
    /// Next expiration; `None` if it is not running. `interval` is its period, 0 for none.
    at: Option<Duration>,
    interval: Duration,
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
    fn clear(&self) {
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

    fn setting(&self, now: Duration) -> Setting {
        let left = self.at.map_or(Duration::ZERO, |at| at.saturating_sub(now));
        [clock::timespec(self.interval), clock::timespec(left)]
    }
}

/// Returns the timers of a rank.
pub(in crate::libc) fn timers(rank: &Rank) -> &DescriptorTimers {
    rank.state()
}

impl DescriptorTimers {
    /// Brings the counters up to the present time of the rank.
    pub(in crate::libc) fn advance(&self, rank: &Rank) {
        let mut all = self.0.borrow_mut();
        if !all.is_empty() {
            let now = rank.clock();
            all.iter_mut().for_each(|timer| timer.advance(now));
        }
    }

    /// Like [`DescriptorTimers::advance`], for a look that does not wait: a program that looks again
    /// and again must see time pass.
    pub(in crate::libc) fn look(&self, rank: &Rank) {
        if !self.0.borrow().is_empty() {
            rank.host().now(rank.number());
            self.advance(rank);
        }
    }

    /// Returns the time until the next expiration.
    pub(in crate::libc) fn time_to_next(&self, rank: &Rank) -> Option<Duration> {
        let next = self.0.borrow().iter().filter_map(|timer| timer.at).min()?;
        Some(next.saturating_sub(rank.clock()))
    }
}

/// Returns the system's number of the event counter that a descriptor leads to.
fn counter_number(file: c_int) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/self/fdinfo/{file}")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("eventfd-id:")).map(|id| id.trim().to_string())
}

extern "C" fn timerfd_create(clock: libc::clockid_t, flags: c_int) -> c_int {
    let known = [libc::CLOCK_REALTIME, libc::CLOCK_MONOTONIC, libc::CLOCK_BOOTTIME];
    let alarms = [libc::CLOCK_REALTIME_ALARM, libc::CLOCK_BOOTTIME_ALARM];
    if !known.contains(&clock) && !alarms.contains(&clock) {
        return fail(libc::EINVAL);
    }
    let Some(rank) = Rank::current() else { return fail(libc::EINVAL) };
    // SAFETY: creates descriptors; the flags have the same values for both kinds.
    let (file, kept) = unsafe {
        let file = libc::eventfd(0, flags);
        if file < 0 {
            return file;
        }
        (file, libc::fcntl(file, libc::F_DUPFD_CLOEXEC, KEPT_MIN))
    };
    let number = counter_number(file);
    let (true, Some(number)) = (kept >= 0, number) else {
        let error = io::Error::last_os_error().raw_os_error().unwrap_or(libc::EMFILE);
        // SAFETY: the descriptor was created just now.
        unsafe { libc::close(file) };
        return fail(error);
    };
    // SAFETY: as above; nobody else knows it.
    let counter = unsafe { OwnedFd::from_raw_fd(kept) };
    let timer = Timer { counter, number, clock, at: None, interval: Duration::ZERO };
    timers(rank).0.borrow_mut().push(timer);
    opened(file)
}

/// Period and first expiration, as in `struct itimerspec`.
type Setting = [libc::timespec; 2];

/// Passes the timer of a descriptor to a function; fails if it is none.
fn with(rank: &Rank, file: c_int, body: impl FnOnce(&mut Timer) -> c_int) -> c_int {
    let number = counter_number(of_process(rank, file));
    let mut all = timers(rank).0.borrow_mut();
    let found = all.iter_mut().find(|timer| Some(&timer.number) == number.as_ref());
    found.map_or_else(|| fail(libc::EINVAL), body)
}

unsafe extern "C" fn timerfd_settime(
    file: c_int,
    flags: c_int,
    new: *const Setting,
    old: *mut Setting,
) -> c_int {
    let Some(rank) = Rank::current() else { return fail(libc::EINVAL) };
    // SAFETY: the program passes a structure or null.
    let Some([interval, first]) = (unsafe { new.as_ref() }) else { return fail(libc::EFAULT) };
    let both = (clock::duration(&raw const *interval), clock::duration(&raw const *first));
    let (Some(interval), Some(asked)) = both else { return fail(libc::EINVAL) };
    timers(rank).advance(rank);
    let now = rank.clock();
    with(rank, file, |timer| {
        let date = matches!(timer.clock, libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_ALARM);
        let begun = if date { clock::EPOCH + now } else { now };
        let absolute = flags & libc::TFD_TIMER_ABSTIME != 0;
        let wait = if absolute { asked.saturating_sub(begun) } else { asked };
        if !old.is_null() {
            // SAFETY: the program passes a structure or null.
            unsafe { old.write(timer.setting(now)) };
        }
        timer.clear();
        timer.at = (!asked.is_zero()).then_some(now + wait);
        timer.interval = interval;
        0
    })
}

unsafe extern "C" fn timerfd_gettime(file: c_int, place: *mut Setting) -> c_int {
    let Some(rank) = Rank::current() else { return fail(libc::EINVAL) };
    if place.is_null() {
        return fail(libc::EFAULT);
    }
    timers(rank).advance(rank);
    let now = rank.clock();
    with(rank, file, |timer| {
        // SAFETY: the program passes a structure.
        unsafe { place.write(timer.setting(now)) };
        0
    })
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("timerfd_create", timerfd_create as *const () as usize),
        ("timerfd_settime", timerfd_settime as *const () as usize),
        ("timerfd_gettime", timerfd_gettime as *const () as usize),
    ]
}
