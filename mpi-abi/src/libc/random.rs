//! Random numbers of libc, a sequence per rank: the very numbers glibc gives a process.
#![allow(unsafe_code, reason = "calls the reentrant generators of libc")]

use std::ffi::{c_double, c_int, c_long, c_uint, c_ushort};

use super::{Replacement, rank::Rank};

#[repr(C)]
#[derive(Default)]
struct Additive([u64; 6]);

#[repr(C)]
#[derive(Default)]
struct Congruential([u64; 4]);

/// The generators of a rank.
#[derive(Default)]
pub(crate) struct Random {
    additive: Additive,
    state: [[u64; 8]; 2],
    seeded: bool,
    congruential: Congruential,
}

unsafe extern "C" {
    fn initstate_r(seed: c_uint, state: *mut u64, bytes: usize, data: *mut Additive) -> c_int;
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

/// The generators of the calling rank.
fn random<'a>() -> &'a mut Random {
    let rank = Rank::current().unwrap_or_else(|| std::process::abort());
    // SAFETY: one thread, and no two of the functions below are active at once.
    unsafe { &mut *rank.random.get() }
}

impl Random {
    fn seed(&mut self, seed: c_uint) {
        self.additive = Additive::default();
        let bytes = size_of_val(&self.state);
        // SAFETY: the state is as large as said and lives as long as the generator.
        unsafe { initstate_r(seed, self.state.as_mut_ptr().cast(), bytes, &raw mut self.additive) };
        self.seeded = true;
    }

    fn next(&mut self) -> i32 {
        if !self.seeded {
            self.seed(1);
        }
        let mut result = 0;
        // SAFETY: the generator has its state.
        unsafe { random_r(&raw mut self.additive, &raw mut result) };
        result
    }
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

extern "C" fn erand48(x: *mut c_ushort) -> c_double {
    let mut result = 0.0;
    // SAFETY: as in `drand48`; the program passes three words.
    unsafe { erand48_r(x, &raw mut random().congruential, &raw mut result) };
    result
}

extern "C" fn nrand48(x: *mut c_ushort) -> c_long {
    let mut result = 0;
    // SAFETY: as in `erand48`.
    unsafe { nrand48_r(x, &raw mut random().congruential, &raw mut result) };
    result
}

extern "C" fn jrand48(x: *mut c_ushort) -> c_long {
    let mut result = 0;
    // SAFETY: as in `erand48`.
    unsafe { jrand48_r(x, &raw mut random().congruential, &raw mut result) };
    result
}

extern "C" fn srand48(seed: c_long) {
    // SAFETY: as in `drand48`.
    unsafe { srand48_r(seed, &raw mut random().congruential) };
}

/// Answers where the seed before is kept: the second half of the generator's first 16 bytes.
extern "C" fn seed48(seed: *mut c_ushort) -> *mut c_ushort {
    let data = &raw mut random().congruential;
    // SAFETY: as in `erand48`; glibc keeps three words of seed, then the three before them.
    unsafe {
        seed48_r(seed, data);
        data.cast::<c_ushort>().add(3)
    }
}

extern "C" fn lcong48(parameters: *mut c_ushort) {
    // SAFETY: the program passes seven words.
    unsafe { lcong48_r(parameters, &raw mut random().congruential) };
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("rand", rand as *const () as usize),
        ("random", random_long as *const () as usize),
        ("srand", srand as *const () as usize),
        ("srandom", srand as *const () as usize),
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
