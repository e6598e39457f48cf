//! File locks (`flock`, `lockf` and `fcntl`) that do not block other ranks.
#![allow(unsafe_code, reason = "is called by programs and calls the system")]

use std::ffi::{c_int, c_short};

use super::wait::{EndedBy, until_answered};
use crate::{libc::errno::fails, replacement::Replacement};

extern "C-unwind" fn flock(file: c_int, operation: c_int) -> c_int {
    // SAFETY: the arguments are passed on unchanged, but never block.
    let attempt = |operation| unsafe { libc::flock(file, operation | libc::LOCK_NB) };
    if operation & (libc::LOCK_NB | libc::LOCK_UN) != 0 {
        return attempt(operation);
    }
    let how = ("flock", EndedBy::NotRestarting);
    until_answered(how, &[libc::EWOULDBLOCK], || attempt(operation))
}

/// Turns the locks of a process into those of an open file description: ranks are one process, but
/// each has opened the file for itself.
pub(in crate::libc) fn lock(
    call: &str,
    file: c_int,
    command: c_int,
    place: *mut libc::flock,
) -> c_int {
    if place.is_null() {
        return fails(libc::EFAULT);
    }
    let ask = |command| {
        // SAFETY: the program passes a structure; a lock of an open file description has no
        // process.
        unsafe {
            (*place).l_pid = 0;
            libc::fcntl(file, command, place)
        }
    };
    match command {
        libc::F_GETLK | libc::F_OFD_GETLK => ask(libc::F_OFD_GETLK),
        libc::F_SETLK | libc::F_OFD_SETLK => ask(libc::F_OFD_SETLK),
        _ => {
            let blocking = [libc::EAGAIN, libc::EACCES];
            until_answered((call, EndedBy::NotRestarting), &blocking, || ask(libc::F_OFD_SETLK))
        }
    }
}

/// Reports whether a command of `fcntl` concerns locks.
pub(in crate::libc) fn is_lock(command: c_int) -> bool {
    matches!(
        command,
        libc::F_GETLK
            | libc::F_SETLK
            | libc::F_SETLKW
            | libc::F_OFD_GETLK
            | libc::F_OFD_SETLK
            | libc::F_OFD_SETLKW
    )
}

extern "C-unwind" fn lockf(file: c_int, command: c_int, length: libc::off_t) -> c_int {
    let (kind, how) = match command {
        libc::F_LOCK => (libc::F_WRLCK, libc::F_SETLKW),
        libc::F_TLOCK => (libc::F_WRLCK, libc::F_SETLK),
        libc::F_ULOCK => (libc::F_UNLCK, libc::F_SETLK),
        libc::F_TEST => (libc::F_WRLCK, libc::F_GETLK),
        _ => return fails(libc::EINVAL),
    };
    let mut place = libc::flock {
        l_type: kind as c_short,
        l_whence: libc::SEEK_CUR as c_short,
        l_start: 0,
        l_len: length,
        l_pid: 0,
    };
    let answer = lock("lockf", file, how, &raw mut place);
    let free = place.l_type == libc::F_UNLCK as c_short;
    if command == libc::F_TEST && answer == 0 && !free { fails(libc::EACCES) } else { answer }
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("flock", flock as *const () as usize),
        ("lockf", lockf as *const () as usize),
        ("lockf64", lockf as *const () as usize),
    ]
}
