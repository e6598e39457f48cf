//! Clocks and sleeps in simulated time.
#![allow(unsafe_code, reason = "fills the structures of a program")]

use std::{
    ffi::{c_int, c_long, c_uint, c_void},
    thread,
    time::Duration,
};

use super::{
    errno::fails,
    rank::Rank,
    signal::attend::{attend_if_timed, next},
};
use crate::replacement::Replacement;

/// The calendar time at which every simulation starts: 1 January 2000, in seconds since 1970.
pub(crate) const EPOCH: Duration = Duration::from_secs(946_684_800);

unsafe extern "C" {
    #[link_name = "clock"]
    fn host_clock() -> libc::clock_t;
}

/// Returns the simulated time since the start; `None` if the program uses the host's clocks.
fn now() -> Option<Duration> {
    let rank = Rank::current()?;
    let now = rank.host().now(rank.number());
    attend_if_timed(rank);
    now
}

/// Returns the time that a wait of this length takes: a nanosecond more. Sleeps never end early, but the difference of two
/// readings of `MPI_Wtime`, which are rounded to doubles, may be smaller than the time between them.
pub(super) fn rounded_up(time: Duration) -> Duration {
    match time.is_zero() {
        true => time,
        false => time.saturating_add(Duration::from_nanos(1)),
    }
}

/// Lets simulated time pass; returns the remaining time if a signal handler interrupts it. `None`
/// if the host's clocks are to be used and no timer runs: timers count simulated time with any clocks.
fn pass(time: Duration) -> Option<Duration> {
    let rank = Rank::current()?;
    let uses_host = now().is_none();
    if uses_host && next(rank).is_none() {
        return None;
    }
    let end = rank.clock().saturating_add(rounded_up(time));
    loop {
        let now = rank.clock();
        let until = next(rank).map_or(end, |next| next.clamp(now, end));
        let wait = until.saturating_sub(now);
        if uses_host {
            thread::sleep(wait);
        }
        rank.host().sleep(rank.number(), wait);
        let interrupted = attend_if_timed(rank);
        let left = end.saturating_sub(rank.clock());
        if interrupted || until == end || left.is_zero() {
            return Some(if interrupted { left.min(time) } else { Duration::ZERO });
        }
    }
}

/// Returns the result of a function that let time pass: an error if it was interrupted.
fn interrupted(left: Duration) -> c_int {
    if left.is_zero() {
        return 0;
    }
    fails(libc::EINTR)
}

pub(crate) fn timespec(time: Duration) -> libc::timespec {
    libc::timespec {
        tv_sec: time.as_secs() as libc::time_t,
        tv_nsec: c_long::from(time.subsec_nanos() as i32),
    }
}

/// Converts a time of the program; `None` if it is invalid.
pub(crate) fn duration(time: *const libc::timespec) -> Option<Duration> {
    // SAFETY: the program passes a structure or null.
    let time = unsafe { time.as_ref() }?;
    let nanoseconds = u32::try_from(time.tv_nsec).ok().filter(|ns| *ns < 1_000_000_000)?;
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, nanoseconds))
}

/// Returns the time that the program sees on a clock.
pub(crate) fn reading(clock: libc::clockid_t) -> Option<Duration> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the program vouches for the arguments, which are passed on.
    (unsafe { clock_gettime(clock, &raw mut time) } == 0).then_some(())?;
    duration(&raw const time)
}

/// Returns the time until a clock reaches `time`, zero if that is past; `None` if it is invalid.
pub(super) fn left(clock: libc::clockid_t, time: *const libc::timespec) -> Option<Duration> {
    // SAFETY: the program passes a structure or null.
    let seconds = unsafe { time.as_ref() }?.tv_sec;
    if seconds < 0 {
        return Some(Duration::ZERO);
    }
    let end = duration(time)?;
    Some(end.saturating_sub(reading(clock)?))
}

pub(crate) fn is_date(clock: libc::clockid_t) -> bool {
    matches!(clock, libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI)
}

unsafe extern "C" fn clock_gettime(clock: libc::clockid_t, time: *mut libc::timespec) -> c_int {
    let Some(now) = now() else {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::clock_gettime(clock, time) };
    };
    let value = if is_date(clock) { EPOCH + now } else { now };
    // SAFETY: the program passes a structure.
    unsafe { time.write(timespec(value)) };
    0
}

