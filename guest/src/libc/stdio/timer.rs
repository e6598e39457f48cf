//! Timers that are descriptors (`timerfd`), in simulated time.
//!
//! Each is an event counter of the system (`eventfd`), which is read and polled like a timer. The
//! number of expirations is added when the rank reads or waits, the only times at which it can
//! notice.
#![allow(unsafe_code, reason = "is called by programs and calls the system")]

use std::{
    ffi::c_int,
    fs, io,
    os::fd::{FromRawFd, OwnedFd},
    time::Duration,
};

use super::descriptor::{of_process, opened};
use crate::{
    libc::{
        clock,
        descriptor_timers::{Setting, Timer, timers},
        errno::fails,
        rank::Rank,
    },
    replacement::Replacement,
};

/// Descriptors of the simulator are not below this number.
const KEPT_MIN: c_int = 1024;

/// Returns the system's number of the event counter that a descriptor leads to.
fn counter_number(file: c_int) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/self/fdinfo/{file}")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("eventfd-id:")).map(|id| id.trim().to_string())
}

extern "C" fn timerfd_create(clock: libc::clockid_t, flags: c_int) -> c_int {
    let known = [libc::CLOCK_REALTIME, libc::CLOCK_MONOTONIC, libc::CLOCK_BOOTTIME];
    let alarms = [libc::CLOCK_REALTIME_ALARM, libc::CLOCK_BOOTTIME_ALARM];
    if !known.contains(&clock) && !alarms.contains(&clock) {
        return fails(libc::EINVAL);
    }
    let Some(rank) = Rank::current() else { return fails(libc::EINVAL) };
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
        return fails(error);
    };
    // SAFETY: as above; nobody else knows it.
    let counter = unsafe { OwnedFd::from_raw_fd(kept) };
    let timer = Timer { counter, number, clock, at: None, interval: Duration::ZERO };
    timers(rank).0.borrow_mut().push(timer);
    opened(file)
}

/// Passes the timer of a descriptor to a function; fails if it is none.
fn with(rank: &Rank, file: c_int, body: impl FnOnce(&mut Timer) -> c_int) -> c_int {
    let number = counter_number(of_process(rank, file));
    let mut all = timers(rank).0.borrow_mut();
    let found = all.iter_mut().find(|timer| Some(&timer.number) == number.as_ref());
    found.map_or_else(|| fails(libc::EINVAL), body)
}

unsafe extern "C" fn timerfd_settime(
    file: c_int,
    flags: c_int,
    new: *const Setting,
    old: *mut Setting,
) -> c_int {
    let Some(rank) = Rank::current() else { return fails(libc::EINVAL) };
    // SAFETY: the program passes a structure or null.
    let Some([interval, first]) = (unsafe { new.as_ref() }) else { return fails(libc::EFAULT) };
    let both = (clock::duration(&raw const *interval), clock::duration(&raw const *first));
    let (Some(interval), Some(asked)) = both else { return fails(libc::EINVAL) };
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
    let Some(rank) = Rank::current() else { return fails(libc::EINVAL) };
    if place.is_null() {
        return fails(libc::EFAULT);
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
