//! Integer arguments: of two sizes, and those that have to be in a range.

use std::ffi::c_int;

use sim_core::words::{out_of_range, too_small};

use super::fault::{Fault, Mpi};
use crate::{
    constant::{class, number},
    memory::put,
};

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

/// Checks that a count is not negative.
pub(crate) fn count(count: i64) -> Mpi<u64> {
    at_least(0, class::COUNT, "the count", count)?;
    Ok(count as u64)
}

/// Checks that a number which is `what` is at least this large; otherwise the error has this class.
pub(crate) fn at_least(least: i64, error: c_int, what: &str, number: i64) -> Mpi {
    match number >= least {
        true => Ok(()),
        false => Err(Fault::new(error, too_small(what, number, least))),
    }
}

/// Checks that a tag is valid for a message that is sent: not negative, so that wildcards are excluded.
pub(crate) fn tag(tag: c_int) -> Mpi {
    at_least(0, class::TAG, "the tag", tag.into())
}

/// Returns the rank of a group of this size that a program names; `what` is its part in the call.
pub(crate) fn rank(what: &str, rank: c_int, size: u32) -> Mpi<u32> {
    below(size, class::RANK, what, rank)
}

/// Returns the root of an operation among this many ranks.
pub(crate) fn root(root: c_int, size: u32) -> Mpi<u32> {
    below(size, class::ROOT, "root", root)
}

/// Returns a number which is `what` if it is from 0 to below `size`; otherwise the error has this class.
pub(crate) fn below(size: u32, error: c_int, what: &str, number: c_int) -> Mpi<u32> {
    let known = u32::try_from(number).ok().filter(|known| *known < size);
    known.ok_or_else(|| {
        let named = match number {
            number::UNDEFINED => "MPI_UNDEFINED".into(),
            other => other.to_string(),
        };
        Fault::new(error, out_of_range(format_args!("{what} {named}"), size))
    })
}
