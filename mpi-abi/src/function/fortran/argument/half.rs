//! Addresses in integers of half their width, as the procedures of MPI-1 have them.
//!
//! Variables with `SAVE` lie low enough for an integer (`loader/arena.rs`), so that it is the address.
//! Of others the integer is the lower half: differences come out right, and where it stands for a
//! displacement the address is known again.

use std::ffi::c_int;

use super::{Argument, Call, Shape, read, write};
use crate::state::State;

/// An address from C that goes into an integer.
pub(in super::super) struct HalfAddress {
    value: i64,
    place: usize,
}

impl Argument for HalfAddress {
    type Taken = *mut i64;
    const SHAPE: Shape = Shape::Plain("integer");
    fn take(given: usize, _: &mut Call<'_>) -> Self {
        Self { value: i64::from(read::<c_int>(given)), place: given }
    }
    fn pass(&mut self) -> *mut i64 {
        &raw mut self.value
    }
    fn give_back(self, _: &Call<'_>) {
        let half = self.value as c_int;
        write(self.place, half);
        if i64::from(half) != self.value
            && let Some(state) = State::current()
        {
            state.halves.borrow_mut().insert(half, self.value);
        }
    }
}

/// Displacements that C takes as addresses. Argument `COUNT` says how many.
pub(in super::super) struct Displacements<const COUNT: usize>(Vec<i64>);

/// The address that an integer is the lower half of, if it was given out as one.
fn displacement(half: c_int) -> i64 {
    let known = State::current().and_then(|state| state.halves.borrow().get(&half).copied());
    known.unwrap_or(i64::from(half))
}

impl<const COUNT: usize> Argument for Displacements<COUNT> {
    type Taken = *const i64;
    const SHAPE: Shape = Shape::Plain("integer, dimension(*)");
    fn take(given: usize, call: &mut Call<'_>) -> Self {
        let halves = (0..call.count::<c_int>(COUNT)).map(|at| read::<c_int>(given + 4 * at));
        Self(halves.map(displacement).collect())
    }
    fn pass(&mut self) -> *const i64 {
        self.0.as_ptr()
    }
}
