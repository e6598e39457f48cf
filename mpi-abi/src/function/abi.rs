//! Queries about the standard ABI itself and about Fortran (MPI 5.0, chapter 20). Fortran programs
//! are always compiled by gfortran here, so that its sizes and logical values are known and cannot
//! be set.

use std::ffi::{c_int, c_void};

use super::info;
use crate::{
    constant::{Handle, class},
    memory,
    state::{Fault, Info, Mpi, always, put},
};

/// Implements `MPI_Abi_get_version`.
pub(super) extern "C-unwind" fn version(major: *mut c_int, minor: *mut c_int) -> c_int {
    always(|_, _| {
        put(major, 1)?;
        put(minor, 0)
    })
}

/// Creates an info object with these keys and values.
fn give<const N: usize>(place: *mut Handle, pairs: [(&str, &str); N]) -> c_int {
    always(|state, _| {
        let pairs = pairs.map(|(key, value)| (key.to_string(), value.to_string()));
        put(place, info::add(state, Info(pairs.to_vec())))
    })
}

/// Implements `MPI_Abi_get_info`: sizes of the integer types that an ABI may choose (MPI 20.3).
pub(super) extern "C-unwind" fn info(place: *mut Handle) -> c_int {
    give(place, [("mpi_aint_size", "8"), ("mpi_count_size", "8"), ("mpi_offset_size", "8")])
}

/// Implements `MPI_Abi_get_fortran_info`: sizes of default kinds, and the optional types that
/// exist.
pub(super) extern "C-unwind" fn fortran_info(place: *mut Handle) -> c_int {
    let pairs = [
        ("mpi_logical_size", "4"),
        ("mpi_integer_size", "4"),
        ("mpi_real_size", "4"),
        ("mpi_double_precision_size", "8"),
        ("mpi_logical1_supported", "true"),
        ("mpi_logical2_supported", "true"),
        ("mpi_logical4_supported", "true"),
        ("mpi_logical8_supported", "true"),
        ("mpi_logical16_supported", "true"),
        ("mpi_integer1_supported", "true"),
        ("mpi_integer2_supported", "true"),
        ("mpi_integer4_supported", "true"),
        ("mpi_integer8_supported", "true"),
        ("mpi_integer16_supported", "true"),
        ("mpi_real4_supported", "true"),
        ("mpi_real8_supported", "true"),
        ("mpi_real16_supported", "true"),
    ];
    give(place, pairs)
}

fn known() -> c_int {
    always(|_, _| Err(Fault::new(class::ABI, "the Fortran kinds are known and cannot be set")))
}

/// Implements `MPI_Abi_set_fortran_info`, which always fails here.
pub(super) extern "C-unwind" fn set_fortran_info(_info: Handle) -> c_int {
    known()
}

/// Writes a logical value of `size` bytes, at most 16.
fn write_logical(place: *mut c_void, size: usize, value: u8) -> Mpi {
    if place.is_null() {
        return Err(Fault::new(class::ARG, "the address of a logical value is null"));
    }
    let mut bytes = [0; 16];
    bytes[0] = value;
    memory::fill(place, 0, &bytes[..size]);
    Ok(())
}

/// Implements `MPI_Abi_get_fortran_booleans`: gfortran's true is 1, its false 0.
pub(super) extern "C-unwind" fn fortran_booleans(
    size: c_int,
    truth: *mut c_void,
    falsehood: *mut c_void,
    is_set: *mut c_int,
) -> c_int {
    always(|_, _| {
        if ![1, 2, 4, 8, 16].contains(&size) {
            return Err(Fault::new(class::ARG, format!("no logical kind has {size} bytes")));
        }
        write_logical(truth, size as usize, 1)?;
        write_logical(falsehood, size as usize, 0)?;
        put(is_set, 1)
    })
}

/// Implements `MPI_Abi_set_fortran_booleans`, which always fails here.
pub(super) extern "C-unwind" fn set_fortran_booleans(
    _size: c_int,
    _truth: *mut c_void,
    _falsehood: *mut c_void,
) -> c_int {
    known()
}
