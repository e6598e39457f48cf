//! Timers that send signals, in simulated time whatever clock they use.
#![allow(unsafe_code, reason = "is called by programs")]

use std::{
    ffi::{c_int, c_long, c_uint},
    time::Duration,
};

use super::{
    super::{clock, errno::fails, rank::Rank},
    send::send,
    state::{Cause, INTERVAL, Notice, Timer, Timers, is_signal},
};
use crate::replacement::Replacement;

/// Changes timers, and updates the time at which the next one expires.
fn change<T>(rank: &Rank, body: impl FnOnce(&mut Timers) -> T) -> T {
    let mut timers = rank.signals.timers.borrow_mut();
    let result = body(&mut timers);
    let next = timers.next();
    rank.signals.due.set(next);
    rank.host().attend(rank.number(), next.is_some());
    result
}

/// Returns the time until the next timer of the rank expires.
pub(super) fn left(rank: &Rank) -> Option<Duration> {
    rank.signals.due.get().map(|due| due.saturating_sub(rank.clock()))
}

/// Delivers the notifications of expired timers. Returns true if a handler has run.
pub(super) fn send_due(rank: &Rank) -> bool {
    let mut handled = false;
    while let Some(due) = rank.signals.due.get() {
        let now = rank.clock();
        if due > now {
            break;
        }
        let notice = change(rank, |timers| {
            let timer = timers.all.values_mut().find(|timer| timer.at == Some(due))?;
            let again = (!timer.interval.is_zero()).then(|| {
                let missed = (now - due).as_nanos() / timer.interval.as_nanos();
                timer.overrun = u32::try_from(missed).unwrap_or(u32::MAX);
                due + timer.interval * (timer.overrun.saturating_add(1))
            });
            timer.at = again;
            Some(timer.notice)
        });
        match notice {
            None | Some(Notice::Nothing) => {}
            Some(Notice::Signal { signal, code, value }) => {
                handled |= send(rank, Cause { signal, code, value });
            }
            Some(Notice::Thread { function, value }) => (rank.threads.begin)(function, value),
        }
    }
    handled
}

/// Sets an interval timer; returns its previous remaining time and period.
fn set_interval(which: usize, first: Duration, interval: Duration) -> (Duration, Duration) {
    let rank = Rank::running();
    let now = rank.clock();
    change(rank, |timers| {
        let timer = timers.interval(which);
        let before = timer.left(now);
        timer.at = (!first.is_zero()).then_some(now + first);
        timer.interval = interval;
        before
    })
}

const REAL: usize = libc::ITIMER_REAL as usize;

extern "C" fn alarm(seconds: c_uint) -> c_uint {
    let first = Duration::from_secs(u64::from(seconds));
    let (left, _) = set_interval(REAL, first, Duration::ZERO);
    // The result is rounded, but never to zero while time is left.
    let rounded = (left + Duration::from_millis(500)).as_secs();
    c_uint::try_from(rounded.max(u64::from(!left.is_zero()))).unwrap_or(c_uint::MAX)
}

extern "C" fn ualarm(first: c_uint, interval: c_uint) -> c_uint {
    let micros = |number| Duration::from_micros(u64::from(number));
    let (left, _) = set_interval(REAL, micros(first), micros(interval));
    c_uint::try_from(left.as_micros()).unwrap_or(c_uint::MAX)
}

fn micros(time: libc::timeval) -> Option<Duration> {
    let part = u32::try_from(time.tv_usec).ok().filter(|part| *part < 1_000_000)?;
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, part * 1000))
}

fn timeval(time: Duration) -> libc::timeval {
    let tv_usec = libc::suseconds_t::from(time.subsec_micros());
    libc::timeval { tv_sec: time.as_secs() as libc::time_t, tv_usec }
}

/// Two consecutive times, as in `struct itimerval`: period and first expiration.
type Pair<T> = [T; 2];

unsafe extern "C" fn getitimer(which: c_int, place: *mut Pair<libc::timeval>) -> c_int {
    let Some(which) = usize::try_from(which).ok().filter(|which| *which < 3) else {
        return fails(libc::EINVAL);
    };
    let rank = Rank::running();
    let (left, interval) = change(rank, |timers| timers.interval(which).left(rank.clock()));
    if place.is_null() {
        return fails(libc::EFAULT);
    }
    // SAFETY: the program passes a structure.
    unsafe { place.write([timeval(interval), timeval(left)]) };
    0
}

unsafe extern "C" fn setitimer(
    which: c_int,
    new: *const Pair<libc::timeval>,
    old: *mut Pair<libc::timeval>,
) -> c_int {
    let number = usize::try_from(which).ok().filter(|which| *which < 3);
    // SAFETY: the program passes a structure or null, which stops the timer.
    let new = unsafe { new.as_ref() }.map_or([Some(Duration::ZERO); 2], |new| new.map(micros));
    let (Some(number), [Some(interval), Some(first)]) = (number, new) else {
        return fails(libc::EINVAL);
    };
    let (left, before) = set_interval(number, first, interval);
    if !old.is_null() {
        // SAFETY: the program passes a structure or null.
        unsafe { old.write([timeval(before), timeval(left)]) };
    }
    0
}

