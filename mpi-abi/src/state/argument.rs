//! Integer arguments of two sizes.

use super::fault::Mpi;
use crate::{constant::number, memory::put};

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

/// Writes a number, or `MPI_UNDEFINED` if it does not fit.
pub(crate) fn fitting<N: Number>(place: *mut N, value: i64) -> Mpi {
    let undefined = N::narrow(i64::from(number::UNDEFINED)).expect("the constant fits both");
    put(place, N::narrow(value).unwrap_or(undefined))
}
