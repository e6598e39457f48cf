//! Functions that cannot work when all ranks share a process.
#![allow(unsafe_code, reason = "is called by programs")]

use std::ffi::c_int;

use super::{ending::Ending, process::note_place, rank::Rank};
use crate::replacement::Replacement;

/// What starts other programs instead.
const STARTERS: &str = "; posix_spawn, popen and system start other programs";

/// Ends the program at its call of a function. Must be called first.
fn refuse(what: &str, instead: &str) -> ! {
    note_place();
    let text = format!("{what}, which a simulated rank cannot do{instead}");
    Rank::running().finish(Ending::Refused(text))
}

extern "C" fn fork() -> c_int {
    refuse("it starts a process (fork)", STARTERS)
}

extern "C" fn replace() -> c_int {
    refuse("it replaces itself by another program (exec)", STARTERS)
}

extern "C" fn leave_terminal() -> c_int {
    refuse("it leaves its terminal (daemon)", "")
}

/// Returns the functions: findings show where the program has called them.
pub(super) fn waiting() -> Vec<Replacement> {
    let exec = ["execv", "execve", "execvp", "execvpe", "execl", "execlp", "execle", "fexecve"];
    let mut all = vec![
        ("fork", fork as *const () as usize),
        ("vfork", fork as *const () as usize),
        ("daemon", leave_terminal as *const () as usize),
    ];
    all.extend(exec.map(|name| (name, replace as *const () as usize)));
    all
}
