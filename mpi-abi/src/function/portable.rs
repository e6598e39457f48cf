//! Types by precision and size (MPI section 19.1.9), for Fortran and for programs that ask.

use std::ffi::c_int;

use crate::{
    constant::{Handle, class, number},
    state::{Fault, Mpi, local, put},
};

const INTEGER: c_int = 192;
const REAL: c_int = 193;
const COMPLEX: c_int = 194;

fn wrong(what: String) -> Fault {
    Fault::new(class::ARG, what)
}

pub(super) extern "C" fn match_size(kind: c_int, size: c_int, datatype: *mut Handle) -> c_int {
    local(|_, _| {
        let found = match (kind, size) {
            (INTEGER, 1) => 0x2c1,
            (INTEGER, 2) => 0x2c9,
            (INTEGER, 4) => 0x2d1,
            (INTEGER, 8) => 0x2d9,
            (REAL, 4) => 0x2d2,
            (REAL, 8) => 0x2da,
            (COMPLEX, 8) => 0x2db,
            (COMPLEX, 16) => 0x2e3,
            _ => return Err(wrong(format!("no type of class {kind} has {size} bytes"))),
        };
        put(datatype, found)
    })
}

pub(super) extern "C" fn f90_integer(range: c_int, datatype: *mut Handle) -> c_int {
    local(|_, _| {
        let found = match range {
            ..=2 => 0x2c1,
            3..=4 => 0x2c9,
            5..=9 => 0x2d1,
            10..=18 => 0x2d9,
            _ => return Err(wrong(format!("no integer has {range} digits"))),
        };
        put(datatype, found)
    })
}

/// Whether single precision is enough; `None` if double is not.
fn single(precision: c_int, range: c_int) -> Mpi<bool> {
    let (digits, exponent) = (
        if precision == number::UNDEFINED { 0 } else { precision },
        if range == number::UNDEFINED { 0 } else { range },
    );
    match (digits, exponent) {
        (..=6, ..=37) => Ok(true),
        (..=15, ..=307) => Ok(false),
        _ => Err(wrong(format!("no real has {digits} digits and exponents to {exponent}"))),
    }
}

pub(super) extern "C" fn f90_real(precision: c_int, range: c_int, datatype: *mut Handle) -> c_int {
    local(|_, _| put(datatype, if single(precision, range)? { 0x2d2 } else { 0x2da }))
}

pub(super) extern "C" fn f90_complex(
    precision: c_int,
    range: c_int,
    datatype: *mut Handle,
) -> c_int {
    local(|_, _| put(datatype, if single(precision, range)? { 0x2db } else { 0x2e3 }))
}

/// The handle of a pair type of a value and an index.
pub(super) extern "C" fn value_index(value: Handle, index: Handle, pair: *mut Handle) -> c_int {
    local(|_, _| {
        let found = match (value, index) {
            (0x210, 0x209) => 0x228,
            (0x214, 0x209) => 0x229,
            (0x20a, 0x209) => 0x22a,
            (0x209, 0x209) => 0x22b,
            (0x208, 0x209) => 0x22c,
            (0x220, 0x209) => 0x22d,
            (0x21a, 0x21a) => 0x230,
            (0x21c, 0x21c) => 0x231,
            (0x219, 0x219) => 0x232,
            _ => crate::constant::handle::DATATYPE_NULL,
        };
        put(pair, found)
    })
}

/// `MPI_Status_c2f` and `MPI_Status_f2c`: both layouts are eight integers.
pub(super) extern "C" fn copy_status(from: *const [c_int; 8], into: *mut [c_int; 8]) -> c_int {
    local(|_, _| {
        if from.is_null() {
            return Err(wrong("the status is null".into()));
        }
        let words = peek_status(from);
        put(into, words)
    })
}

#[allow(unsafe_code, reason = "reads a status of the program")]
fn peek_status(from: *const [c_int; 8]) -> [c_int; 8] {
    // SAFETY: the program passes a status.
    unsafe { *from }
}
