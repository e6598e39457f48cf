//! Copies of descriptors: `dup` and related functions, and files whose name means a descriptor.
#![allow(unsafe_code, reason = "calls the system for programs")]

use std::ffi::{CStr, c_char, c_int, c_void};

use super::{
    descriptor::{Target, adopt, descriptors, forget, is_own, moved, of_process},
    system,
};
use crate::{
    libc::{errno::fails, rank::Rank, system as shared},
    replacement::Replacement,
};

unsafe extern "C" {
    fn vasprintf(text: *mut *mut c_char, format: *const c_char, list: *mut c_void) -> c_int;
}

/// Returns the rank's descriptor 0, 1 or 2 that a path means, if it means one.
pub(super) fn named(path: *const c_char) -> Option<c_int> {
    // SAFETY: the program passes a C string or null.
    let path = (!path.is_null()).then(|| unsafe { CStr::from_ptr(path) }.to_bytes())?;
    let rest = path.strip_prefix(b"/dev/").or_else(|| path.strip_prefix(b"/proc/self/"))?;
    match rest {
        b"stdin" | b"fd/0" => Some(0),
        b"stdout" | b"fd/1" => Some(1),
        b"stderr" | b"fd/2" => Some(2),
        _ => None,
    }
}

/// Duplicates the target of one of the rank's descriptors to a process descriptor of at least
/// `least`.
fn copy(rank: &Rank, descriptor: c_int, least: c_int) -> c_int {
    // SAFETY: a system call with integer arguments only.
    let copy =
        unsafe { libc::fcntl(of_process(rank, descriptor), libc::F_DUPFD_CLOEXEC, least.max(3)) };
    adopt(copy);
    copy
}

/// Returns the target of a copy that becomes descriptor 0, 1 or 2; closed if the system refuses it.
fn copied_target(rank: &Rank, descriptor: c_int) -> Target {
    match descriptors(rank).target(descriptor) {
        Target::File(_) => match copy(rank, descriptor, 3) {
            -1 => Target::Closed,
            file => Target::File(file),
        },
        target => target,
    }
}

/// Copies a descriptor to the lowest free number from `least` on.
pub(super) fn duplicate(rank: &Rank, descriptor: c_int, least: c_int) -> c_int {
    if descriptors(rank).is_closed(descriptor) {
        return fails(libc::EBADF);
    }
    if let Some(free) = descriptors(rank).lowest_closed().filter(|free| *free >= least) {
        let target = copied_target(rank, descriptor);
        if target == Target::Closed {
            return -1;
        }
        descriptors(rank).lead(free, target);
        moved(rank, free);
        return free;
    }
    let copy = copy(rank, descriptor, least);
    if let (Target::Standard(stream), true) = (descriptors(rank).target(descriptor), copy >= 0) {
        descriptors(rank).add_copy(copy, stream);
    }
    copy
}

extern "C" fn dup(descriptor: c_int) -> c_int {
    match Rank::current() {
        Some(rank) => duplicate(rank, descriptor, 0),
        // SAFETY: the arguments are passed on unchanged.
        None => unsafe { libc::dup(descriptor) },
    }
}

extern "C" fn dup2(descriptor: c_int, to: c_int) -> c_int {
    let Some(rank) = Rank::current() else {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::dup2(descriptor, to) };
    };
    // SAFETY: a system call with integer arguments only.
    let known = unsafe { libc::fcntl(of_process(rank, descriptor), libc::F_GETFD) } >= 0;
    if !known || to < 0 {
        return fails(libc::EBADF);
    }
    if descriptor == to {
        return to;
    }
    if to < 3 {
        let target = copied_target(rank, descriptor);
        if target == Target::Closed {
            return -1;
        }
        system::close(to);
        descriptors(rank).lead(to, target);
        moved(rank, to);
        return to;
    }
    // SAFETY: as above.
    let taken = unsafe { libc::fcntl(to, libc::F_GETFD) } >= 0;
    if taken && !is_own(rank, to) {
        return fails(libc::EBADF);
    }
    descriptors(rank).remove_copy(to);
    forget(to);
    // SAFETY: the number is free or belongs to the rank.
    let copy = unsafe { libc::dup2(of_process(rank, descriptor), to) };
    adopt(copy);
    if let (Target::Standard(stream), true) = (descriptors(rank).target(descriptor), copy >= 0) {
        descriptors(rank).add_copy(copy, stream);
    }
    copy
}

extern "C" fn dup3(descriptor: c_int, to: c_int, _flags: c_int) -> c_int {
    if descriptor == to { fails(libc::EINVAL) } else { dup2(descriptor, to) }
}

extern "C" fn fcntl(descriptor: c_int, command: c_int, argument: usize) -> c_int {
    let Some(rank) = Rank::current() else {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::fcntl(descriptor, command, argument) };
    };
    match (command, descriptors(rank).target(descriptor)) {
        (_, Target::Closed) => fails(libc::EBADF),
        (libc::F_DUPFD | libc::F_DUPFD_CLOEXEC, _) => {
            duplicate(rank, descriptor, argument as c_int)
        }
        // The terminal or the file behind it is shared with the simulator.
        (libc::F_SETFL | libc::F_SETFD, Target::Standard(_)) => 0,
        (command, _) if shared::is_lock(command) => {
            shared::lock("fcntl", of_process(rank, descriptor), command, argument as *mut _)
        }
        // SAFETY: the arguments are passed on with the process's descriptor.
        _ => unsafe { libc::fcntl(of_process(rank, descriptor), command, argument) },
    }
}

pub(in crate::libc) extern "C" fn vdprintf(
    descriptor: c_int,
    format: *const c_char,
    list: *mut c_void,
) -> c_int {
    let mut text = std::ptr::null_mut();
    // SAFETY: the program passes a format and matching arguments; the text is ours to free.
    unsafe {
        let length = vasprintf(&raw mut text, format, list);
        if length < 0 {
            return length;
        }
        let written = system::write(descriptor, text.cast_const().cast(), length as usize);
        libc::free(text.cast());
        if written < 0 { -1 } else { length }
    }
}

/// Implements `__vdprintf_chk`, which code compiled with checks calls.
pub(in crate::libc) unsafe extern "C" fn vdprintf_checked(
    descriptor: c_int,
    _level: c_int,
    format: *const c_char,
    list: *mut c_void,
) -> c_int {
    vdprintf(descriptor, format, list)
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("dup", dup as *const () as usize),
        ("dup2", dup2 as *const () as usize),
        ("dup3", dup3 as *const () as usize),
        ("fcntl", fcntl as *const () as usize),
        ("fcntl64", fcntl as *const () as usize),
        ("vdprintf", vdprintf as *const () as usize),
        ("__vdprintf_chk", vdprintf_checked as *const () as usize),
    ]
}
