//! Addresses in default integers, which are half as wide, as the procedures of MPI-1 pass them.
//!
//! Variables with `SAVE` lie low enough for an integer (`loader/arena.rs`), so that the integer is
//! the address. For other variables it is the lower half: differences are still right, and where
//! the integer stands for a displacement the full address is looked up.

use std::ffi::c_int;

use super::{Argument, Call, Shape, read, write};
use crate::state::State;

/// An address from C that is written to an integer.
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
            state.rare().halves.borrow_mut().insert(half, self.value);
        }
    }
}

/// Displacements that C takes as addresses; argument `COUNT` is their number.
pub(in super::super) struct Displacements<const COUNT: usize>(Vec<i64>);

/// Returns the address whose lower half the integer is, if such an address was passed out, else the
/// integer.
fn displacement(half: c_int) -> i64 {
    let known = State::current().and_then(|state| state.rare().halves.borrow().get(&half).copied());
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
