//! Random numbers of the system: different for each rank, and the same in every run with the same
//! seed.
#![allow(unsafe_code, reason = "writes to the memory of programs")]

use std::{
    cell::Cell,
    ffi::{c_int, c_uint, c_void},
};

use super::rank::Rank;
use crate::replacement::Replacement;

/// The state increment of SplitMix64 (Steele, Lea and Flood 2014).
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The state of a rank's generator, once it has been used.
#[derive(Default)]
struct State(Cell<Option<u64>>);

/// Returns the SplitMix64 output for a state. 0 maps to 0.
fn mixed(state: u64) -> u64 {
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Returns the next number of the running rank.
pub(super) fn next() -> u64 {
    let Some(rank) = Rank::current() else { std::process::abort() };
    let State(kept) = rank.state();
    let before = kept.get().unwrap_or_else(|| begin(rank.number(), rank.host().seed()));
    let state = before.wrapping_add(STEP);
    kept.set(Some(state));
    mixed(state)
}

/// Returns the initial state of a rank. The seed is hashed, so that the numbers of a rank with one
/// seed are not those of another rank with the next seed.
fn begin(rank: u32, seed: u64) -> u64 {
    mixed(seed) ^ u64::from(rank) << 32
}

pub(super) unsafe extern "C" fn fill(place: *mut c_void, bytes: usize) {
    for start in (0..bytes).step_by(8) {
        let word = next().to_le_bytes();
        let length = (bytes - start).min(8);
        // SAFETY: the program passes room for that many bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(word.as_ptr(), place.cast::<u8>().add(start), length);
        }
    }
}

pub(super) unsafe extern "C" fn getrandom(
    place: *mut c_void,
    bytes: usize,
    _flags: c_uint,
) -> isize {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { fill(place, bytes) };
    bytes as isize
}

unsafe extern "C" fn getentropy(place: *mut c_void, bytes: usize) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { fill(place, bytes) };
    0
}

extern "C" fn arc4random() -> u32 {
    next() as u32
}

extern "C" fn arc4random_uniform(bound: u32) -> u32 {
    ((u64::from(arc4random()) * u64::from(bound)) >> 32) as u32
}

/// Implements the constructor of `std::random_device` of libstdc++; the token that selects a source
/// is ignored.
extern "C" fn begin_device(_device: usize, _token: usize, _length: usize) {}

extern "C" fn end_device(_device: usize) {}

extern "C" fn device_number(_device: usize) -> u32 {
    next() as u32
}

/// Returns the bits of entropy per number that libstdc++ reports for hardware sources.
extern "C" fn device_bits(_device: usize) -> f64 {
    32.0
}

/// The functions of libstdc++ for `std::random_device`, by purpose.
const BEGIN_DEVICE: [&str; 5] = [
    "_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt13random_device7_M_initERKSs",
    "_ZNSt13random_device7_M_initEPKcm",
    "_ZNSt13random_device16_M_init_pretr1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt13random_device16_M_init_pretr1ERKSs",
];

pub(super) fn replacements() -> Vec<Replacement> {
    let mut all = vec![
        ("_ZNSt13random_device9_M_getvalEv", device_number as *const () as usize),
        ("_ZNSt13random_device17_M_getval_pretr1Ev", device_number as *const () as usize),
        ("_ZNSt13random_device7_M_finiEv", end_device as *const () as usize),
        ("_ZNKSt13random_device13_M_getentropyEv", device_bits as *const () as usize),
        ("getrandom", getrandom as *const () as usize),
        ("getentropy", getentropy as *const () as usize),
        ("arc4random", arc4random as *const () as usize),
        ("arc4random_buf", fill as *const () as usize),
        ("arc4random_uniform", arc4random_uniform as *const () as usize),
    ];
    all.extend(BEGIN_DEVICE.map(|name| (name, begin_device as *const () as usize)));
    all
}
