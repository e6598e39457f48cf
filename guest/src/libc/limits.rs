//! Resource limits: those set by a rank are recorded for it, and not applied to the simulator.
#![allow(unsafe_code, reason = "reads and writes structures of programs")]

use std::{cell::RefCell, collections::BTreeMap, ffi::c_int};

use super::{errno::fails, rank::Rank, string::process_of};
use crate::replacement::Replacement;

/// Limits set by a rank, by resource.
pub(crate) type Limits = RefCell<BTreeMap<c_int, libc::rlimit>>;

/// Returns the limit that a rank sees.
fn present(rank: &Rank, resource: c_int) -> Result<libc::rlimit, c_int> {
    if let Some(own) = rank.state::<Limits>().borrow().get(&resource) {
        return Ok(*own);
    }
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours; invalid resources are rejected.
    match unsafe { libc::getrlimit(resource as libc::__rlimit_resource_t, &raw mut limit) } {
        0 => Ok(limit),
        _ => Err(fails(libc::EINVAL)),
    }
}

/// Smallest stack of a rank, in bytes: functions of MPI that find the line of a call run on it.
const STACK_LEAST: usize = 256 << 10;

/// Returns the stack size of a rank in bytes. A size that the user asked for is taken, but for very
/// small ones. Any other is raised to the limit that the system sets for a process (`ulimit -s`), kept
/// between 8 MiB and 64 MiB, because Fortran programs place whole arrays on the stack. Untouched pages
/// take no memory, except for page tables: 4 KiB a rank, where stacks are larger than 2 MiB.
pub fn stack_bytes(given: usize, is_asked: bool) -> usize {
    const RANGE: (usize, usize) = (8 << 20, 64 << 20);
    if is_asked {
        return given.max(STACK_LEAST);
    }
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours.
    unsafe { libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) };
    usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX).clamp(RANGE.0, RANGE.1).max(given)
}

unsafe extern "C" fn getrlimit(resource: c_int, place: *mut libc::rlimit) -> c_int {
    match present(Rank::running(), resource) {
        // SAFETY: the program passes a structure.
        Ok(limit) => unsafe {
            place.write(limit);
            0
        },
        Err(code) => code,
    }
}

unsafe extern "C" fn setrlimit(resource: c_int, limit: *const libc::rlimit) -> c_int {
    // SAFETY: the program passes a structure.
    let wanted = unsafe { limit.read() };
    // SAFETY: a system call without arguments.
    let privileged = unsafe { libc::geteuid() } == 0;
    match present(Rank::running(), resource) {
        Err(code) => code,
        Ok(_) if wanted.rlim_cur > wanted.rlim_max => fails(libc::EINVAL),
        Ok(now) if wanted.rlim_max > now.rlim_max && !privileged => fails(libc::EPERM),
        Ok(_) => {
            Rank::running().state::<Limits>().borrow_mut().insert(resource, wanted);
            0
        }
    }
}

unsafe extern "C" fn prlimit(
    process: libc::pid_t,
    resource: c_int,
    new: *const libc::rlimit,
    old: *mut libc::rlimit,
) -> c_int {
    if process != 0 && process != process_of(Rank::running()) {
        return fails(libc::EPERM);
    }
    // SAFETY: the program vouches for the arguments, which are passed on.
    if !old.is_null() && unsafe { getrlimit(resource, old) } != 0 {
        return -1;
    }
    // SAFETY: the program vouches for the arguments, which are passed on.
    if new.is_null() { 0 } else { unsafe { setrlimit(resource, new) } }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("getrlimit", getrlimit as *const () as usize),
        ("getrlimit64", getrlimit as *const () as usize),
        ("setrlimit", setrlimit as *const () as usize),
        ("setrlimit64", setrlimit as *const () as usize),
        ("prlimit", prlimit as *const () as usize),
        ("prlimit64", prlimit as *const () as usize),
    ]
}
