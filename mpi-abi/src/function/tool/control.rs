//! Control variables (MPI 15.3.6).
#![allow(clippy::too_many_arguments, reason = "the standard's")]

use std::ffi::{c_char, c_int, c_void};

use mpi_api::call::{Control, ToolCall};

use super::{
    super::request::peek,
    ask, at,
    catalog::{CONTROLS, ControlVariable},
    code, code_of, enumeration, find, tell, tool,
};
use crate::{
    constant::{Handle, handle, tools},
    memory,
    state::{State, put},
};

pub(in super::super) extern "C-unwind" fn cvar_get_num(place: *mut c_int) -> c_int {
    tool(|_| super::answer(put(place, CONTROLS.len() as c_int)))
}

pub(in super::super) extern "C-unwind" fn cvar_get_info(
    index: c_int,
    name: *mut c_char,
    name_length: *mut c_int,
    verbosity: *mut c_int,
    datatype: *mut Handle,
    values: *mut Handle,
    text: *mut c_char,
    text_length: *mut c_int,
    bind: *mut c_int,
    scope: *mut c_int,
) -> c_int {
    tool(|_| {
        code_of(at(&CONTROLS, index).map(|variable| {
            tell(&variable.name, name, name_length);
            tell(&variable.text, text, text_length);
            memory::put_at(verbosity, 0, tools::VERBOSITY_TUNER_BASIC);
            let is_number = variable.values.is_empty();
            let kind = if is_number { handle::COUNT } else { handle::INT };
            memory::put_at(datatype, 0, kind);
            memory::put_at(values, 0, enumeration::of(index as usize, variable));
            memory::put_at(bind, 0, tools::BIND_NO_OBJECT);
            memory::put_at(scope, 0, tools::SCOPE_ALL_EQ);
        }))
    })
}

pub(in super::super) extern "C-unwind" fn cvar_get_index(
    name: *const c_char,
    place: *mut c_int,
) -> c_int {
    tool(|_| code_of(find(name, CONTROLS.iter().map(|known| known.name.clone()), place)))
}

pub(in super::super) extern "C-unwind" fn cvar_handle_alloc(
    index: c_int,
    _object: *mut c_void,
    place: *mut Handle,
    count: *mut c_int,
) -> c_int {
    tool(|state| {
        code_of(at(&CONTROLS, index).and_then(|_| {
            if place.is_null() {
                return Err(code::INVALID);
            }
            let made = state.rare().tool_controls.borrow_mut().insert(index as usize);
            memory::put_at(count, 0, 1);
            put(place, made).map_err(|_| code::INVALID)
        }))
    })
}

pub(in super::super) extern "C-unwind" fn cvar_handle_free(place: *mut Handle) -> c_int {
    tool(|state| {
        let given = peek(place).ok();
        let freed = given.and_then(|given| state.rare().tool_controls.borrow_mut().remove(given));
        match freed {
            Some(_) => super::answer(put(place, 0)),
            None => code::INVALID_HANDLE,
        }
    })
}

/// Returns the variable of a handle.
fn variable(state: &State, given: Handle) -> Result<&'static ControlVariable, c_int> {
    let index = state.rare().tool_controls.borrow().get(given).copied();
    index.and_then(|index| CONTROLS.get(index)).ok_or(code::INVALID_HANDLE)
}

pub(in super::super) extern "C-unwind" fn cvar_read(given: Handle, place: *mut c_void) -> c_int {
    tool(|state| {
        code_of(variable(state, given).and_then(|variable| {
            let value = ask(state, ToolCall::Get(variable.control))?;
            let stored = match variable.control {
                Control::EagerLimit | Control::BufferPool => put(place.cast::<i64>(), value),
                Control::Algorithm(_) => put(place.cast::<c_int>(), value as c_int),
            };
            stored.map_err(|_| code::INVALID)
        }))
    })
}

pub(in super::super) extern "C-unwind" fn cvar_write(given: Handle, place: *const c_void) -> c_int {
    tool(|state| {
        code_of(variable(state, given).and_then(|variable| {
            let what = "a value";
            let (value, least, most) = match variable.control {
                Control::EagerLimit | Control::BufferPool => {
                    (memory::get(place.cast::<i64>(), what), -1, i64::MAX)
                }
                Control::Algorithm(_) => {
                    let value = memory::get(place.cast::<c_int>(), what).map(i64::from);
                    (value, 0, variable.values.len() as i64 - 1)
                }
            };
            let value = value.ok().filter(|value| (least..=most).contains(value));
            let value = value.ok_or(code::INVALID)?;
            ask(state, ToolCall::Set(variable.control, value)).map(|_| ())
        }))
    })
}
