//! Signal actions of a program, and functions that send signals.
#![allow(unsafe_code, reason = "is called by programs")]

use std::ffi::c_int;

use super::{
    super::{errno::fails, rank::Rank, string, thread::caller::find},
    send::{release, send},
    state::{Action, Cause, IGNORE, Set, bit, is_signal},
};
use crate::replacement::Replacement;

/// The handler value `SIG_HOLD` of System V.
const HOLD: usize = 2;

/// Reports whether the program may change the action of a signal.
fn is_free(signal: c_int) -> bool {
    is_signal(signal) && signal != libc::SIGKILL && signal != libc::SIGSTOP
}

/// Sets the handler of a signal; returns the previous one, or `SIG_ERR`.
fn install(signal: c_int, handler: usize, flags: c_int) -> usize {
    if !is_free(signal) || handler == libc::SIG_ERR {
        fails(libc::EINVAL);
        return libc::SIG_ERR;
    }
    let action = Action { handler, flags, mask: 0 };
    Rank::running().signals.own_action(signal).replace(action).handler
}

/// Implements `signal` with the semantics of BSD and glibc.
extern "C" fn signal(signal: c_int, handler: usize) -> usize {
    install(signal, handler, libc::SA_RESTART)
}

/// Implements `sysv_signal`: the handler runs once, and the signal is not blocked meanwhile.
extern "C" fn once(signal: c_int, handler: usize) -> usize {
    install(signal, handler, libc::SA_RESETHAND | libc::SA_NODEFER)
}

extern "C-unwind" fn sigset(signal: c_int, handler: usize) -> usize {
    if !is_free(signal) || handler == libc::SIG_ERR {
        fails(libc::EINVAL);
        return libc::SIG_ERR;
    }
    let rank = Rank::running();
    let blocked = &rank.threads.present().blocked;
    let before = blocked.get();
    let held = before & bit(signal) != 0;
    let action = rank.signals.own_action(signal);
    let known = action.get().handler;
    if handler == HOLD {
        blocked.set(before | bit(signal));
    } else {
        action.set(Action { handler, flags: 0, mask: 0 });
        blocked.set(before & !bit(signal));
        release(rank);
    }
    if held { HOLD } else { known }
}

extern "C" fn sigignore(signal: c_int) -> c_int {
    if install(signal, IGNORE, 0) == libc::SIG_ERR { -1 } else { 0 }
}

/// Implements `siginterrupt`: sets whether a signal interrupts system calls or they are restarted.
extern "C" fn siginterrupt(signal: c_int, interrupt: c_int) -> c_int {
    if !is_free(signal) {
        return fails(libc::EINVAL);
    }
    let action = Rank::running().signals.own_action(signal);
    let Action { flags, .. } = action.get();
    let flags = if interrupt == 0 { flags | libc::SA_RESTART } else { flags & !libc::SA_RESTART };
    action.set(Action { flags, ..action.get() });
    0
}

unsafe extern "C" fn sigaction(
    signal: c_int,
    new: *const libc::sigaction,
    old: *mut libc::sigaction,
) -> c_int {
    // SAFETY: the program passes a structure or null.
    let new = unsafe { new.as_ref() };
    if !is_signal(signal) || (new.is_some() && !is_free(signal)) {
        return fails(libc::EINVAL);
    }
    let action = Rank::running().signals.own_action(signal);
    let before = action.get();
    if let Some(new) = new {
        // SAFETY: a signal set has at least one word.
        let mask = unsafe { (&raw const new.sa_mask).cast::<Set>().read() };
        action.set(Action { handler: new.sa_sigaction, flags: new.sa_flags, mask });
    }
    if !old.is_null() {
        // SAFETY: the program passes a structure, for which all zeros are valid.
        unsafe {
            old.write_bytes(0, 1);
            (*old).sa_sigaction = before.handler;
            (*old).sa_flags = before.flags;
            (&raw mut (*old).sa_mask).cast::<Set>().write(before.mask);
        }
    }
    0
}

/// Sends a signal to the rank itself.
fn send_own(cause: Cause) -> c_int {
    if cause.signal == 0 {
        return 0;
    }
    if !is_signal(cause.signal) {
        return fails(libc::EINVAL);
    }
    send(Rank::running(), cause);
    0
}

extern "C-unwind" fn raise(signal: c_int) -> c_int {
    if signal == 0 { fails(libc::EINVAL) } else { send_own(Cause::user(signal)) }
}

/// Implements `kill`. Other processes are out of reach, because they usually belong to other nodes.
pub(in crate::libc) extern "C-unwind" fn kill(process: c_int, signal: c_int) -> c_int {
    let own = string::process_of(Rank::running());
    if [own, 0, -own].contains(&process) {
        return send_own(Cause::user(signal));
    }
    fails(libc::ESRCH)
}

extern "C-unwind" fn killpg(group: c_int, signal: c_int) -> c_int {
    if group < 0 { fails(libc::EINVAL) } else { kill(-group, signal) }
}

extern "C-unwind" fn sigqueue(process: c_int, signal: c_int, value: usize) -> c_int {
    if process != string::process_of(Rank::running()) {
        return fails(libc::ESRCH);
    }
    send_own(Cause { signal, code: libc::SI_QUEUE, value })
}

/// Implements `pthread_kill`: a signal to a thread is sent to its process.
extern "C-unwind" fn pthread_kill(handle: usize, signal: c_int) -> c_int {
    pthread_sigqueue(handle, signal, 0)
}

extern "C-unwind" fn pthread_sigqueue(handle: usize, signal: c_int, value: usize) -> c_int {
    if find(handle).is_none() {
        return libc::ESRCH;
    }
    if signal != 0 && !is_signal(signal) {
        return libc::EINVAL;
    }
    send_own(Cause { signal, code: libc::SI_TKILL, value })
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("raise", raise as *const () as usize),
        ("gsignal", raise as *const () as usize),
        ("kill", kill as *const () as usize),
        ("killpg", killpg as *const () as usize),
        ("sigqueue", sigqueue as *const () as usize),
        ("pthread_kill", pthread_kill as *const () as usize),
        ("pthread_sigqueue", pthread_sigqueue as *const () as usize),
        ("signal", signal as *const () as usize),
        ("bsd_signal", signal as *const () as usize),
        ("ssignal", signal as *const () as usize),
        ("sysv_signal", once as *const () as usize),
        ("__sysv_signal", once as *const () as usize),
        ("sigset", sigset as *const () as usize),
        ("sigignore", sigignore as *const () as usize),
        ("siginterrupt", siginterrupt as *const () as usize),
        ("sigaction", sigaction as *const () as usize),
        ("__sigaction", sigaction as *const () as usize),
    ]
}
