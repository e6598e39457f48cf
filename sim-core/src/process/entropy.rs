//! Randomness of the system for processes of Rust: the same in every run with the same seed.
//!
//! Rust's standard library finds this function instead of that of the C library, when the program is
//! linked. It asks for the keys of its hash tables, whose order would differ from run to run otherwise.
#![allow(unsafe_code, reason = "takes the place of a function of the C library")]

use std::{cell::Cell, ffi::c_uint, slice};

use super::running::running;

thread_local! {
    static STATE: Cell<u64> = const { Cell::new(0) };
}

/// The next number on this thread: a step of SplitMix64 (Steele, Lea and Flood 2014).
fn next() -> u64 {
    let state = STATE.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
    STATE.set(state);
    mixed(state)
}

/// What SplitMix64 makes of a state. 0 stays 0.
fn mixed(state: u64) -> u64 {
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A simulation begins: its processes draw what those of every simulation with this seed draw. Seeds lie
/// far from each other, so that one does not draw with a seed what another draws a little later with the
/// one before.
pub(super) fn begin(seed: u64) {
    STATE.set(mixed(seed));
}

/// Whether a process of a simulation asks.
#[allow(unsafe_code, reason = "reads the simulation that runs on this thread")]
fn is_simulated() -> bool {
    // SAFETY: `Entered` keeps it alive while the pointer is set, on this thread alone.
    running().is_some_and(|running| unsafe { running.as_ref() }.process.get().is_some())
}

/// `getrandom` of the C library. Keys of hash tables, which need no secret (`GRND_INSECURE`), are the
/// same on every thread: the standard library keeps those it drew first, which may have been before the
/// simulation began.
///
/// # Safety
/// There is room for `length` bytes at `place`.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn getrandom(place: *mut u8, length: usize, flags: c_uint) -> isize {
    let keys = flags & libc::GRND_INSECURE != 0;
    if !keys && !is_simulated() {
        // SAFETY: handed on as it came.
        return unsafe { libc::syscall(libc::SYS_getrandom, place, length, flags) } as isize;
    }
    // SAFETY: the caller's.
    let bytes = unsafe { slice::from_raw_parts_mut(place, length) };
    for (at, part) in bytes.chunks_mut(8).enumerate() {
        let word = if keys { 0x51a7_e5ee_d000 + at as u64 } else { next() };
        part.copy_from_slice(&word.to_le_bytes()[..part.len()]);
    }
    length as isize
}

/// Has the linker take this file, which nobody calls by name.
#[used]
static KEPT: unsafe extern "C" fn(*mut u8, usize, c_uint) -> isize = getrandom;
