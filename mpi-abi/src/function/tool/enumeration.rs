//! Enumerations: the names of the values of a variable, or of the elements of an event (MPI 15.3.5, 15.3.8).

use std::ffi::{c_char, c_int};

use super::{
    catalog::{CONTROLS, ControlVariable},
    code, code_of,
    element::Element,
    tell, tool,
};
use crate::{constant::Handle, memory};

/// The handle of the enumeration of the first control variable; the others follow in steps.
const FIRST: Handle = 0x1000;
const STEP: Handle = 16;
/// The handle of the enumeration of the elements of events.
pub(super) const ELEMENTS: Handle = FIRST - STEP;

/// Returns the enumeration of a control variable; null if its values have no names.
pub(super) fn of(index: usize, variable: &ControlVariable) -> Handle {
    if variable.values.is_empty() { 0 } else { FIRST + STEP * index }
}

/// The name of an enumeration, and those of its values from 0.
struct Names {
    name: &'static str,
    values: Vec<&'static str>,
}

/// Returns the names of an enumeration.
fn named(given: Handle) -> Result<Names, c_int> {
    if given == ELEMENTS {
        let values = Element::ALL.map(Element::name).to_vec();
        return Ok(Names { name: "elements_of_matches", values });
    }
    let place = given.checked_sub(FIRST).filter(|distance| distance.is_multiple_of(STEP));
    let variable = place.and_then(|distance| CONTROLS.get(distance / STEP));
    let variable = variable.filter(|variable| !variable.values.is_empty());
    let ControlVariable { name, values, .. } = variable.ok_or(code::INVALID_HANDLE)?;
    Ok(Names { name, values: values.clone() })
}

pub(in super::super) extern "C-unwind" fn enum_get_info(
    given: Handle,
    count: *mut c_int,
    name: *mut c_char,
    length: *mut c_int,
) -> c_int {
    tool(|_| {
        code_of(named(given).map(|names| {
            memory::put_at(count, 0, names.values.len() as c_int);
            tell(names.name, name, length);
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
        code_of(named(given).and_then(|names| {
            let found = usize::try_from(index).ok().and_then(|place| names.values.get(place));
            let text = found.ok_or(code::INVALID_INDEX)?;
            memory::put_at(value, 0, index);
            tell(text, name, length);
            Ok(())
        }))
    })
}
