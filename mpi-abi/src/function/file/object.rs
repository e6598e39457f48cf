//! What files have in common with other objects: hints and error handlers (MPI sections 9.3 and
//! 14.2.8).

use std::ffi::c_int;

use mpi_api::{
    call::{Brought, CommId, FileCall, FileMeeting, Reply},
    object::hints::FileHints,
};

use super::{
    super::{error, info},
    meet, on_file, with_all,
};
use crate::{
    constant::{Handle, class, handle},
    state::{Fault, HandlerOf, Info, Mpi, State, always, here, put, wanted},
};

pub(in super::super) extern "C-unwind" fn set_file_info(file: Handle, given: Handle) -> c_int {
    with_all(file, |state, site, file| {
        let given = info::of(state, given)?;
        let brought = Brought::Hints(Box::new(for_file(&given)));
        meet(state, site, file, FileMeeting::SetInfo, brought)?;
        file.hints.borrow_mut().update(given);
        Ok(())
    })
}

/// Returns the hints that the kernel knows.
pub(super) fn for_file(given: &Info) -> FileHints {
    let mut hints = FileHints::default();
    given.0.iter().for_each(|(name, value)| hints.set(name, value));
    hints
}

/// Implements `MPI_File_get_info`: the values in use of the hints that have an effect, and what the program
/// has given besides.
pub(in super::super) extern "C-unwind" fn get_file_info(file: Handle, place: *mut Handle) -> c_int {
    on_file(file, |state, site, file| {
        wanted(place)?;
        let Reply::Hints(used) = state.kernel(site, FileCall::Hints(file.id()))? else {
            return Err(Fault::new(class::INTERN, "no hints"));
        };
        let mut hints = file.hints.borrow().clone();
        for (name, value) in used.pairs() {
            hints.set(name.into(), value);
        }
        put(place, info::add(state, info::with_memory_kinds(hints)))
    })
}

/// Runs the body of a function about an error handler, which `MPI_FILE_NULL` has, too.
fn on_any(file: Handle, body: impl FnOnce(&State) -> Mpi) -> c_int {
    if file == handle::FILE_NULL {
        return always(|state, _| body(state));
    }
    on_file(file, |state, _, _| body(state))
}

pub(in super::super) extern "C-unwind" fn set_file_errhandler(
    file: Handle,
    given: Handle,
) -> c_int {
    on_any(file, |state| {
        error::known(state, given, HandlerOf::File)?;
        match state.file(file) {
            Ok(file) => {
                file.handler.set(given);
                file.chosen.set(true);
            }
            Err(_) => state.rare().file_handler.set((given, true)),
        }
        Ok(())
    })
}

pub(in super::super) extern "C-unwind" fn get_file_errhandler(
    file: Handle,
    place: *mut Handle,
) -> c_int {
    on_any(file, |state| {
        let held = match state.file(file) {
            Ok(file) => file.handler.get(),
            Err(_) => state.rare().file_handler.get().0,
        };
        error::give(state, held, place)
    })
}

pub(in super::super) extern "C-unwind" fn call_file_errhandler(file: Handle, code: c_int) -> c_int {
    let site = here();
    let Some(state) = State::current() else { return class::OTHER };
    let (handler, id) = match state.file(file) {
        Ok(file) => (file.handler.get(), file.info.id),
        Err(_) => (state.rare().file_handler.get().0, CommId::WORLD),
    };
    state.call_handler(site, handler, (file, id), code);
    0
}
