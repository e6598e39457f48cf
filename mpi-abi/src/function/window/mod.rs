//! One-sided communication (MPI chapter 12). `create` makes and frees windows, `shared` has the memory
//! that ranks of a node share, `dynamic` attaches memory, `object` has what windows have in common with
//! other objects, `access` moves data, and `synchronize` completes accesses.

mod access;
mod create;
mod dynamic;
mod object;
mod settle;
mod shared;
mod synchronize;

use std::{ffi::c_int, rc::Rc};

use mpi_api::call::Site;

pub(super) use self::{access::*, create::*, dynamic::*, object::*, shared::*, synchronize::*};
use crate::{
    constant::{Handle, handle},
    state::{Fault, Mpi, State, Window, call},
};

/// Runs the body of a function about a window, whose error handler handles the errors.
fn on_window(window: Handle, body: impl FnOnce(&State, Site, &Rc<Window>) -> Mpi) -> c_int {
    call(handle::COMM_NULL, |state, site| {
        let found = state.window(window)?;
        body(state, site, &found).map_err(|fault| hear(state, site, (window, &found), fault))
    })
}

/// Passes an error to the error handler of a window.
fn hear(state: &State, site: Site, (handle, window): (Handle, &Window), fault: Fault) -> Fault {
    state.hear(site, window.handler.get(), (handle, window.info.id), fault)
}
