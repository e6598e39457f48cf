//! Replaces the clock and sleep functions that Rust's standard library takes from the C library. In
//! a rank that is a Rust function they use simulated time, elsewhere the host's.
//!
//! The functions below have the names of the C library's, so that the linker prefers them for
//! everything linked statically into the same executable, in particular the standard library.
//! Compiled programs do not use them: their clocks are in `libc/clock.rs`.
#![allow(unsafe_code, reason = "stands in for functions of the C library")]

use std::{
    ffi::{CStr, c_int, c_long, c_void},
    mem, ptr,
    sync::atomic::{AtomicPtr, Ordering},
    time::Duration,
};

use sim_core::ProcessClock;

use crate::libc::clock::{EPOCH, duration, is_date, timespec};

/// A function of the C library that is hidden by a function of this module.
struct Hidden {
    name: &'static CStr,
    place: AtomicPtr<c_void>,
}

impl Hidden {
    const fn new(name: &'static CStr) -> Self {
        Self { name, place: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Returns its address; null if there is none, as in a static executable, and while a lookup is
    /// in progress.
    fn find(&self) -> *mut c_void {
        const SOUGHT: *mut c_void = ptr::without_provenance_mut(1);
        let known = self.place.load(Ordering::Relaxed);
        if known == SOUGHT {
            return ptr::null_mut();
        }
        if !known.is_null() {
            return known;
        }
        // The lookup itself may read a clock.
        self.place.store(SOUGHT, Ordering::Relaxed);
        // SAFETY: the name is NUL-terminated.
        let found = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        if !found.is_null() {
            self.place.store(found, Ordering::Relaxed);
        }
        found
    }
}

type GetTime = extern "C" fn(libc::clockid_t, *mut libc::timespec) -> c_int;
type SleepUntil =
    extern "C" fn(libc::clockid_t, c_int, *const libc::timespec, *mut libc::timespec) -> c_int;

/// Returns the time that a rank sees on `clock`; `None` for clocks of processor time, which are the
/// host's.
fn simulated(clock: libc::clockid_t) -> Option<Duration> {
    let ours = is_date(clock)
        || matches!(
            clock,
            libc::CLOCK_MONOTONIC
                | libc::CLOCK_MONOTONIC_RAW
                | libc::CLOCK_MONOTONIC_COARSE
                | libc::CLOCK_BOOTTIME
        );
    let known = ProcessClock::installed().filter(|_| ours)?;
    let now = (known.read)()?;
    Some(if is_date(clock) { EPOCH + now } else { now })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clock_gettime(clock: libc::clockid_t, time: *mut libc::timespec) -> c_int {
    static HOST: Hidden = Hidden::new(c"clock_gettime");
    if let Some(value) = simulated(clock).filter(|_| !time.is_null()) {
        // SAFETY: the caller passes a valid structure.
        unsafe { time.write(timespec(value)) };
        return 0;
    }
    let host = HOST.find();
    if host.is_null() {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::syscall(libc::SYS_clock_gettime, clock, time) } as c_int;
    }
    // SAFETY: the function of that name has this type.
    let host = unsafe { mem::transmute::<*mut c_void, GetTime>(host) };
    host(clock, time)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clock_nanosleep(
    clock: libc::clockid_t,
    flags: c_int,
    time: *const libc::timespec,
    left: *mut libc::timespec,
) -> c_int {
    static HOST: Hidden = Hidden::new(c"clock_nanosleep");
    let ours = ProcessClock::installed();
    if let (Some(ours), Some(asked), Some(now)) = (ours, duration(time), simulated(clock)) {
        let absolute = flags & libc::TIMER_ABSTIME != 0;
        (ours.sleep)(if absolute { asked.saturating_sub(now) } else { asked });
        return 0;
    }
    let host = HOST.find();
    if host.is_null() {
        return system_sleep(clock, flags, time, left);
    }
    // SAFETY: the function of that name has this type.
    let host = unsafe { mem::transmute::<*mut c_void, SleepUntil>(host) };
    host(clock, flags, time, left)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nanosleep(time: *const libc::timespec, left: *mut libc::timespec) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    match unsafe { clock_nanosleep(libc::CLOCK_REALTIME, 0, time, left) } {
        0 => 0,
        code => {
            // SAFETY: the thread's own variable.
            unsafe { *libc::__errno_location() = code };
            -1
        }
    }
}

/// Like `clock_nanosleep`, which returns the error number instead of setting `errno`.
fn system_sleep(
    clock: libc::clockid_t,
    flags: c_int,
    time: *const libc::timespec,
    left: *mut libc::timespec,
) -> c_int {
    let flags = c_long::from(flags);
    // SAFETY: the arguments are passed on unchanged.
    match unsafe { libc::syscall(libc::SYS_clock_nanosleep, clock, flags, time, left) } {
        0 => 0,
        // SAFETY: the thread's own variable.
        _ => unsafe { *libc::__errno_location() },
    }
}
