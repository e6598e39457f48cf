//! The system's random numbers for Rust processes: the same in every run with the same seed.
//!
//! The linker resolves the standard library's `getrandom` to the function here instead of that of
//! the C library. The standard library draws the keys of its hash tables from it; with real
//! randomness their iteration order would differ from run to run.
#![allow(unsafe_code, reason = "takes the place of a function of the C library")]

use std::{cell::Cell, ffi::c_uint, slice};

use super::running::running;

thread_local! {
    static STATE: Cell<u64> = const { Cell::new(0) };
}

/// Returns the next number on this thread: one step of SplitMix64 (Steele, Lea and Flood 2014).
fn next() -> u64 {
    let state = STATE.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
    STATE.set(state);
    mixed(state)
}

/// Returns the SplitMix64 output for a state; 0 stays 0.
fn mixed(state: u64) -> u64 {
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Begins a simulation: its processes draw the same numbers as in every simulation with this seed.
/// The states of different seeds are spread far apart, so that the stream of one seed is not a
/// shifted copy of the stream of the next.
pub(super) fn begin(seed: u64) {
    STATE.set(mixed(seed));
}

/// Reports whether a process of a simulation is running on this thread.
#[allow(unsafe_code, reason = "reads the simulation that runs on this thread")]
fn is_simulated() -> bool {
    // SAFETY: `Entered` keeps it alive while the pointer is set, on this thread alone.
    running().is_some_and(|running| unsafe { running.as_ref() }.process.get().is_some())
}

/// Replaces `getrandom` of the C library. Requests for keys of hash tables, which need no secret
/// (`GRND_INSECURE`), get the same answer on every thread: the standard library keeps the keys it
/// drew first, possibly before the simulation began.
///
/// # Safety
/// There is room for `length` bytes at `place`.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn getrandom(place: *mut u8, length: usize, flags: c_uint) -> isize {
    let keys = flags & libc::GRND_INSECURE != 0;
    if !keys && !is_simulated() {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::syscall(libc::SYS_getrandom, place, length, flags) } as isize;
    }
    // SAFETY: guaranteed by the caller.
    let bytes = unsafe { slice::from_raw_parts_mut(place, length) };
    for (at, part) in bytes.chunks_mut(8).enumerate() {
        let word = if keys { 0x51a7_e5ee_d000 + at as u64 } else { next() };
        part.copy_from_slice(&word.to_le_bytes()[..part.len()]);
    }
    length as isize
}

/// Makes the linker include this file, which nothing refers to by name.
#[used]
static KEPT: unsafe extern "C" fn(*mut u8, usize, c_uint) -> isize = getrandom;
