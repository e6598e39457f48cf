//! How each kind of argument crosses from Fortran to C and back.

mod address;
mod half;
mod handle;
mod number;
mod position;
mod text;

use std::ffi::c_int;

pub(super) use address::{
    CodesOut, FlagOut, Flags, FlagsOut, Give, GiveMany, Input, Later, Output, Procedure, StatusIn,
    StatusOut, Statuses, Take, Weights, WeightsOut,
};
pub(super) use half::{Displacements, HalfAddress};
pub(super) use handle::{Object, Objects, RootObjects, TypesNear, TypesOf, Variable, Variables};
pub(super) use number::{Flag, Int, Long, Narrowed, Value, Widened};
pub(super) use position::{Position, Positions};
pub(super) use text::{CountedTexts, RowsOfTexts, Text, TextOut, Texts, Word};

use super::sentinel;
use crate::{
    constant::Handle,
    state::{Number, State},
};

/// What the arguments of one call share.
pub(super) struct Call<'a> {
    /// Addresses of the arguments.
    given: &'a [usize],
    /// Lengths of the text arguments.
    lengths: [usize; 2],
    /// Text arguments met so far.
    texts: usize,
    block: usize,
    /// What the C function returned.
    code: c_int,
}

impl<'a> Call<'a> {
    pub(super) fn new(given: &'a [usize], lengths: [usize; 2], block: usize) -> Self {
        Self { given, lengths, texts: 0, block, code: 0 }
    }

    /// The C function has returned.
    pub(super) fn finish(&mut self, code: c_int) {
        self.code = code;
    }

    /// Length of the next text argument.
    fn length(&mut self) -> usize {
        self.texts += 1;
        self.lengths[self.texts - 1]
    }

    /// An address as C means it.
    fn address(&self, given: usize) -> usize {
        sentinel::meaning(self.block, given).unwrap_or(given)
    }

    /// Whether the caller is the root that an argument names; the communicator comes after it.
    fn is_root(&self, root: usize) -> bool {
        let comm = read::<c_int>(self.given[root + 1]) as u32 as Handle;
        let comm = State::current().and_then(|state| state.comm(comm).ok());
        comm.is_some_and(|comm| comm.info.rank as c_int == read::<c_int>(self.given[root]))
    }

    /// As [`Call::count`]; nothing where the caller is not the root.
    fn count_at_root(&self, argument: usize, root: usize) -> usize {
        if self.is_root(root) { self.count::<c_int>(argument) } else { 0 }
    }

    /// The number that another argument is, if it is a sensible length.
    fn count<N: Number>(&self, argument: usize) -> usize {
        usize::try_from(read::<N>(self.given[argument]).wide()).unwrap_or(0)
    }
}

/// How a module declares an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The same in all modules.
    Plain(&'static str),
    /// A buffer of any type.
    Buffer,
    /// One handle.
    Handle,
    /// An array of handles.
    Handles,
    /// One status.
    Status,
    /// An array of statuses.
    Statuses,
}

/// A kind of argument.
pub(super) trait Argument {
    /// What the C function takes.
    type Taken;
    /// In the module.
    const SHAPE: Shape;
    /// Looks at what Fortran gives: an address.
    fn take(given: usize, call: &mut Call<'_>) -> Self;
    /// What the C function gets.
    fn pass(&mut self) -> Self::Taken;
    /// Brings results back.
    fn give_back(self, _call: &Call<'_>)
    where
        Self: Sized,
    {
    }
}

fn read<T: Copy>(address: usize) -> T {
    // SAFETY: Fortran passes the address of a variable or constant of the declared type.
    unsafe { (address as *const T).read_unaligned() }
}

fn write<T>(address: usize, value: T) {
    // SAFETY: as in `read`, and the argument is one that the procedure defines.
    unsafe { (address as *mut T).write_unaligned(value) };
}
