//! Signals: a rank may raise one and so end, but has no handlers of its own.
#![allow(unsafe_code, reason = "is called by programs")]

use std::ffi::c_int;

use super::{Replacement, ending::Ending, process, rank::Rank};

/// Signals that are ignored unless a process says otherwise.
const HARMLESS: [c_int; 5] =
    [libc::SIGCHLD, libc::SIGURG, libc::SIGWINCH, libc::SIGCONT, libc::SIGPIPE];

extern "C" fn raise(signal: c_int) -> c_int {
    let Some(rank) = Rank::current() else { std::process::abort() };
    if signal > 0 && !HARMLESS.contains(&signal) {
        process::finish(rank, Ending::Signalled(signal));
    }
    0
}

extern "C" fn kill(_process: c_int, signal: c_int) -> c_int {
    raise(signal)
}

/// Installing a handler succeeds and does nothing: the handlers of the simulator stay.
extern "C" fn install(_signal: c_int, _handler: usize) -> usize {
    libc::SIG_DFL
}

extern "C" fn install_action(_signal: c_int, _action: usize, old: *mut libc::sigaction) -> c_int {
    if !old.is_null() {
        // SAFETY: the program passes a structure or null; all zero is the default action.
        unsafe { old.write_bytes(0, 1) };
    }
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("raise", raise as *const () as usize),
        ("kill", kill as *const () as usize),
        ("signal", install as *const () as usize),
        ("sigaction", install_action as *const () as usize),
    ]
}
