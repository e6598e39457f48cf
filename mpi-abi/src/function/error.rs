//! Error handlers, classes, codes and texts (MPI sections 9.3 to 9.5).

use std::ffi::{c_char, c_int};

use mpi_api::{
    call::{ErrorHandler, Operation},
    policy::Policy,
};

use super::{request::peek, text};
use crate::{
    constant::{CLASS_TEXTS, Handle, class, handle, number},
    state::{Fault, Handler, Made, Mpi, State, always, call, local, put},
};

pub(super) extern "C" fn create_errhandler(
    function: Option<extern "C" fn(*mut Handle, *mut i32)>,
    handler: *mut Handle,
) -> c_int {
    always(|state, _| {
        let function = function.ok_or_else(|| Fault::new(class::ARG, "the function is null"))?;
        put(handler, state.handlers.borrow_mut().insert(Handler { function }))
    })
}

fn known(state: &State, given: Handle) -> Mpi {
    let predefined =
        matches!(given, handle::ERRORS_ARE_FATAL | handle::ERRORS_RETURN | handle::ERRORS_ABORT);
    if predefined || state.handlers.borrow().get(given).is_some() {
        return Ok(());
    }
    Err(Fault::new(class::ARG, "the error handler is null or was freed"))
}

pub(super) extern "C" fn set_errhandler(comm: Handle, given: Handle) -> c_int {
    call(comm, |state, site| {
        let found = state.comm(comm)?;
        known(state, given)?;
        let fatal = matches!(given, handle::ERRORS_ARE_FATAL | handle::ERRORS_ABORT);
        let kind = if fatal { ErrorHandler::Fatal } else { ErrorHandler::Return };
        state.kernel(site, Operation::SetErrorHandler(found.info.id, kind))?;
        found.handler.set(given);
        Ok(())
    })
}

pub(super) extern "C" fn get_errhandler(comm: Handle, place: *mut Handle) -> c_int {
    call(comm, |state, _| put(place, state.comm(comm)?.handler.get()))
}

pub(super) extern "C" fn errhandler_free(place: *mut Handle) -> c_int {
    always(|state, _| {
        let given = peek(place)?;
        known(state, given)?;
        // A communicator may still use it: the function stays, the handle goes.
        put(place, handle::ERRHANDLER_NULL)
    })
}

pub(super) extern "C" fn call_errhandler(comm: Handle, code: c_int) -> c_int {
    let site = crate::state::here();
    let Some(state) = State::current() else { return class::OTHER };
    match state.comm(comm) {
        Ok(_) => {
            state.fail(site, comm, Fault::new(code, "raised by the program"));
            0
        }
        Err(fault) => state.fail(site, handle::COMM_SELF, fault),
    }
}

/// The record of a code the program made.
fn made(state: &State, code: c_int) -> Option<(c_int, String)> {
    let index = usize::try_from(code - class::LASTCODE - 1).ok()?;
    let list = state.made_errors.borrow();
    let found = list.get(index).filter(|made| !made.removed)?;
    Some((found.class, found.text.clone()))
}

fn class_of(state: &State, code: c_int) -> Mpi<c_int> {
    if (0..=62).contains(&code) {
        return Ok(code);
    }
    let found = made(state, code).map(|(class, _)| class);
    found.ok_or_else(|| Fault::new(class::ARG, format!("there is no error code {code}")))
}

pub(super) extern "C" fn error_class(code: c_int, place: *mut c_int) -> c_int {
    always(|state, _| put(place, class_of(state, code)?))
}

pub(super) extern "C" fn error_string(
    code: c_int,
    place: *mut c_char,
    length: *mut c_int,
) -> c_int {
    always(|state, _| {
        class_of(state, code)?;
        let known = match code {
            0 => "MPI_SUCCESS: no error".to_string(),
            class::PENDING if state.policies().differs(Policy::ConstantNames) => {
                let name = state.policies().value(Policy::ConstantNames);
                format!("{name}: request not complete")
            }
            code @ 1..=62 => CLASS_TEXTS[code as usize - 1].to_string(),
            code => made(state, code).map_or(String::new(), |(_, text)| text),
        };
        text::write(&known, place, length)
    })
}

fn add(state: &State, class: Option<c_int>) -> c_int {
    let mut list = state.made_errors.borrow_mut();
    let code = class::LASTCODE + 1 + list.len() as c_int;
    list.push(Made { class: class.unwrap_or(code), text: String::new(), removed: false });
    state.last_used_code.set(code);
    code
}

pub(super) extern "C" fn add_error_class(place: *mut c_int) -> c_int {
    always(|state, _| put(place, add(state, None)))
}

pub(super) extern "C" fn add_error_code(of: c_int, place: *mut c_int) -> c_int {
    always(|state, _| {
        let class = class_of(state, of)?;
        put(place, add(state, Some(class)))
    })
}

fn change(state: &State, code: c_int, change: impl FnOnce(&mut Made)) -> Mpi {
    let index = usize::try_from(code - class::LASTCODE - 1).ok();
    let mut list = state.made_errors.borrow_mut();
    let found = index.and_then(|index| list.get_mut(index)).filter(|made| !made.removed);
    let found = found.ok_or_else(|| {
        Fault::new(class::ARG, format!("the program has not made error code {code}"))
    })?;
    change(found);
    Ok(())
}

pub(super) extern "C" fn add_error_string(code: c_int, string: *const c_char) -> c_int {
    always(|state, _| {
        let mut text = text::read(string)?;
        text.truncate(number::MAX_ERROR_STRING - 1);
        change(state, code, |made| made.text = text)
    })
}

pub(super) extern "C" fn remove_error(code: c_int) -> c_int {
    always(|state, _| change(state, code, |made| made.removed = true))
}

pub(super) extern "C" fn remove_error_string(code: c_int) -> c_int {
    local(|state, _| change(state, code, |made| made.text = String::new()))
}
