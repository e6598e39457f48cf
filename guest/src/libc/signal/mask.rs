//! Signal masks, and functions that wait for signals.
#![allow(unsafe_code, reason = "is called by programs")]

use std::{ffi::c_int, ptr, time::Duration};

use super::{
    super::{
        clock,
        errno::fails,
        rank::Rank,
        thread::parking::{self, Why},
    },
    send::{release, take},
    state::{Cause, Set, bit, is_signal},
    timer,
};
use crate::replacement::Replacement;

/// The signals that can never be blocked.
const UNBLOCKABLE: Set = (1 << (libc::SIGKILL - 1)) | (1 << (libc::SIGSTOP - 1));

/// Changes the mask of the calling thread; returns an error number.
fn change(how: c_int, set: *const Set, old: *mut Set) -> c_int {
    let rank = Rank::running();
    let blocked = &rank.threads.present().blocked;
    let before = blocked.get();
    // SAFETY: the program passes a set or null.
    if let Some(set) = unsafe { set.as_ref() } {
        let after = match how {
            libc::SIG_BLOCK => before | set,
            libc::SIG_UNBLOCK => before & !set,
            libc::SIG_SETMASK => *set,
            _ => return libc::EINVAL,
        };
        blocked.set(after & !UNBLOCKABLE);
    }
    if !old.is_null() {
        // SAFETY: the program passes a set.
        unsafe { old.write(before) };
    }
    release(rank);
    0
}

unsafe extern "C-unwind" fn pthread_sigmask(how: c_int, set: *const Set, old: *mut Set) -> c_int {
    change(how, set, old)
}

unsafe extern "C-unwind" fn sigprocmask(how: c_int, set: *const Set, old: *mut Set) -> c_int {
    match change(how, set, old) {
        0 => 0,
        error => fails(error),
    }
}

/// Changes the mask for one signal, for System V functions.
fn change_one(how: c_int, signal: c_int) -> c_int {
    if !is_signal(signal) {
        return fails(libc::EINVAL);
    }
    let mask = bit(signal);
    change(how, &raw const mask, ptr::null_mut())
}

extern "C-unwind" fn sighold(signal: c_int) -> c_int {
    change_one(libc::SIG_BLOCK, signal)
}

extern "C-unwind" fn sigrelse(signal: c_int) -> c_int {
    change_one(libc::SIG_UNBLOCK, signal)
}

/// Changes the mask by a BSD mask, which has one bit of an `int` per signal.
fn change_first(how: c_int, mask: c_int) -> c_int {
    let mut old = 0;
    let mask = Set::from(mask as u32);
    change(how, &raw const mask, &raw mut old);
    old as c_int
}

extern "C-unwind" fn sigblock(mask: c_int) -> c_int {
    change_first(libc::SIG_BLOCK, mask)
}

extern "C-unwind" fn sigsetmask(mask: c_int) -> c_int {
    change_first(libc::SIG_SETMASK, mask)
}

extern "C-unwind" fn siggetmask() -> c_int {
    sigblock(0)
}

unsafe extern "C" fn sigpending(place: *mut Set) -> c_int {
    // SAFETY: the program passes a set.
    unsafe { place.write(Rank::running().signals.pending.get()) };
    0
}

/// Waits until a handler has run.
fn wait_for_handler(rank: &Rank, call: &'static str) -> c_int {
    let key = rank.signals.key();
    let mut handled = release(rank);
    while !handled {
        // Signals that are not blocked can arrive, from whatever sender.
        let awaited = rank.signals.awaited.replace(!rank.threads.present().blocked.get());
        parking::wait(key, &Why::here(call).within(timer::left(rank)));
        rank.signals.awaited.set(awaited);
        handled = timer::send_due(rank) | release(rank);
    }
    fails(libc::EINTR)
}

extern "C-unwind" fn pause() -> c_int {
    wait_for_handler(Rank::running(), "pause")
}

/// Runs a function while the calling thread blocks exactly the signals of a set.
pub(super) fn with<T>(mask: Set, body: impl FnOnce() -> T) -> T {
    let rank = Rank::running();
    let blocked = &rank.threads.present().blocked;
    let before = blocked.replace(mask & !UNBLOCKABLE);
    let answer = body();
    blocked.set(before);
    release(rank);
    answer
}

fn suspend_with(mask: Set, call: &'static str) -> c_int {
    with(mask, || wait_for_handler(Rank::running(), call))
}

unsafe extern "C-unwind" fn sigsuspend(mask: *const Set) -> c_int {
    // SAFETY: the program passes a set.
    suspend_with(unsafe { mask.read() }, "sigsuspend")
}

/// Implements `sigpause` of System V: waits with the current mask without one signal.
extern "C-unwind" fn sigpause(signal: c_int) -> c_int {
    if !is_signal(signal) {
        return fails(libc::EINVAL);
    }
    suspend_with(Rank::running().threads.present().blocked.get() & !bit(signal), "sigpause")
}

