//! What cannot work when all ranks share a process and a thread.
#![allow(unsafe_code, reason = "is called by programs")]

use std::ffi::c_int;

use super::{Replacement, ending::Ending, process, rank::Rank};

fn refuse(what: &str) -> ! {
    let rank = Rank::current().unwrap_or_else(|| std::process::abort());
    process::finish(rank, Ending::Refused(format!("{what}, which a simulated rank cannot do")))
}

extern "C" fn new_thread() -> c_int {
    refuse("it starts a thread (pthread_create)")
}

extern "C" fn new_thread_c11() -> c_int {
    refuse("it starts a thread (thrd_create)")
}

extern "C" fn new_thread_cxx() -> c_int {
    refuse("it starts a thread (std::thread, std::jthread or std::async)")
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
    // How libstdc++ starts a thread, for programs of today and for those before C++11's strings.
    let cxx = [
        "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
        "_ZNSt6thread15_M_start_threadESt10shared_ptrINS_10_Impl_baseEEPFvvE",
        "_ZNSt6thread15_M_start_threadESt10shared_ptrINS_10_Impl_baseEE",
    ];
    let mut all = vec![
        ("pthread_create", new_thread as *const () as usize),
        ("thrd_create", new_thread_c11 as *const () as usize),
        ("fork", fork as *const () as usize),
        ("vfork", fork as *const () as usize),
        ("daemon", leave_terminal as *const () as usize),
    ];
    all.extend(cxx.map(|name| (name, new_thread_cxx as *const () as usize)));
    all.extend(exec.map(|name| (name, replace as *const () as usize)));
    all
}
