//! Arguments of functions: result pointers, arrays, and integers of two sizes.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use super::{Fault, Mpi};
use crate::constant::class;

/// Checks that a call that starts an operation has a pointer for its handle; called before the
/// operation starts.
///
/// # Errors
/// Returns an error if the pointer is null.
pub(crate) fn wanted<T>(place: *mut T) -> Mpi {
    if place.is_null() {
        return Err(Fault::new(class::ARG, "a result pointer is null"));
    }
    Ok(())
}

/// Writes a result through a pointer of the program.
///
/// # Errors
/// Returns an error if the pointer is null.
pub(crate) fn put<T>(place: *mut T, value: T) -> Mpi {
    wanted(place)?;
    // SAFETY: the standard has the program pass the address of a variable of this type.
    unsafe { place.write(value) };
    Ok(())
}

/// Returns an array argument as a slice.
///
/// # Errors
/// Returns an error if the pointer is null though the length is not 0, or the length is negative.
pub(crate) fn array<'a, T>(place: *const T, length: i64) -> Mpi<&'a [T]> {
    if length == 0 {
        return Ok(&[]);
    }
    if length < 0 {
        return Err(Fault::new(class::ARG, format!("an array of {length} elements")));
    }
    if place.is_null() {
        return Err(Fault::new(class::ARG, "an array argument is null"));
    }
    // SAFETY: the standard has the program pass an array of that length.
    Ok(unsafe { std::slice::from_raw_parts(place, length as usize) })
}

/// An integer argument of a function or of its large-count variant.
pub(crate) trait Number: Copy + 'static {
    /// Whether it is the type of the large-count variant.
    const LARGE: bool = size_of::<Self>() > size_of::<i32>();

    /// Converts the value to the large type.
    fn wide(self) -> i64;
    /// Converts from the large type, if the value fits.
    fn narrow(value: i64) -> Option<Self>;
}

impl Number for i32 {
    fn wide(self) -> i64 {
        i64::from(self)
    }
    fn narrow(value: i64) -> Option<Self> {
        value.try_into().ok()
    }
}

impl Number for i64 {
    fn wide(self) -> i64 {
        self
    }
    fn narrow(value: i64) -> Option<Self> {
        Some(value)
    }
}