/// Takes the next signal of a set, waiting at most `within`; `None` on a timeout.
fn next(set: Set, call: &'static str, within: Option<Duration>) -> Option<Cause> {
    let rank = Rank::running();
    let signals = &rank.signals;
    let end = within.map(|within| rank.clock() + within);
    loop {
        // Signals of the set are kept pending, whether they are blocked or not.
        let awaited = signals.awaited.replace(signals.awaited.get() | set);
        timer::send_due(rank);
        let ready = signals.pending.get() & set;
        if ready != 0 {
            signals.awaited.set(awaited);
            return Some(take(rank, ready.trailing_zeros() as c_int + 1));
        }
        let left = end.map(|end| end.saturating_sub(rank.clock()));
        if left == Some(Duration::ZERO) {
            signals.awaited.set(awaited);
            return None;
        }
        let soonest = [left, timer::left(rank)].into_iter().flatten().min();
        parking::wait(signals.key(), &Why::here(call).within(soonest));
        signals.awaited.set(awaited);
    }
}

unsafe extern "C-unwind" fn sigwait(set: *const Set, place: *mut c_int) -> c_int {
    // SAFETY: the program passes a set and a variable.
    unsafe {
        if let Some(cause) = next(set.read(), "sigwait", None) {
            place.write(cause.signal);
        }
    }
    0
}

fn tell(cause: Cause, place: *mut libc::siginfo_t) -> c_int {
    if !place.is_null() {
        // SAFETY: the program passes a structure or null; all zeros are valid, and the value is at
        // offset 24.
        unsafe {
            place.write_bytes(0, 1);
            ((*place).si_signo, (*place).si_code) = (cause.signal, cause.code);
            place.cast::<usize>().add(3).write(cause.value);
        }
    }
    cause.signal
}

unsafe extern "C-unwind" fn sigwaitinfo(set: *const Set, place: *mut libc::siginfo_t) -> c_int {
    // SAFETY: the program passes a set.
    match next(unsafe { set.read() }, "sigwaitinfo", None) {
        Some(cause) => tell(cause, place),
        None => fails(libc::EAGAIN),
    }
}

unsafe extern "C-unwind" fn sigtimedwait(
    set: *const Set,
    place: *mut libc::siginfo_t,
    time: *const libc::timespec,
) -> c_int {
    let within = clock::duration(time);
    if within.is_none() && !time.is_null() {
        return fails(libc::EINVAL);
    }
    // SAFETY: the program passes a set.
    match next(unsafe { set.read() }, "sigtimedwait", within) {
        Some(cause) => tell(cause, place),
        None => fails(libc::EAGAIN),
    }
}

/// Implements `sigaltstack`: the stack is recorded but never used, because handlers run where the
/// signal was sent.
unsafe extern "C" fn sigaltstack(new: *const libc::stack_t, old: *mut libc::stack_t) -> c_int {
    let alternate = &Rank::running().signals.alternate;
    let (ss_sp, ss_flags, ss_size) = alternate.get();
    // SAFETY: the program passes a structure or null.
    if let Some(new) = unsafe { new.as_ref() } {
        alternate.set((new.ss_sp as usize, new.ss_flags, new.ss_size));
    }
    if !old.is_null() {
        // SAFETY: the program passes a structure or null.
        unsafe { old.write(libc::stack_t { ss_sp: ss_sp as *mut _, ss_flags, ss_size }) };
    }
    0
}

/// Runs a function with another signal mask for the calling thread, if the program passes one.
pub(in crate::libc) fn with_mask<T>(mask: *const Set, body: impl FnOnce() -> T) -> T {
    // SAFETY: the program passes a set or null.
    match unsafe { mask.as_ref() } {
        Some(mask) => with(*mask, body),
        None => body(),
    }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("sigprocmask", sigprocmask as *const () as usize),
        ("pthread_sigmask", pthread_sigmask as *const () as usize),
        ("sighold", sighold as *const () as usize),
        ("sigrelse", sigrelse as *const () as usize),
        ("sigblock", sigblock as *const () as usize),
        ("sigsetmask", sigsetmask as *const () as usize),
        ("siggetmask", siggetmask as *const () as usize),
        ("sigpending", sigpending as *const () as usize),
        ("sigaltstack", sigaltstack as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("pause", pause as *const () as usize),
        ("sigsuspend", sigsuspend as *const () as usize),
        ("sigpause", sigpause as *const () as usize),
        ("__xpg_sigpause", sigpause as *const () as usize),
        ("sigwait", sigwait as *const () as usize),
        ("sigwaitinfo", sigwaitinfo as *const () as usize),
        ("sigtimedwait", sigtimedwait as *const () as usize),
    ]
}
