//! The conversion of each kind of argument from Fortran to C and back.

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

use super::{
    missing::{self, Accessed},
    sentinel,
};
use crate::{
    constant::{Handle, class},
    memory,
    state::{Fault, Number, State},
};

/// State shared by the arguments of one call.
pub(super) struct Call<'a> {
    /// Addresses of the arguments.
    given: &'a [usize],
    /// Lengths of the character arguments.
    lengths: [usize; 2],
    /// Number of character arguments converted so far.
    texts: usize,
    block: usize,
    /// The variable that means nothing here, and the one that does.
    unfit: Option<[&'static str; 2]>,
    /// Return value of the C function.
    code: c_int,
}

impl<'a> Call<'a> {
    pub(super) fn new(given: &'a [usize], lengths: [usize; 2], block: usize) -> Self {
        Self { given, lengths, texts: 0, block, unfit: None, code: 0 }
    }

    /// Returns the error of an argument that the C function must not get, if there is one.
    pub(super) fn unfit(&self) -> Option<Fault> {
        let [given, wanted] = self.unfit?;
        let text = format!("{given} is given where only {wanted} has a meaning: pass {wanted}");
        Some(Fault::new(class::ARG, text))
    }

    /// Records the return value of the C function.
    pub(super) fn finish(&mut self, code: c_int) {
        self.code = code;
    }

    /// Returns the length of the next character argument.
    fn length(&mut self) -> usize {
        self.texts += 1;
        self.lengths[self.texts - 1]
    }

    /// Translates an address to C: special variables become the C constants.
    fn address(&self, given: usize) -> usize {
        sentinel::meaning(self.block, given).unwrap_or(given)
    }

    /// Translates the address of one or several statuses to C; of the two variables that ignore statuses, only `wanted`
    /// has a meaning for this argument.
    fn statuses(&mut self, given: usize, [wanted, other]: [&'static str; 2]) -> usize {
        let address = self.address(given);
        if address == 0 && given != 0 && given == sentinel::address_of(self.block, other) {
            self.unfit = Some([other, wanted]);
        }
        address
    }

    /// Reports whether the caller is the root that argument `root` names; the communicator is the
    /// next argument.
    fn is_root(&self, root: usize) -> bool {
        let comm = read::<c_int>(self.given[root + 1]) as u32 as Handle;
        let comm = State::current().and_then(|state| state.comm(comm).ok());
        comm.is_some_and(|comm| comm.info.rank as c_int == read::<c_int>(self.given[root]))
    }

    /// Like [`Call::count`], but 0 where the caller is not the root.
    fn count_at_root(&self, argument: usize, root: usize) -> usize {
        if self.is_root(root) { self.count::<c_int>(argument) } else { 0 }
    }

    /// Returns the value of a count argument; 0 if it is negative.
    fn count<N: Number>(&self, argument: usize) -> usize {
        usize::try_from(read::<N>(self.given[argument]).wide()).unwrap_or(0)
    }
}

/// The declaration of an argument in the Fortran modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A declaration that is the same in all modules.
    Plain(&'static str),
    /// A buffer of any type that is written, and perhaps read before.
    Buffer,
    /// A buffer of any type that is only read.
    Source,
    /// One handle.
    Handle,
    /// An array of handles.
    Handles,
    /// One status.
    Status,
    /// An array of statuses.
    Statuses,
}

impl Shape {
    /// Reports whether this is a buffer.
    pub(super) const fn is_buffer(self) -> bool {
        matches!(self, Self::Buffer | Self::Source)
    }
}

/// A kind of argument, with its conversion.
pub(super) trait Argument {
    /// The type of the C function's argument.
    type Taken;
    /// The declaration in the modules.
    const SHAPE: Shape;
    /// Reads the argument; `given` is the address that Fortran passes.
    fn take(given: usize, call: &mut Call<'_>) -> Self;
    /// Returns the argument for the C function.
    fn pass(&mut self) -> Self::Taken;
    /// Writes results back to the program's variable.
    fn give_back(self, _call: &Call<'_>)
    where
        Self: Sized,
    {
    }
}

fn read<T: Copy>(address: usize) -> T {
    missing::note(address, Accessed::Argument);
    memory::read(address as *const T)
}

fn write<T>(address: usize, value: T) {
    missing::note(address, Accessed::Argument);
    memory::write(address as *mut T, value);
}
