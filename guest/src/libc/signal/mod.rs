//! Signals: like a process, each rank has its own actions, masks, pending signals and timers.
//!
//! A rank sends signals only to itself: by `raise` and related functions, by timers in simulated
//! time, and by faulting instructions (`strike`). Handlers run on the rank's stack, where the
//! signal was sent; those of timers run when an MPI call, a clock or a sleep returns. Actions and
//! masks of the program are never set in the system.
#![allow(unsafe_code, reason = "calls handlers of programs")]

mod action;
mod jump;
mod mask;
mod state;
pub(super) mod strike;
mod timer;

use std::{
    ffi::{c_int, c_void},
    mem::MaybeUninit,
    time::Duration,
};

use super::{Replacement, ending::Ending, rank::Rank, thread};
pub(super) use action::kill;
use state::{Action, DEFAULT, IGNORE, LAST, bit};
pub(super) use state::{Cause, Set, Signals};

/// Signals that are ignored by default.
const HARMLESS: [c_int; 4] = [libc::SIGCHLD, libc::SIGURG, libc::SIGWINCH, libc::SIGCONT];
/// Signals that stop the process by default.
const STOPPING: [c_int; 4] = [libc::SIGSTOP, libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU];

/// The result of [`attend_in_wait`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handled {
    /// No handler has run.
    Nothing,
    /// Only handlers have run after which system calls are restarted.
    Restarting,
    /// A handler installed without `SA_RESTART` has run.
    Interrupting,
}

/// Returns the calling rank.
fn rank<'a>() -> &'a Rank {
    Rank::current().unwrap_or_else(|| std::process::abort())
}

/// Sends a signal to the rank. Returns true if a handler has run.
pub(super) fn send(rank: &Rank, cause: Cause) -> bool {
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
            thread::wake_for_signal(signals.key());
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
pub(super) fn send_abort(rank: &Rank) {
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
fn call(
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
fn release(rank: &Rank) -> bool {
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
fn take(rank: &Rank, signal: c_int) -> Cause {
    let pending = &rank.signals.pending;
    pending.set(pending.get() & !bit(signal));
    rank.signals.causes.borrow()[(signal - 1) as usize]
}

/// Sends the signals of timers that have expired. Returns true if a handler has run. Called where
/// the program may be interrupted.
pub fn attend() -> bool {
    Rank::current().is_some_and(|rank| timer::send_due(rank) | release(rank))
}

/// Like [`attend`], in a system call that a handler may interrupt.
pub(super) fn attend_in_wait(rank: &Rank) -> Handled {
    rank.signals.interrupting.set(false);
    match (timer::send_due(rank) | release(rank), rank.signals.interrupting.get()) {
        (false, _) => Handled::Nothing,
        (true, false) => Handled::Restarting,
        (true, true) => Handled::Interrupting,
    }
}

/// Returns the time until the next timer of the rank expires; `None` if none is running.
pub(super) fn time_to_next(rank: &Rank) -> Option<Duration> {
    timer::left(rank)
}

/// Runs a function with another signal mask for the calling thread, if the program passes one.
pub(super) fn with_mask<T>(mask: *const Set, body: impl FnOnce() -> T) -> T {
    // SAFETY: the program passes a set or null.
    match unsafe { mask.as_ref() } {
        Some(mask) => mask::with(*mask, body),
        None => body(),
    }
}

/// Like [`attend`], but only if timers of the rank are running.
pub(super) fn attend_if_timed(rank: &Rank) -> bool {
    rank.signals.due.get().is_some() && timer::send_due(rank)
}

/// Returns the time at which the next timer of the rank expires; `None` if none is running.
pub(super) fn next(rank: &Rank) -> Option<Duration> {
    rank.signals.due.get()
}

/// Returns the time at which the next timer of the running rank expires; `None` if none is running.
pub fn next_timer() -> Option<Duration> {
    Rank::current().and_then(next)
}

/// Sets `errno` and returns -1.
fn fails(error: c_int) -> c_int {
    // SAFETY: `errno` is the thread's own variable.
    unsafe { *libc::__errno_location() = error };
    -1
}

pub(super) fn replacements() -> Vec<Replacement> {
    let tables =
        [action::replacements, jump::replacements, mask::replacements, timer::replacements];
    tables.iter().flat_map(|table| table()).collect()
}

/// Returns the functions that may wait and therefore need the place of their caller.
pub(crate) fn waiting() -> Vec<Replacement> {
    mask::waiting()
}
