//! Redirects `std::process::exit`: a rank that is a Rust function ends alone, as a process does.
//!
//! The function is replaced in memory, by a jump at its beginning. To replace the C library's `exit`,
//! which it calls, would not do: before that call the standard library records that the process is
//! exiting, and aborts it at the second time. A program that was linked with whole-program
//! optimisation may contain copies of the function, which end the process as usual.
#![allow(unsafe_code, reason = "replaces a function of the standard library")]

use std::{
    process, ptr,
    sync::{Mutex, PoisonError},
};

use mpi_api::api::ending::exit_rank;

/// `mov r11, address; jmp r11`.
const JUMP: usize = 13;

/// The instructions that the jump has replaced, while it is in place.
static REPLACED: Mutex<Option<[u8; JUMP]>> = Mutex::new(None);

/// Sets whether `std::process::exit` ends only the rank that calls it. Otherwise it ends the process,
/// as in executions that have a process of their own, and in tests, whose harness must notice. Has no
/// effect on machines other than x86-64, and where the system does not let code be changed.
pub fn end_ranks_alone(alone: bool) {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let mut replaced = REPLACED.lock().unwrap_or_else(PoisonError::into_inner);
    match (*replaced, alone) {
        (None, true) => {
            let mut jump = [0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xe3];
            let target: fn(i32) -> ! = end;
            jump[2..10].copy_from_slice(&(target as usize).to_le_bytes());
            *replaced = exchange(jump);
        }
        (Some(original), false) => {
            exchange(original);
            *replaced = None;
        }
        (None, false) | (Some(_), true) => {}
    }
}

/// Ends the calling rank, or the process if no rank is running.
fn end(code: i32) -> ! {
    exit_rank(code);
    end_ranks_alone(false);
    process::exit(code)
}

/// Replaces the first instructions of `std::process::exit` and returns the previous ones; `None` if
/// the system does not allow it.
fn exchange(code: [u8; JUMP]) -> Option<[u8; JUMP]> {
    let function: fn(i32) -> ! = process::exit;
    let place = function as usize;
    // SAFETY: asks for a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let start = place - place % page;
    let length = (place + JUMP).next_multiple_of(page) - start;
    let protect = |access| {
        // SAFETY: the pages hold code of this executable, which stays executable.
        unsafe { libc::mprotect(start as *mut libc::c_void, length, access) == 0 }
    };
    if !protect(libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC) {
        return None;
    }
    // SAFETY: the function is longer than a jump, for it calls two others and does not return. No
    // thread runs it: it is called by ranks, on this thread, and would end the process elsewhere.
    let before = unsafe { ptr::replace(place as *mut [u8; JUMP], code) };
    protect(libc::PROT_READ | libc::PROT_EXEC);
    Some(before)
}
