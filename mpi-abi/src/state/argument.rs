//! Integer arguments: of two sizes, and those that have to be in a range.

use std::ffi::c_int;

use mpi_api::error::Origin;
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
    at_least(0, class::COUNT, "the count", count).map_err(|fault| {
        let origin = (count == i64::from(number::UNDEFINED)).then_some(Origin::UndefinedCount);
        Fault { origin: origin.or(fault.origin), ..fault }
    })?;
    Ok(count as u64)
}

/// Checks that a number which is `what` is at least this large; otherwise the error has this class.
pub(crate) fn at_least(least: i64, error: c_int, what: &str, number: i64) -> Mpi {
    match number >= least {
        true => Ok(()),
        false => Err(wrong(error, number, too_small(what, named(error, number), least))),
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
        let named = named(error, number.into());
        let text = out_of_range(format_args!("{what} {named}"), size);
        wrong(error, number.into(), text)
    })
}

/// Returns the fault of a wrong number.
fn wrong(error: c_int, number: i64, text: String) -> Fault {
    let origin = (number == i64::from(number::UNSET)).then_some(Origin::UnsetStatus);
    Fault { origin, ..Fault::new(error, text) }
}

/// Returns a wrong number as text, by its name if it is a constant that may be meant for an argument whose errors have
/// this class.
fn named(error: c_int, number: i64) -> String {
    let of_rank = error == class::RANK || error == class::ROOT;
    let constant = match c_int::try_from(number) {
        Ok(number::UNDEFINED) => "MPI_UNDEFINED",
        Ok(number::ANY_SOURCE) if of_rank => "MPI_ANY_SOURCE",
        Ok(number::PROC_NULL) if of_rank => "MPI_PROC_NULL",
        Ok(number::ROOT) if of_rank => "MPI_ROOT",
        Ok(number::ANY_TAG) if error == class::TAG => "MPI_ANY_TAG",
        Ok(_) | Err(_) => return number.to_string(),
    };
    format!("{number} ({constant})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<T>(result: Mpi<T>) -> String {
        result.err().map_or(String::new(), |fault| fault.text)
    }

    #[test]
    fn constants_are_called_by_their_names_where_they_may_be_meant() {
        let undefined = number::UNDEFINED;
        assert_eq!(
            text(count(undefined.into())),
            "the count is -32766 (MPI_UNDEFINED); allowed is 0 or more"
        );
        assert_eq!(text(count(-3)), "the count is -3; allowed is 0 or more");
        assert_eq!(text(tag(number::ANY_TAG)), "the tag is -2 (MPI_ANY_TAG); allowed is 0 or more");
        assert_eq!(text(tag(-3)), "the tag is -3; allowed is 0 or more");
        let wrong = text(root(number::PROC_NULL, 4));
        assert_eq!(wrong, "root -3 (MPI_PROC_NULL) is out of range: allowed are 0 to 3");
        let wrong = text(rank("destination rank", number::ANY_SOURCE, 1));
        assert_eq!(wrong, "destination rank -1 (MPI_ANY_SOURCE) is out of range: allowed is 0");
        let wrong = text(rank("source rank", undefined, 1));
        assert_eq!(wrong, "source rank -32766 (MPI_UNDEFINED) is out of range: allowed is 0");
    }

    #[test]
    fn a_count_that_is_undefined_says_where_it_comes_from() {
        let origin = |given| count(given).err().and_then(|fault| fault.origin);
        assert_eq!(origin(number::UNDEFINED.into()), Some(Origin::UndefinedCount));
        assert_eq!(origin(-1), None);
        let origin = |given| tag(given).err().and_then(|fault| fault.origin);
        assert_eq!(origin(number::UNSET), Some(Origin::UnsetStatus));
        assert_eq!(origin(number::ANY_TAG), None);
    }
}
