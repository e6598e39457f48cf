//! Array indices in results.

use std::ffi::c_int;

use super::{Argument, Call, Shape, write};
use crate::{constant::number, memory::look, purpose::Purpose};

/// Converts an array index: C counts from 0, Fortran from 1.
fn position(place: c_int) -> c_int {
    if place == number::UNDEFINED { place } else { place + 1 }
}

/// An array index that is written.
pub(in super::super) struct Position {
    value: c_int,
    place: usize,
}

impl Argument for Position {
    type Taken = *mut c_int;
    const SHAPE: Shape = Shape::Plain("integer");
    fn take(given: usize, _: &mut Call<'_>) -> Self {
        Self { value: c_int::MIN, place: given }
    }
    fn pass(&mut self) -> *mut c_int {
        &raw mut self.value
    }
    fn give_back(self, _: &Call<'_>) {
        if self.value != c_int::MIN {
            write(self.place, position(self.value));
        }
    }
}

/// Array indices that are written, at most as many as argument `COUNT` says.
pub(in super::super) struct Positions<const COUNT: usize> {
    values: Vec<c_int>,
    place: usize,
}

impl<const COUNT: usize> Argument for Positions<COUNT> {
    type Taken = *mut c_int;
    const SHAPE: Shape = Shape::Plain("integer, dimension(*)");
    fn take(given: usize, call: &mut Call<'_>) -> Self {
        Self { values: vec![c_int::MIN; call.count::<c_int>(COUNT)], place: given }
    }
    fn pass(&mut self) -> *mut c_int {
        self.values.as_mut_ptr()
    }
    fn give_back(self, _: &Call<'_>) {
        let known = self.values.iter().take_while(|value| **value != c_int::MIN);
        look(self.place as *const c_int, known.clone().count(), Purpose::Write);
        for (at, value) in known.enumerate() {
            write(self.place + 4 * at, position(*value));
        }
    }
}
