//! Functions that cannot work when all ranks share a process.
#![allow(unsafe_code, reason = "is called by programs")]

use std::ffi::c_int;

use super::{ending::Ending, rank::Rank};
use crate::replacement::Replacement;

fn refuse(what: &str) -> ! {
    let rank = Rank::running();
    rank.finish(Ending::Refused(format!("{what}, which a simulated rank cannot do")))
}

extern "C" fn fork() -> c_int {
    refuse("it starts a process (fork)")
}

extern "C" fn replace() -> c_int {
    refuse("it replaces itself by another program (exec)")
}

extern "C" fn leave_terminal() -> c_int {
    refuse("it leaves its terminal (daemon)")
}

pub(super) fn replacements() -> Vec<Replacement> {
    let exec = ["execv", "execve", "execvp", "execvpe", "execl", "execlp", "execle", "fexecve"];
    let mut all = vec![
        ("fork", fork as *const () as usize),
        ("vfork", fork as *const () as usize),
        ("daemon", leave_terminal as *const () as usize),
    ];
    all.extend(exec.map(|name| (name, replace as *const () as usize)));
    all
}
