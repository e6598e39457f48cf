//! Error handlers, classes, codes and texts (MPI sections 9.3 to 9.5).

use std::{
    cell::Cell,
    ffi::{c_char, c_int},
};

use mpi_api::error::{ErrorCodes, MpiError};

use super::{request::peek, text, tool::text_of as tool_text};
use crate::{
    constant::{Handle, class, handle, number},
    state::{Fault, Handler, HandlerOf, Mpi, State, always, call, put},
};

/// The function of an error handler, as C declares it for communicators.
pub(super) type Function = extern "C-unwind" fn(*mut Handle, *mut i32);

fn create(function: Option<Function>, handler: *mut Handle, of: HandlerOf) -> c_int {
    always(|state, site| {
        let function = function.ok_or_else(|| Fault::new(class::ARG, "the function is null"))?;
        let made = Handler { function, of, handles: Cell::new(1), site };
        put(handler, state.rare().handlers.borrow_mut().insert(made))
    })
}

/// Defines the functions that create error handlers.
macro_rules! creators {
    ($($name:ident: $of:ident;)*) => {
        $(
            pub(super) extern "C-unwind" fn $name(
                function: Option<Function>,
                handler: *mut Handle,
            ) -> c_int {
                create(function, handler, HandlerOf::$of)
            }
        )*
    };
}

creators! {
    create_comm_errhandler: Comm;
    create_window_errhandler: Window;
    create_file_errhandler: File;
    create_session_errhandler: Session;
}

/// Changes the number of handles of an error handler; predefined ones are not counted.
fn count(state: &State, given: Handle, change: impl Fn(u32) -> u32) -> Mpi {
    let predefined =
        matches!(given, handle::ERRORS_ARE_FATAL | handle::ERRORS_RETURN | handle::ERRORS_ABORT);
    let handlers = state.rare().handlers.borrow();
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

/// Checks that a handle is an error handler that may be attached to such an object.
pub(super) fn known(state: &State, given: Handle, wanted: HandlerOf) -> Mpi {
    count(state, given, |handles| handles)?;
    match state.rare().handlers.borrow().get(given) {
        Some(handler) if handler.of != wanted => {
            let (of, wanted) = (handler.of.words(), wanted.words());
            let text = format!("the error handler was created for {of}, not for {wanted}");
            Err(Fault::new(class::ERRHANDLER, text))
        }
        _ => Ok(()),
    }
}

/// Returns the error handler of an object; the program frees the handle (MPI 9.3).
pub(super) fn give(state: &State, held: Handle, place: *mut Handle) -> Mpi {
    if let Some(handler) = state.rare().handlers.borrow().get(held) {
        handler.handles.set(handler.handles.get() + 1);
    }
    put(place, held)
}

pub(super) extern "C-unwind" fn set_errhandler(comm: Handle, given: Handle) -> c_int {
    call(comm, |state, site| {
        let found = state.comm(comm)?;
        known(state, given, HandlerOf::Comm)?;
        found.handler.set(given);
        state.tell_handler(site, &found)
    })
}

pub(super) extern "C-unwind" fn get_errhandler(comm: Handle, place: *mut Handle) -> c_int {
    call(comm, |state, _| give(state, state.comm(comm)?.handler.get(), place))
}

pub(super) extern "C-unwind" fn errhandler_free(place: *mut Handle) -> c_int {
    always(|state, _| {
        count(state, peek(place)?, |handles| handles - 1)?;
        put(place, handle::ERRHANDLER_NULL)
    })
}

pub(super) extern "C-unwind" fn call_errhandler(comm: Handle, code: c_int) -> c_int {
    let site = crate::state::here();
    let Some(state) = State::current() else { return class::OTHER };
    match state.comm(comm) {
        Ok(found) => {
            state.call_handler(site, found.handler.get(), (comm, found.info.id), code);
            0
        }
        Err(fault) => state.fail(site, handle::COMM_SELF, fault),
    }
}

/// Runs `body` on the error codes of the rank.
fn codes<T>(state: &State, body: impl FnOnce(&mut ErrorCodes) -> Result<T, MpiError>) -> Mpi<T> {
    let mut codes = state.rare().codes.borrow_mut();
    let done = body(&mut codes)?;
    state.last_used_code.set(codes.last_used());
    Ok(done)
}

pub(super) extern "C-unwind" fn error_class(code: c_int, place: *mut c_int) -> c_int {
    always(|state, _| {
        // The error classes of the tools interface are known here only.
        if tool_text(code).is_some() {
            return put(place, code);
        }
        let class = codes(state, |codes| codes.class_of(code))?;
        put(place, class.map_or(0, |class| class.code()))
    })
}

pub(super) extern "C-unwind" fn error_string(
    code: c_int,
    place: *mut c_char,
    length: *mut c_int,
) -> c_int {
    always(|state, _| match tool_text(code) {
        Some(known) => text::write(known, text::ERROR_STRING, place, length),
        None => {
            let known = codes(state, |codes| codes.text(code, state.policies()))?;
            text::write(&known, text::ERROR_STRING, place, length)
        }
    })
}

pub(super) extern "C-unwind" fn add_error_class(place: *mut c_int) -> c_int {
    always(|state, _| put(place, codes(state, |codes| Ok(codes.add_class()))?.code()))
}

pub(super) extern "C-unwind" fn add_error_code(of: c_int, place: *mut c_int) -> c_int {
    always(|state, _| put(place, codes(state, |codes| codes.add_code(of))?))
}

pub(super) extern "C-unwind" fn add_error_string(code: c_int, string: *const c_char) -> c_int {
    always(|state, _| {
        let text = text::shortened(text::read(string)?, number::MAX_ERROR_STRING - 1);
        codes(state, |codes| codes.set_text(code, text))
    })
}

pub(super) extern "C-unwind" fn remove_error_class(class: c_int) -> c_int {
    always(|state, _| codes(state, |codes| codes.remove_class(class)))
}

pub(super) extern "C-unwind" fn remove_error_code(code: c_int) -> c_int {
    always(|state, _| codes(state, |codes| codes.remove_code(code)))
}

pub(super) extern "C-unwind" fn remove_error_string(code: c_int) -> c_int {
    always(|state, _| codes(state, |codes| codes.remove_text(code)))
}
