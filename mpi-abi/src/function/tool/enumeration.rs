//! Enumerations: the names of the values of a variable (MPI 15.3.5).

use std::ffi::{c_char, c_int};

use super::{
    catalog::{CONTROLS, ControlVariable},
    code, code_of, tell, tool,
};
use crate::{constant::Handle, memory};

/// The handle of the enumeration of the first control variable; the others follow in steps.
const FIRST: Handle = 0x1000;
const STEP: Handle = 16;

/// Returns the enumeration of a control variable; null if its values have no names.
pub(super) fn of(index: usize, variable: &ControlVariable) -> Handle {
    if variable.values.is_empty() { 0 } else { FIRST + STEP * index }
}

/// Returns the variable whose values an enumeration names.
fn named(given: Handle) -> Result<&'static ControlVariable, c_int> {
    let place = given.checked_sub(FIRST).filter(|distance| distance.is_multiple_of(STEP));
    let variable = place.and_then(|distance| CONTROLS.get(distance / STEP));
    variable.filter(|variable| !variable.values.is_empty()).ok_or(code::INVALID_HANDLE)
}

pub(in super::super) extern "C-unwind" fn enum_get_info(
    given: Handle,
    count: *mut c_int,
    name: *mut c_char,
    length: *mut c_int,
) -> c_int {
    tool(|_| {
        code_of(named(given).map(|variable| {
            memory::put_at(count, 0, variable.values.len() as c_int);
            tell(&variable.name, name, length);
        }))
    })
}

pub(in super::super) extern "C-unwind" fn enum_get_item(
    given: Handle,
    index: c_int,
    value: *mut c_int,
    name: *mut c_char,
    length: *mut c_int,
) -> c_int {
    tool(|_| {
        code_of(named(given).and_then(|variable| {
            let found = usize::try_from(index).ok().and_then(|place| variable.values.get(place));
            let text = found.ok_or(code::INVALID_INDEX)?;
            memory::put_at(value, 0, index);
            tell(text, name, length);
            Ok(())
        }))
    })
}
