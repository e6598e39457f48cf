//! The tools interface (MPI section 15.3) without control variables, performance variables,
//! categories or events: a run is configured on the command line, and its results are in the
//! reports. Every index and handle is therefore invalid and returns its MPI_T error class.
//!
//! These functions return their code and call no error handler. A function whose calls always fail for
//! the same argument takes only the parameters up to that one.

use std::ffi::{c_char, c_int, c_void};

use super::{environment, request::peek};
use crate::{
    constant::{Handle, handle},
    state::{Mpi, State, put},
};

/// Error codes of the interface.
mod code {
    pub(super) const NOT_INITIALIZED: i32 = 1003;
    pub(super) const INVALID: i32 = 1006;
    pub(super) const INVALID_INDEX: i32 = 1007;
    pub(super) const INVALID_SESSION: i32 = 1009;
    pub(super) const INVALID_HANDLE: i32 = 1010;
    pub(super) const INVALID_NAME: i32 = 1011;
}

const TEXTS: [&str; 18] = [
    "MPI_T_ERR_CANNOT_INIT: the tools interface cannot begin",
    "MPI_T_ERR_NOT_ACCESSIBLE: not accessible",
    "MPI_T_ERR_NOT_INITIALIZED: the tools interface has not begun",
    "MPI_T_ERR_NOT_SUPPORTED: not supported",
    "MPI_T_ERR_MEMORY: out of memory",
    "MPI_T_ERR_INVALID: invalid argument",
    "MPI_T_ERR_INVALID_INDEX: invalid index",
    "MPI_T_ERR_INVALID_ITEM: invalid item",
    "MPI_T_ERR_INVALID_SESSION: invalid session",
    "MPI_T_ERR_INVALID_HANDLE: invalid handle",
    "MPI_T_ERR_INVALID_NAME: no such name",
    "MPI_T_ERR_OUT_OF_HANDLES: no more handles",
    "MPI_T_ERR_OUT_OF_SESSIONS: no more sessions",
    "MPI_T_ERR_CVAR_SET_NOT_NOW: the variable cannot be set now",
    "MPI_T_ERR_CVAR_SET_NEVER: the variable cannot be set",
    "MPI_T_ERR_PVAR_NO_WRITE: the variable cannot be written",
    "MPI_T_ERR_PVAR_NO_STARTSTOP: the variable cannot be started or stopped",
    "MPI_T_ERR_PVAR_NO_ATOMIC: the variable cannot be read and reset at once",
];

/// Returns the meaning of an error code of the interface.
pub(super) fn text_of(code: c_int) -> Option<&'static str> {
    usize::try_from(code - 1001).ok().and_then(|at| TEXTS.get(at)).copied()
}

fn answer(done: Mpi) -> c_int {
    done.map_or(code::INVALID, |()| 0)
}

/// Runs the body of a function that is allowed only while the interface is initialised.
fn tool(body: impl FnOnce(&State) -> c_int) -> c_int {
    match State::current() {
        Some(state) if state.tool_inits.get() > 0 => body(state),
        _ => code::NOT_INITIALIZED,
    }
}

pub(super) extern "C-unwind" fn init_thread(required: c_int, provided: *mut c_int) -> c_int {
    let Some(state) = State::current() else { return code::NOT_INITIALIZED };
    if !environment::LEVELS.contains(&required) {
        return code::INVALID;
    }
    state.tool_inits.set(state.tool_inits.get() + 1);
    answer(put(provided, required))
}

pub(super) extern "C-unwind" fn finalize() -> c_int {
    tool(|state| {
        state.tool_inits.set(state.tool_inits.get() - 1);
        0
    })
}

/// Writes 0, the number of objects of any kind.
pub(super) extern "C-unwind" fn count(place: *mut c_int) -> c_int {
    tool(|_| answer(put(place, 0)))
}

/// Returns the error for an invalid index.
pub(super) extern "C-unwind" fn no_index(_index: c_int) -> c_int {
    tool(|_| code::INVALID_INDEX)
}

/// Returns the error for an invalid handle, passed by value or by address.
pub(super) extern "C-unwind" fn no_handle<T>(_handle: T) -> c_int {
    tool(|_| code::INVALID_HANDLE)
}

/// Returns the error for an unknown name.
pub(super) extern "C-unwind" fn no_name(name: *const c_char) -> c_int {
    tool(|_| if name.is_null() { code::INVALID } else { code::INVALID_NAME })
}

pub(super) extern "C-unwind" fn session_create(place: *mut Handle) -> c_int {
    tool(|state| answer(put(place, state.rare().tool_sessions.borrow_mut().insert(()))))
}

pub(super) extern "C-unwind" fn session_free(place: *mut Handle) -> c_int {
    tool(|state| {
        let freed = peek(place)
            .ok()
            .and_then(|given| state.rare().tool_sessions.borrow_mut().remove(given));
        if freed.is_none() {
            return code::INVALID_SESSION;
        }
        answer(put(place, 0))
    })
}

/// Checks the session, then returns `wrong` for an invalid index or handle.
fn in_session(session: Handle, wrong: c_int) -> c_int {
    tool(|state| {
        let known = state.rare().tool_sessions.borrow().get(session).is_some();
        if known { wrong } else { code::INVALID_SESSION }
    })
}

pub(super) extern "C-unwind" fn variable_alloc(
    session: Handle,
    _index: c_int,
    _object: *mut c_void,
    _handle: *mut Handle,
    _count: *mut c_int,
) -> c_int {
    in_session(session, code::INVALID_INDEX)
}

pub(super) extern "C-unwind" fn variable(session: Handle, given: Handle) -> c_int {
    // MPI_T_PVAR_ALL_HANDLES refers to an empty set, so that nothing is to be done.
    in_session(session, if given == handle::ALL_VARIABLES { 0 } else { code::INVALID_HANDLE })
}

pub(super) extern "C-unwind" fn one_variable<T>(session: Handle, _handle: T) -> c_int {
    in_session(session, code::INVALID_HANDLE)
}

pub(super) extern "C-unwind" fn no_time(_source: c_int, _place: *mut i64) -> c_int {
    tool(|_| code::INVALID_INDEX)
}