unsafe extern "C" fn timespec_get(time: *mut libc::timespec, base: c_int) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    if base != 1 || unsafe { clock_gettime(libc::CLOCK_REALTIME, time) } != 0 { 0 } else { base }
}

unsafe extern "C" fn gettimeofday(time: *mut libc::timeval, zone: *mut c_void) -> c_int {
    let Some(now) = now() else {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::gettimeofday(time, zone.cast()) };
    };
    let value = timespec(EPOCH + now);
    // SAFETY: the program passes a structure.
    unsafe { time.write(libc::timeval { tv_sec: value.tv_sec, tv_usec: value.tv_nsec / 1000 }) };
    0
}

unsafe extern "C" fn time(place: *mut libc::time_t) -> libc::time_t {
    let Some(now) = now() else {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::time(place) };
    };
    let seconds = timespec(EPOCH + now).tv_sec;
    if !place.is_null() {
        // SAFETY: the program passes a variable or null.
        unsafe { place.write(seconds) };
    }
    seconds
}

/// Implements `clock`: processor time is simulated time, because the program is always computing.
extern "C" fn clock() -> libc::clock_t {
    match now() {
        Some(now) => now.as_micros() as libc::clock_t,
        // SAFETY: queries the host.
        None => unsafe { host_clock() },
    }
}

unsafe extern "C" fn times(buffer: *mut libc::tms) -> libc::clock_t {
    let Some(now) = now() else {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::times(buffer) };
    };
    let ticks = (now.as_millis() / 10) as libc::clock_t;
    let value = libc::tms { tms_utime: ticks, tms_stime: 0, tms_cutime: 0, tms_cstime: 0 };
    if !buffer.is_null() {
        // SAFETY: the program passes a structure or null.
        unsafe { buffer.write(value) };
    }
    ticks
}

extern "C" fn sleep(seconds: c_uint) -> c_uint {
    if let Some(left) = pass(Duration::from_secs(u64::from(seconds))) {
        return c_uint::try_from((left + Duration::from_millis(500)).as_secs()).unwrap_or(seconds);
    }
    // SAFETY: sleeps on the host.
    unsafe { libc::sleep(seconds) }
}

extern "C" fn usleep(microseconds: c_uint) -> c_int {
    if let Some(left) = pass(Duration::from_micros(u64::from(microseconds))) {
        return interrupted(left);
    }
    // SAFETY: sleeps on the host.
    unsafe { libc::usleep(microseconds) }
}

pub(super) unsafe extern "C" fn nanosleep(
    time: *const libc::timespec,
    left: *mut libc::timespec,
) -> c_int {
    match duration(time).and_then(pass) {
        Some(rest) => {
            if !left.is_null() {
                // SAFETY: the program passes a structure or null.
                unsafe { left.write(timespec(rest)) };
            }
            interrupted(rest)
        }
        // SAFETY: the arguments are passed on unchanged.
        None => unsafe { libc::nanosleep(time, left) },
    }
}

unsafe extern "C" fn clock_nanosleep(
    clock: libc::clockid_t,
    flags: c_int,
    time: *const libc::timespec,
    left: *mut libc::timespec,
) -> c_int {
    let absolute = flags & libc::TIMER_ABSTIME != 0;
    let begun = if absolute { reading(clock) } else { Some(Duration::ZERO) };
    let wait = duration(time).zip(begun).map(|(asked, begun)| asked.saturating_sub(begun));
    let Some(rest) = wait.and_then(pass) else {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::clock_nanosleep(clock, flags, time, left) };
    };
    if !absolute && !left.is_null() {
        // SAFETY: the program passes a structure or null.
        unsafe { left.write(timespec(rest)) };
    }
    if rest.is_zero() { 0 } else { libc::EINTR }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("sleep", sleep as *const () as usize),
        ("usleep", usleep as *const () as usize),
        ("nanosleep", nanosleep as *const () as usize),
        ("clock_nanosleep", clock_nanosleep as *const () as usize),
    ]
}

/// Returns the clocks. The place of their caller is needed to tell who waits by reading them from
/// who measures.
pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("clock_gettime", clock_gettime as *const () as usize),
        ("timespec_get", timespec_get as *const () as usize),
        ("gettimeofday", gettimeofday as *const () as usize),
        ("time", time as *const () as usize),
        ("clock", clock as *const () as usize),
        ("times", times as *const () as usize),
    ]
}
