//! The logarithm of the gamma function, which leaves the sign of the function in the program's variable `signgam`.
#![allow(unsafe_code, reason = "calls functions of libm and writes variables of programs")]

use std::ffi::c_int;

use super::rank::Rank;
use crate::replacement::Replacement;

unsafe extern "C" {
    fn lgamma_r(x: f64, sign: *mut c_int) -> f64;
    fn lgammaf_r(x: f32, sign: *mut c_int) -> f32;
}

/// Computes a logarithm by a function that writes the sign where it is told.
fn with_sign<T>(compute: impl FnOnce(*mut c_int) -> T) -> T {
    let mut sign = 1;
    let logarithm = compute(&raw mut sign);
    if let Some(rank) = Rank::current() {
        // SAFETY: the rank's cell.
        unsafe { *(rank.c_variables.sign_of_gamma as *mut c_int) = sign };
    }
    logarithm
}

extern "C" fn double(x: f64) -> f64 {
    // SAFETY: the place is a variable.
    with_sign(|sign| unsafe { lgamma_r(x, sign) })
}

extern "C" fn single(x: f32) -> f32 {
    // SAFETY: as above.
    with_sign(|sign| unsafe { lgammaf_r(x, sign) })
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("lgamma", double as *const () as usize),
        ("gamma", double as *const () as usize),
        ("lgammaf", single as *const () as usize),
        ("gammaf", single as *const () as usize),
    ]
}
