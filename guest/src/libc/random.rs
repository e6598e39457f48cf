//! Random numbers of libc, one sequence per rank, with exactly the numbers that glibc gives a
//! process.
#![allow(unsafe_code, reason = "calls the reentrant generators of libc")]

use std::{
    cell::UnsafeCell,
    ffi::{c_double, c_int, c_long, c_uint, c_ushort},
    ptr,
};

use super::rank::Rank;
use crate::replacement::Replacement;

#[repr(C)]
#[derive(Default)]
struct Additive([u64; 6]);

#[repr(C)]
#[derive(Default)]
struct Congruential([u64; 4]);

/// The random number generators of a rank.
#[derive(Default)]
pub(crate) struct Random {
    additive: Additive,
    state: [[u64; 8]; 2],
    seeded: bool,
    congruential: Congruential,
}

unsafe extern "C" {
    fn initstate_r(seed: c_uint, state: *mut u64, bytes: usize, data: *mut Additive) -> c_int;
    fn setstate_r(state: *mut u64, data: *mut Additive) -> c_int;
    fn srandom_r(seed: c_uint, data: *mut Additive) -> c_int;
    fn random_r(data: *mut Additive, result: *mut i32) -> c_int;
    fn drand48_r(data: *mut Congruential, result: *mut c_double) -> c_int;
    fn lrand48_r(data: *mut Congruential, result: *mut c_long) -> c_int;
    fn mrand48_r(data: *mut Congruential, result: *mut c_long) -> c_int;
    fn erand48_r(x: *mut c_ushort, data: *mut Congruential, result: *mut c_double) -> c_int;
    fn nrand48_r(x: *mut c_ushort, data: *mut Congruential, result: *mut c_long) -> c_int;
    fn jrand48_r(x: *mut c_ushort, data: *mut Congruential, result: *mut c_long) -> c_int;
    fn srand48_r(seed: c_long, data: *mut Congruential) -> c_int;
    fn seed48_r(seed: *mut c_ushort, data: *mut Congruential) -> c_int;
    fn lcong48_r(parameters: *mut c_ushort, data: *mut Congruential) -> c_int;
}

/// Returns the generators of the calling rank.
fn random<'a>() -> &'a mut Random {
    let rank = Rank::running();
    // SAFETY: there is one thread, and no two of the functions below are active at once.
    unsafe { &mut *rank.state::<UnsafeCell<Random>>().get() }
}

impl Random {
    /// Returns the generator of `random`, initialised with the rank's own state and seed 1 at first
    /// use.
    fn additive(&mut self) -> *mut Additive {
        let additive = &raw mut self.additive;
        if !self.seeded {
            self.seeded = true;
            let bytes = size_of_val(&self.state);
            // SAFETY: the state has the size given and lives as long as the generator.
            unsafe { initstate_r(1, self.state.as_mut_ptr().cast(), bytes, additive) };
        }
        additive
    }

    /// Seeds the current state.
    fn seed(&mut self, seed: c_uint) {
        // SAFETY: the generator has its state.
        unsafe { srandom_r(seed, self.additive()) };
    }

    fn next(&mut self) -> i32 {
        let mut result = 0;
        // SAFETY: the generator has its state.
        unsafe { random_r(self.additive(), &raw mut result) };
        result
    }

    /// Replaces the state by `change`, which returns 0 on success. Returns the previous state.
    fn exchange(&mut self, change: impl FnOnce(*mut Additive) -> c_int) -> *mut u64 {
        let additive = self.additive();
        // A word with the type of the generator precedes the numbers that the third word points to.
        let before = (self.additive.0[2] as *mut u32).wrapping_sub(1);
        if change(additive) == 0 { before.cast() } else { ptr::null_mut() }
    }
}

/// Implements `initstate`; like `random_r`, it rejects a state of less than 8 bytes.
unsafe extern "C" fn initstate(seed: c_uint, state: *mut u64, bytes: usize) -> *mut u64 {
    // SAFETY: the program passes that many bytes.
    random().exchange(|additive| unsafe { initstate_r(seed, state, bytes, additive) })
}

unsafe extern "C" fn setstate(state: *mut u64) -> *mut u64 {
    // SAFETY: the program passes a state of this function or of `initstate`.
    random().exchange(|additive| unsafe { setstate_r(state, additive) })
}

extern "C" fn rand() -> c_int {
    random().next()
}

extern "C" fn random_long() -> c_long {
    c_long::from(random().next())
}

extern "C" fn srand(seed: c_uint) {
    random().seed(seed);
}

extern "C" fn drand48() -> c_double {
    let mut result = 0.0;
    // SAFETY: the rank's own generator.
    unsafe { drand48_r(&raw mut random().congruential, &raw mut result) };
    result
}

extern "C" fn lrand48() -> c_long {
    let mut result = 0;
    // SAFETY: as in `drand48`.
    unsafe { lrand48_r(&raw mut random().congruential, &raw mut result) };
    result
}

extern "C" fn mrand48() -> c_long {
    let mut result = 0;
    // SAFETY: as in `drand48`.
    unsafe { mrand48_r(&raw mut random().congruential, &raw mut result) };
    result
}

unsafe extern "C" fn erand48(x: *mut c_ushort) -> c_double {
    let mut result = 0.0;
    // SAFETY: as in `drand48`; the program passes three words.
    unsafe { erand48_r(x, &raw mut random().congruential, &raw mut result) };
    result
}

unsafe extern "C" fn nrand48(x: *mut c_ushort) -> c_long {
    let mut result = 0;
    // SAFETY: as in `erand48`.
    unsafe { nrand48_r(x, &raw mut random().congruential, &raw mut result) };
    result
}

unsafe extern "C" fn jrand48(x: *mut c_ushort) -> c_long {
    let mut result = 0;
    // SAFETY: as in `erand48`.
    unsafe { jrand48_r(x, &raw mut random().congruential, &raw mut result) };
    result
}

extern "C" fn srand48(seed: c_long) {
    // SAFETY: as in `drand48`.
    unsafe { srand48_r(seed, &raw mut random().congruential) };
}

/// Implements `seed48`; returns the address of the previous seed, in the second half of the
/// generator's first 16 bytes.
unsafe extern "C" fn seed48(seed: *mut c_ushort) -> *mut c_ushort {
    let data = &raw mut random().congruential;
    // SAFETY: as in `erand48`; glibc stores three words of seed, then the three previous ones.
    unsafe {
        seed48_r(seed, data);
        data.cast::<c_ushort>().add(3)
    }
}

unsafe extern "C" fn lcong48(parameters: *mut c_ushort) {
    // SAFETY: the program passes seven words.
    unsafe { lcong48_r(parameters, &raw mut random().congruential) };
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("rand", rand as *const () as usize),
        ("random", random_long as *const () as usize),
        ("srand", srand as *const () as usize),
        ("srandom", srand as *const () as usize),
        ("initstate", initstate as *const () as usize),
        ("setstate", setstate as *const () as usize),
        ("drand48", drand48 as *const () as usize),
        ("lrand48", lrand48 as *const () as usize),
        ("mrand48", mrand48 as *const () as usize),
        ("erand48", erand48 as *const () as usize),
        ("nrand48", nrand48 as *const () as usize),
        ("jrand48", jrand48 as *const () as usize),
        ("srand48", srand48 as *const () as usize),
        ("seed48", seed48 as *const () as usize),
        ("lcong48", lcong48 as *const () as usize),
    ]
}
