//! Numbers and logical values, which need no conversion.

use std::ffi::c_int;

use super::{Argument, Call, Shape, address::Element, read, write};
use crate::constant::number;

/// A number that is read.
pub(in super::super) struct Value<T>(T);

impl<T: Element> Argument for Value<T> {
    type Taken = T;
    const SHAPE: Shape = Shape::Plain(T::SCALAR);
    fn take(given: usize, _: &mut Call<'_>) -> Self {
        Self(read(given))
    }
    fn pass(&mut self) -> T {
        self.0
    }
}

/// A default integer that is read.
pub(in super::super) type Int = Value<c_int>;
/// An address or a large count that is read.
pub(in super::super) type Long = Value<i64>;

/// A default integer that C takes as an address, in procedures of MPI-1.
pub(in super::super) struct Widened(i64);

impl Argument for Widened {
    type Taken = i64;
    const SHAPE: Shape = Shape::Plain("integer");
    fn take(given: usize, _: &mut Call<'_>) -> Self {
        Self(i64::from(read::<c_int>(given)))
    }
    fn pass(&mut self) -> i64 {
        self.0
    }
}

/// An extent or a bound from C that is written to a default integer, in procedures of MPI-1;
/// `MPI_UNDEFINED` if it does not fit.
pub(in super::super) struct Narrowed {
    value: i64,
    place: usize,
}

impl Argument for Narrowed {
    type Taken = *mut i64;
    const SHAPE: Shape = Shape::Plain("integer");
    fn take(given: usize, _: &mut Call<'_>) -> Self {
        Self { value: i64::from(read::<c_int>(given)), place: given }
    }
    fn pass(&mut self) -> *mut i64 {
        &raw mut self.value
    }
    fn give_back(self, _: &Call<'_>) {
        write(self.place, c_int::try_from(self.value).unwrap_or(number::UNDEFINED));
    }
}

/// A logical value that is read.
pub(in super::super) struct Flag(c_int);

impl Argument for Flag {
    type Taken = c_int;
    const SHAPE: Shape = Shape::Plain("logical");
    fn take(given: usize, _: &mut Call<'_>) -> Self {
        Self(c_int::from(read::<c_int>(given) != 0))
    }
    fn pass(&mut self) -> c_int {
        self.0
    }
}