unsafe extern "C" fn timer_create(
    clock: libc::clockid_t,
    event: *const libc::sigevent,
    place: *mut usize,
) -> c_int {
    // SAFETY: the program passes a structure or null.
    let event = unsafe { event.as_ref() };
    let rank = Rank::running();
    let number = change(rank, |timers| {
        timers.made += 1;
        INTERVAL.len() + timers.made
    });
    let notice = match event.map(|event| (event, event.sigev_notify)) {
        None => Notice::Signal { signal: libc::SIGALRM, code: libc::SI_TIMER, value: number },
        Some((_, libc::SIGEV_NONE)) => Notice::Nothing,
        Some((event, libc::SIGEV_SIGNAL | libc::SIGEV_THREAD_ID)) => {
            let (signal, value) = (event.sigev_signo, event.sigev_value.sival_ptr as usize);
            if !is_signal(signal) {
                return fails(libc::EINVAL);
            }
            Notice::Signal { signal, code: libc::SI_TIMER, value }
        }
        Some((event, libc::SIGEV_THREAD)) => {
            // SAFETY: the function follows the two numbers and the value, at offset 16.
            let function = unsafe { std::ptr::from_ref(event).cast::<usize>().add(2).read() };
            Notice::Thread { function, value: event.sigev_value.sival_ptr as usize }
        }
        Some(_) => return fails(libc::EINVAL),
    };
    change(rank, |timers| timers.all.insert(number, Timer::new(notice, clock)));
    // SAFETY: the program passes a variable.
    unsafe { place.write(number) };
    0
}

fn timespec(time: Duration) -> libc::timespec {
    let tv_nsec = c_long::from(time.subsec_nanos() as i32);
    libc::timespec { tv_sec: time.as_secs() as libc::time_t, tv_nsec }
}

unsafe extern "C" fn timer_settime(
    number: usize,
    flags: c_int,
    new: *const Pair<libc::timespec>,
    old: *mut Pair<libc::timespec>,
) -> c_int {
    let rank = Rank::running();
    let now = rank.clock();
    // SAFETY: the program passes a structure.
    let Some([interval, first]) = (unsafe { new.as_ref() }) else { return fails(libc::EINVAL) };
    let both = (clock::duration(&raw const *interval), clock::duration(&raw const *first));
    let (Some(interval), Some(asked)) = both else { return fails(libc::EINVAL) };
    let known = rank.signals.timers.borrow().all.get(&number).map(|timer| timer.clock);
    let Some(known) = known else { return fails(libc::EINVAL) };
    let absolute = flags & libc::TIMER_ABSTIME != 0;
    let wait = match clock::left(known, &raw const *first) {
        Some(left) if absolute => left,
        _ => asked,
    };
    let before = change(rank, |timers| {
        let timer = timers.all.get_mut(&number)?;
        let before = timer.left(now);
        timer.at = (!asked.is_zero()).then_some(now + wait);
        timer.interval = interval;
        Some(before)
    });
    if let (Some((left, interval)), false) = (before, old.is_null()) {
        // SAFETY: the program passes a structure or null.
        unsafe { old.write([timespec(interval), timespec(left)]) };
    }
    0
}

unsafe extern "C" fn timer_gettime(number: usize, place: *mut Pair<libc::timespec>) -> c_int {
    let rank = Rank::running();
    let found = rank.signals.timers.borrow().all.get(&number).copied();
    let Some(timer) = found else { return fails(libc::EINVAL) };
    let (left, interval) = timer.left(rank.clock());
    // SAFETY: the program passes a structure.
    unsafe { place.write([timespec(interval), timespec(left)]) };
    0
}

extern "C" fn timer_getoverrun(number: usize) -> c_int {
    let rank = Rank::running();
    let found = rank.signals.timers.borrow().all.get(&number).map(|timer| timer.overrun);
    found.map_or_else(|| fails(libc::EINVAL), |overrun| overrun as c_int)
}

extern "C" fn timer_delete(number: usize) -> c_int {
    let deleted = change(Rank::running(), |timers| timers.all.remove(&number));
    deleted.map_or_else(|| fails(libc::EINVAL), |_| 0)
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("alarm", alarm as *const () as usize),
        ("ualarm", ualarm as *const () as usize),
        ("getitimer", getitimer as *const () as usize),
        ("setitimer", setitimer as *const () as usize),
        ("timer_create", timer_create as *const () as usize),
        ("timer_settime", timer_settime as *const () as usize),
        ("timer_gettime", timer_gettime as *const () as usize),
        ("timer_getoverrun", timer_getoverrun as *const () as usize),
        ("timer_delete", timer_delete as *const () as usize),
    ]
}
