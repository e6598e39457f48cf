//! Arguments that a Fortran program may not have passed. Without an explicit interface (`mpif.h`, `use mpi`) the compiler
//! accepts a call with fewer arguments than the procedure has; the procedure then takes whatever is in their places for
//! addresses.

use std::{cell::Cell, ffi::c_int};

use mpi_api::{check::short_buffer, finding::CallPlace};

use crate::state::{Compared, State, here};

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

/// Compares the number of arguments in the source of the call with that of the procedure, the error code included, in runs
/// that compare what calls use with the program.
#[inline(always)]
pub(super) fn look(wanted: usize, error: *mut c_int) {
    if let Some(state) = State::current()
        && let Some(compared) = &state.compared
    {
        look_at_call(state, compared, wanted, error);
    }
}

#[cold]
fn look_at_call(state: &State, compared: &Compared, wanted: usize, error: *mut c_int) {
    let site = here();
    let Some(call) = site.call().filter(|_| compared.is_unread(site)) else { return };
    let found = guest::arguments_of_call(site.file, (site.line, site.column), call);
    let Some((given, includes)) = found else { return };
    // With `use mpi_f08` the error code may be left out, and then has no address.
    let is_optional = given + 1 == wanted && error.is_null() && !includes;
    if given != wanted && !is_optional {
        let finding =
            short_buffer::of_list(state.number(), CallPlace { call, site }, given, wanted);
        state.keep_finding(compared, finding);
    }
}
