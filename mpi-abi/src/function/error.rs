//! Error handlers, classes, codes and texts (MPI sections 9.3 to 9.5).

use std::{
    cell::Cell,
    ffi::{c_char, c_int},
};

use mpi_api::{
    call::{ErrorHandler, Operation},
    policy::Policy,
};

use super::{request::peek, text, tool::text_of as tool_text};
use crate::{
    constant::{CLASS_TEXTS, Handle, class, handle, number},
    state::{Fault, Handler, Made, Mpi, State, always, call, put},
};

pub(super) extern "C" fn create_errhandler(
    function: Option<extern "C" fn(*mut Handle, *mut i32)>,
    handler: *mut Handle,
) -> c_int {
    always(|state, site| {
        let function = function.ok_or_else(|| Fault::new(class::ARG, "the function is null"))?;
        let made = Handler { function, handles: Cell::new(1), site };
        put(handler, state.handlers.borrow_mut().insert(made))
    })
}

/// The number of handles of an error handler is changed; predefined ones are not counted.
fn count(state: &State, given: Handle, change: impl Fn(u32) -> u32) -> Mpi {
    let predefined =
        matches!(given, handle::ERRORS_ARE_FATAL | handle::ERRORS_RETURN | handle::ERRORS_ABORT);
    let handlers = state.handlers.borrow();
    match handlers.get(given).filter(|handler| handler.handles.get() > 0) {
        Some(handler) => handler.handles.set(change(handler.handles.get())),
        None if predefined => {}
        None => {
            let text = "the error handler is null or was freed";
            return Err(Fault::new(class::ERRHANDLER, text));
        }
    }
    Ok(())
}

/// An error handler that an object may be given.
pub(super) fn known(state: &State, given: Handle) -> Mpi {
    count(state, given, |handles| handles)
}

/// Hands out the error handler of an object, which the program frees (MPI 9.3).
pub(super) fn give(state: &State, held: Handle, place: *mut Handle) -> Mpi {
    if let Some(handler) = state.handlers.borrow().get(held) {
        handler.handles.set(handler.handles.get() + 1);
    }
    put(place, held)
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
    call(comm, |state, _| give(state, state.comm(comm)?.handler.get(), place))
}

pub(super) extern "C" fn errhandler_free(place: *mut Handle) -> c_int {
    always(|state, _| {
        count(state, peek(place)?, |handles| handles - 1)?;
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

/// Codes up to the last one are MPI's: what it does not use is unknown, not wrong.
fn class_of(state: &State, code: c_int) -> Mpi<c_int> {
    if (0..=62).contains(&code) {
        return Ok(code);
    }
    if tool_text(code).is_some() {
        return Ok(code);
    }
    if (0..=class::LASTCODE).contains(&code) {
        return Ok(class::UNKNOWN);
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
            code if tool_text(code).is_some() => tool_text(code).unwrap_or_default().to_string(),
            63..=class::LASTCODE => CLASS_TEXTS[class::UNKNOWN as usize - 1].to_string(),
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
        if class != of {
            return Err(Fault::new(class::ARG, format!("{of} is no error class")));
        }
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
        let text = text::shortened(text::read(string)?, number::MAX_ERROR_STRING - 1);
        change(state, code, |made| made.text = text)
    })
}

/// Takes a class or a code back; a class only when no code belongs to it (MPI 9.5).
fn remove(state: &State, code: c_int, is_class: bool) -> Mpi {
    let class = class_of(state, code)?;
    if (class == code) != is_class {
        let what = if is_class { "class" } else { "code" };
        return Err(Fault::new(class::ARG, format!("{code} is no error {what}")));
    }
    let codes = |made: &&Made| made.class == code && !made.removed;
    if is_class && state.made_errors.borrow().iter().filter(codes).count() > 1 {
        return Err(Fault::new(class::OTHER, format!("class {code} still has error codes")));
    }
    change(state, code, |made| made.removed = true)
}

pub(super) extern "C" fn remove_error_class(class: c_int) -> c_int {
    always(|state, _| remove(state, class, true))
}

pub(super) extern "C" fn remove_error_code(code: c_int) -> c_int {
    always(|state, _| remove(state, code, false))
}

pub(super) extern "C" fn remove_error_string(code: c_int) -> c_int {
    always(|state, _| change(state, code, |made| made.text = String::new()))
}
