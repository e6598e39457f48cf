//! One-sided communication (MPI chapter 12). `create` makes and frees windows, `shared` has the memory
//! that ranks of a node share, `dynamic` attaches memory, `object` has what windows have in common with
//! other objects, `access` moves data, in the usual case by `short`, from and to `buffers`, and `synchronize`
//! completes accesses.

mod access;
pub(crate) mod buffers;
mod create;
mod dynamic;
mod object;
mod settle;
pub(crate) mod shared;
mod short;
mod synchronize;

use std::{ffi::c_int, rc::Rc};

use mpi_api::{
    call::{ReportCall, Site},
    check::buffer_conflict,
    finding::CallPlace,
};

pub(super) use self::{access::*, create::*, dynamic::*, object::*, shared::*, synchronize::*};
use crate::{
    constant::{Handle, handle},
    state::{Fault, Mpi, State, Window, call, here, quiet},
};

/// Runs the body of a function about a window, whose error handler handles the errors.
fn on_window(window: Handle, body: impl FnOnce(&State, Site, &Rc<Window>) -> Mpi) -> c_int {
    call(handle::COMM_NULL, |state, site| {
        let found = state.window(window)?;
        body(state, site, &found).map_err(|fault| hear(state, site, (window, &found), fault))
    })
}

/// Like [`on_window`], for a body that calls no function of the program.
fn on_window_without_callbacks(
    window: Handle,
    body: impl FnOnce(&State, Site, &Rc<Window>) -> Mpi,
) -> c_int {
    // A quiet rank needs none of what is done around the body.
    if let Some(state) = quiet()
        && let Some(found) = state.windows.borrow().get(window).cloned()
    {
        let site = here();
        let done = body(state, site, &found);
        return finish(state, site, (window, &found), done);
    }
    on_window(window, body)
}

/// This many accesses of a rank to a window may be pending while others use their buffers.
const PENDING_MAX: usize = 100_000;

/// Ends the run if a rank starts accesses for ever: the one that it starts uses the buffer of another, and very many
/// are pending. A program that waits for a result without a flush would go on until the memory is used up.
#[cold]
fn end_if_endless(state: &State, CallPlace { call, site }: CallPlace, window: &Window) -> Mpi {
    let pending = window.pending.borrow().len();
    if pending < PENDING_MAX {
        return Ok(());
    }
    let finding = buffer_conflict::without_end(state.number(), call, pending as u64);
    state.kernel(site, ReportCall::Fatal(Box::new(finding))).map(|_| ())
}

/// Ends a function about a window that was called in a quiet rank; returns what it returns.
#[inline(always)]
fn finish(state: &State, site: Site, window: (Handle, &Window), done: Mpi) -> c_int {
    done.map_or_else(|fault| fail(state, site, window, fault), |()| 0)
}

#[cold]
fn fail(state: &State, site: Site, window: (Handle, &Window), fault: Fault) -> c_int {
    let fault = hear(state, site, window, fault);
    state.fail(site, handle::COMM_NULL, fault)
}

/// Passes an error to the error handler of a window.
fn hear(state: &State, site: Site, (handle, window): (Handle, &Window), fault: Fault) -> Fault {
    state.hear(site, window.handler.get(), (handle, window.info.id), fault)
}
