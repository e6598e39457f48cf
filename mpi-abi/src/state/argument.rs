//! Arguments of functions: places of results, arrays, and integers of two sizes.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use super::{Fault, Mpi};
use crate::constant::class;

/// A call that begins something needs a place for its handle: asked before it begins.
///
/// # Errors
/// If there is none.
pub(crate) fn wanted<T>(place: *mut T) -> Mpi {
    if place.is_null() {
        return Err(Fault::new(class::ARG, "a result pointer is null"));
    }
    Ok(())
}

/// Writes a result to where a program wants it.
///
/// # Errors
/// If it wants it nowhere.
pub(crate) fn put<T>(place: *mut T, value: T) -> Mpi {
    wanted(place)?;
    // SAFETY: the standard has the program pass the address of a variable of this type.
    unsafe { place.write(value) };
    Ok(())
}

/// An array argument.
///
/// # Errors
/// If it is null though it has elements, or its length is negative.
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

/// An integer argument of a function or of its large-count twin.
pub(crate) trait Number: Copy + 'static {
    /// Whether it is that of the twin.
    const LARGE: bool = size_of::<Self>() > size_of::<i32>();

    /// As the large one.
    fn wide(self) -> i64;
    /// From the large one, if it fits.
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
