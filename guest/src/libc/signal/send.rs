//! Signals are sent, and act: handlers of the program run, or the rank ends.
#![allow(unsafe_code, reason = "calls handlers of programs")]

use std::{
    ffi::{c_int, c_void},
    mem::MaybeUninit,
};

use super::state::{Action, Cause, DEFAULT, IGNORE, LAST, bit};
use crate::libc::{ending::Ending, rank::Rank, thread::parking};

/// Signals that are ignored by default.
const HARMLESS: [c_int; 4] = [libc::SIGCHLD, libc::SIGURG, libc::SIGWINCH, libc::SIGCONT];
/// Signals that stop the process by default.
const STOPPING: [c_int; 4] = [libc::SIGSTOP, libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU];

/// Sends a signal to the rank. Returns true if a handler has run.
pub(in crate::libc) fn send(rank: &Rank, cause: Cause) -> bool {
    let signals = &rank.signals;
    let mask = bit(cause.signal);
    let awaited = signals.awaited.get() & mask != 0;
    if awaited || rank.threads.present().blocked.get() & mask != 0 {
        let mut causes = signals.causes.borrow_mut();
        causes.resize(LAST as usize, Cause { signal: 0, code: 0, value: 0 });
        causes[(cause.signal - 1) as usize] = cause;
        drop(causes);
        signals.pending.set(signals.pending.get() | mask);
        if awaited {
            parking::wake(signals.key(), usize::MAX);
        }
        return false;
    }
    act(rank, cause)
}

/// Performs the action of a signal that is not blocked. Returns true if a handler has run.
fn act(rank: &Rank, cause: Cause) -> bool {
    let action = rank.signals.action(cause.signal);
    match action.handler {
        IGNORE => false,
        DEFAULT => {
            act_by_default(rank, cause.signal);
            false
        }
        _ => {
            handle(rank, action, cause);
            true
        }
    }
}

fn act_by_default(rank: &Rank, signal: c_int) {
    if HARMLESS.contains(&signal) {
        return;
    }
    if STOPPING.contains(&signal) {
        let text = format!("it stops itself ({}), and nobody lets it go on", name(signal));
        rank.finish(Ending::Refused(text));
    }
    rank.finish(Ending::Signalled(signal));
}

/// Runs the program's handler for `abort`, even if the signal is blocked, before the rank ends.
pub(in crate::libc) fn send_abort(rank: &Rank) {
    let action = rank.signals.action(libc::SIGABRT);
    if action.handler != DEFAULT && action.handler != IGNORE {
        handle(rank, action, Cause::user(libc::SIGABRT));
    }
}

/// Returns the name of a signal, such as SIGSEGV.
pub fn name(signal: c_int) -> String {
    sim_core::signal_name(signal).map_or_else(|| format!("signal {signal}"), str::to_string)
}

/// Runs the program's handler with the arguments it was installed for.
fn handle(rank: &Rank, action: Action, cause: Cause) {
    // SAFETY: all zeros are valid structures; the program's handler reads them.
    let (mut info, mut context) = unsafe {
        let info = MaybeUninit::<libc::siginfo_t>::zeroed().assume_init();
        (info, MaybeUninit::<libc::ucontext_t>::zeroed().assume_init())
    };
    (info.si_signo, info.si_code) = (cause.signal, cause.code);
    let words = (&raw mut info).cast::<usize>();
    // SAFETY: on Linux the value follows the process and user numbers, at offset 24.
    unsafe { words.add(3).write(cause.value) };
    let place: *mut u64 = (&raw mut context.uc_sigmask).cast();
    // SAFETY: a signal set has at least one word.
    unsafe { place.write(rank.threads.present().blocked.get()) };
    call(rank, action, cause.signal, &raw mut info, (&raw mut context).cast());
}

/// Calls a handler with the signals blocked that its action specifies.
pub(super) fn call(
    rank: &Rank,
    action: Action,
    signal: c_int,
    info: *mut libc::siginfo_t,
    context: *mut c_void,
) {
    type Simple = extern "C-unwind" fn(c_int);
    type Full = extern "C-unwind" fn(c_int, *mut libc::siginfo_t, *mut c_void);
    let blocked = &rank.threads.present().blocked;
    let before = blocked.get();
    if action.flags & libc::SA_RESETHAND != 0 {
        rank.signals.own_action(signal).set(Action::DEFAULT);
    }
    if action.flags & libc::SA_RESTART == 0 {
        rank.signals.interrupting.set(true);
    }
    let own = if action.flags & libc::SA_NODEFER == 0 { bit(signal) } else { 0 };
    blocked.set(before | action.mask | own);
    // SAFETY: the program installed the address as such a handler.
    unsafe {
        if action.flags & libc::SA_SIGINFO != 0 {
            std::mem::transmute::<usize, Full>(action.handler)(signal, info, context);
        } else {
            std::mem::transmute::<usize, Simple>(action.handler)(signal);
        }
    }
    blocked.set(before);
    release(rank);
}

/// Sends pending signals that are no longer blocked. Returns true if a handler has run.
pub(super) fn release(rank: &Rank) -> bool {
    let mut handled = false;
    loop {
        let pending = &rank.signals.pending;
        let ready = pending.get() & !rank.threads.present().blocked.get();
        if ready == 0 {
            return handled;
        }
        let signal = ready.trailing_zeros() as c_int + 1;
        handled |= act(rank, take(rank, signal));
    }
}

/// Removes a pending signal and returns its cause.
pub(super) fn take(rank: &Rank, signal: c_int) -> Cause {
    let pending = &rank.signals.pending;
    pending.set(pending.get() & !bit(signal));
    rank.signals.causes.borrow()[(signal - 1) as usize]
}
