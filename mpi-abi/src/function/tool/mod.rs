//! The tools interface (MPI section 15.3): `catalog` lists the variables, events and categories, `control` reads
//! and changes settings, `performance` reads what is counted for each rank, `event` registers callbacks, which `telling`
//! calls, `element` is what they read, `category` tells what belongs together, and `enumeration` has the names of values.
//!
//! These functions return their code and call no error handler.

mod catalog;
mod category;
mod control;
mod element;
mod enumeration;
mod event;
mod performance;
mod telling;

use std::ffi::{c_char, c_int};

use mpi_api::call::{Reply, ToolCall};

pub(super) use self::{
    category::*, control::*, enumeration::*, event::*, performance::*, telling::*,
};
use super::environment;
use crate::{
    memory,
    state::{Mpi, State, here, put, with_own_codes},
};

/// Error codes of the interface.
mod code {
    pub(super) const NOT_INITIALIZED: i32 = 1003;
    pub(super) const INVALID: i32 = 1006;
    pub(super) const INVALID_INDEX: i32 = 1007;
    pub(super) const INVALID_SESSION: i32 = 1009;
    pub(super) const INVALID_HANDLE: i32 = 1010;
    pub(super) const INVALID_NAME: i32 = 1011;
    pub(super) const PVAR_NO_WRITE: i32 = 1016;
    pub(super) const PVAR_NO_STARTSTOP: i32 = 1017;
    pub(super) const PVAR_NO_ATOMIC: i32 = 1018;
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
    let done = with_own_codes(|state, site| {
        if state.tool_inits.get() == 0 {
            return code::NOT_INITIALIZED;
        }
        let code = body(state);
        state.tell_findings(site);
        code
    });
    done.unwrap_or(code::NOT_INITIALIZED)
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
        let left = state.tool_inits.get() - 1;
        // Nobody is told anything when the interface has ended.
        let done = if left == 0 { event::end(state) } else { Ok(()) };
        state.tool_inits.set(left);
        code_of(done)
    })
}

/// Returns the code of a result.
fn code_of(done: Result<(), c_int>) -> c_int {
    done.err().unwrap_or(0)
}

/// Makes a call of the kernel; returns 0 for one without a number.
fn ask(state: &State, call: ToolCall) -> Result<i64, c_int> {
    match state.kernel(here(), call) {
        Ok(Reply::Offset(value)) => Ok(value),
        Ok(_) => Ok(0),
        Err(_) => Err(code::INVALID),
    }
}

/// Returns the element at an index that the program gives.
fn at<T>(list: &[T], index: c_int) -> Result<&T, c_int> {
    usize::try_from(index).ok().and_then(|index| list.get(index)).ok_or(code::INVALID_INDEX)
}

/// Writes the index of the element that has a name.
fn find(
    name: *const c_char,
    mut names: impl Iterator<Item = String>,
    place: *mut c_int,
) -> Result<(), c_int> {
    if name.is_null() || place.is_null() {
        return Err(code::INVALID);
    }
    let wanted = memory::text(name).map_err(|_| code::INVALID_NAME)?;
    let found =
        names.position(|known| !known.is_empty() && known == wanted).ok_or(code::INVALID_NAME)?;
    put(place, found as c_int).map_err(|_| code::INVALID)
}

/// Writes a text as this interface does (MPI 15.3.3): as much as there is room for, and the length
/// that the whole text needs; nothing without a length.
fn tell(text: &str, place: *mut c_char, length: *mut c_int) {
    let Ok(room) = memory::get(length, "the length of a text") else { return };
    if !place.is_null() && room > 0 {
        let text = super::text::shortened(text.to_owned(), room as usize - 1);
        // The place is not null, and has the room that the program says.
        let _ = super::text::copy(&text, place);
    }
    memory::put_at(length, 0, text.len() as c_int + 1);
}
