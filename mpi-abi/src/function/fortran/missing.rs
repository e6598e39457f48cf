//! Arguments that a Fortran program may not have passed. Without an explicit interface (`mpif.h`, `use mpi`) the compiler
//! accepts a call with fewer arguments than the procedure has; the procedure then takes whatever is in their places for
//! addresses.

use std::{cell::Cell, ffi::c_int};

use mpi_api::{check::short_buffer, finding::CallPlace};

use super::argument::Shape;
use crate::{
    memory,
    state::{Compared, State, here},
};

/// What a procedure reads or writes at an address from the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accessed {
    /// The error code, which is the last argument and the one that is left out most easily.
    Error,
    /// Another argument.
    Argument,
}

thread_local! {
    /// The argument that was read or written last. It is kept: an address that was once accessible raises no signal there.
    static LAST: Cell<Option<(usize, Accessed)>> = const { Cell::new(None) };
}

/// Largest size of an argument that is accessed as a whole, in bytes.
const LARGEST: usize = 8;

/// Records that a procedure is about to read or write an argument.
#[inline(always)]
pub(super) fn note(address: usize, accessed: Accessed) {
    LAST.set(Some((address, accessed)));
}

/// Forgets the last argument; returns what it was if the access to `address`, which raised a signal, was the one to it.
pub(crate) fn take(address: usize) -> Option<Accessed> {
    let (last, accessed) = LAST.take()?;
    (last..last.saturating_add(LARGEST)).contains(&address).then_some(accessed)
}

/// Compares the arguments in the source of the call with those of the procedure, in runs that compare what calls use with the
/// program: their number, the error code included, and whether what is written to is a variable.
#[inline(always)]
pub(super) fn look(given: &[usize], shapes: &[Shape], error: *mut c_int) {
    if let Some(state) = State::current()
        && let Some(compared) = &state.compared
    {
        look_at_call((state, compared), given, shapes, error);
    }
}

#[cold]
fn look_at_call(
    (state, compared): (&State, &Compared),
    given: &[usize],
    shapes: &[Shape],
    error: *mut c_int,
) {
    let (site, wanted) = (here(), given.len() + 1);
    let Some(call) = site.call().filter(|_| compared.is_unread(site)) else { return };
    let found = guest::arguments_of_call(site.file, (site.line, site.column), call);
    let Some((arguments, includes)) = found else { return };
    let origin = CallPlace { call, site };
    // With `use mpi_f08` the error code may be left out, and then has no address.
    let is_optional = arguments.len() + 1 == wanted && error.is_null() && !includes;
    if arguments.len() != wanted && !is_optional {
        let finding = short_buffer::of_list(state.number(), origin, arguments.len(), wanted);
        state.keep_finding(compared, finding);
    } else if let Some(lost) = lost_in(&arguments, given, shapes) {
        let finding = short_buffer::of_temporary(state.number(), origin, lost);
        state.keep_finding(compared, finding);
    } else if let Some(kept) = kept_by(call, &arguments, given, shapes) {
        let finding = short_buffer::of_kept_temporary(state.number(), origin, kept);
        state.keep_finding(compared, finding);
    }
}

/// Returns the buffer of a call that begins an operation if it is an expression whose value the compiler has put in the frame
/// of the caller, where something else may be put after the call.
fn kept_by<'a>(
    call: &str,
    arguments: &'a [String],
    given: &[usize],
    shapes: &[Shape],
) -> Option<&'a str> {
    let at = mpi_functions::buffer_of_operation(call)?;
    let argument = arguments.get(at)?;
    let is_kept = guest::is_temporary(argument)
        && guest::site::is_in_frames(given[at])
        && has_elements(at, given, shapes);
    is_kept.then_some(argument.as_str())
}

/// Reports whether the count behind a buffer is more than 0.
fn has_elements(at: usize, given: &[usize], shapes: &[Shape]) -> bool {
    match shapes.get(at + 1) {
        Some(Shape::Plain("integer")) => memory::read(given[at + 1] as *const c_int) > 0,
        Some(Shape::Plain("integer(8)")) => memory::read(given[at + 1] as *const i64) > 0,
        Some(
            Shape::Plain(_)
            | Shape::Buffer
            | Shape::Source
            | Shape::Handle
            | Shape::Handles
            | Shape::Status
            | Shape::Statuses,
        )
        | None => false,
    }
}

/// Returns the argument whose data are lost, of a call that receives. Such calls have a status; what goes on after its call
/// is watched, and of collective calls not every rank uses its buffers.
fn lost_in<'a>(arguments: &'a [String], given: &[usize], shapes: &[Shape]) -> Option<&'a str> {
    let receives = shapes.iter().any(|shape| matches!(shape, Shape::Status));
    let is_lost = |(at, argument): &(usize, &String)| {
        matches!(shapes[*at], Shape::Buffer)
            && guest::is_temporary(argument)
            && has_elements(*at, given, shapes)
    };
    let mut all = arguments.iter().take(shapes.len()).enumerate();
    all.find(is_lost).filter(|_| receives).map(|(_, argument)| argument.as_str())
}
