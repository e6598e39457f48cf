//! Performance variables (MPI 15.3.7).
#![allow(clippy::too_many_arguments, reason = "the standard's")]

use std::ffi::{c_char, c_int, c_void};

use mpi_api::call::ToolCall;

use super::{
    super::request::peek,
    ask, at,
    catalog::{Class, GAUGES, PerformanceVariable},
    code, code_of, find, tell, tool,
};
use crate::{
    constant::{Handle, handle, tools},
    memory,
    state::{Measurement, State, Table, put},
};

/// Picoseconds of a second.
const SECOND: f64 = 1e12;

pub(in super::super) extern "C-unwind" fn pvar_get_num(place: *mut c_int) -> c_int {
    tool(|_| super::answer(put(place, GAUGES.len() as c_int)))
}

pub(in super::super) extern "C-unwind" fn pvar_get_info(
    index: c_int,
    name: *mut c_char,
    name_length: *mut c_int,
    verbosity: *mut c_int,
    class: *mut c_int,
    datatype: *mut Handle,
    values: *mut Handle,
    text: *mut c_char,
    text_length: *mut c_int,
    bind: *mut c_int,
    readonly: *mut c_int,
    continuous: *mut c_int,
    atomic: *mut c_int,
) -> c_int {
    tool(|_| {
        code_of(at(&GAUGES, index).map(|variable| {
            tell(variable.name, name, name_length);
            tell(variable.text, text, text_length);
            memory::put_at(verbosity, 0, tools::VERBOSITY_USER_BASIC);
            memory::put_at(class, 0, variable.class.number());
            let kind = match variable.class {
                Class::Timer => handle::DOUBLE,
                Class::Level | Class::HighWaterMark | Class::Counter | Class::Aggregate => {
                    handle::UNSIGNED_LONG_LONG
                }
            };
            memory::put_at(datatype, 0, kind);
            memory::put_at(values, 0, 0);
            memory::put_at(bind, 0, tools::BIND_NO_OBJECT);
            let is_state = c_int::from(variable.class.is_state());
            memory::put_at(readonly, 0, is_state);
            memory::put_at(continuous, 0, is_state);
            memory::put_at(atomic, 0, 1 - is_state);
        }))
    })
}

pub(in super::super) extern "C-unwind" fn pvar_get_index(
    name: *const c_char,
    class: c_int,
    place: *mut c_int,
) -> c_int {
    // Names of another class are no names.
    let known = |variable: &PerformanceVariable| match variable.class.number() == class {
        true => variable.name.to_owned(),
        false => String::new(),
    };
    tool(|_| code_of(find(name, GAUGES.iter().map(known), place)))
}

pub(in super::super) extern "C-unwind" fn session_create(place: *mut Handle) -> c_int {
    tool(|state| super::answer(put(place, state.rare().tool_sessions.borrow_mut().insert(()))))
}

pub(in super::super) extern "C-unwind" fn session_free(place: *mut Handle) -> c_int {
    tool(|state| {
        let given = peek(place).ok();
        let rare = state.rare();
        let freed = given.and_then(|given| rare.tool_sessions.borrow_mut().remove(given));
        if freed.is_none() {
            return code::INVALID_SESSION;
        }
        let mut measurements = rare.measurements.borrow_mut();
        for (handle, _) in handles_in(&measurements, given.unwrap_or_default()) {
            measurements.remove(handle);
        }
        super::answer(put(place, 0))
    })
}

/// Returns the measurements of a session with their handles.
fn handles_in(all: &Table<Measurement>, session: Handle) -> Vec<(Handle, Measurement)> {
    let own = all.entries().filter(|(_, one)| one.session == session);
    own.map(|(handle, one)| (handle, *one)).collect()
}

/// Checks a session.
fn known(state: &State, session: Handle) -> Result<(), c_int> {
    let known = state.rare().tool_sessions.borrow().get(session).is_some();
    if known { Ok(()) } else { Err(code::INVALID_SESSION) }
}

pub(in super::super) extern "C-unwind" fn pvar_handle_alloc(
    session: Handle,
    index: c_int,
    _object: *mut c_void,
    place: *mut Handle,
    count: *mut c_int,
) -> c_int {
    tool(|state| {
        code_of(known(state, session).and_then(|()| {
            at(&GAUGES, index)?;
            if place.is_null() {
                return Err(code::INVALID);
            }
            let made = Measurement { session, index: index as usize, stored: 0, since: None };
            let made = state.rare().measurements.borrow_mut().insert(made);
            memory::put_at(count, 0, 1);
            put(place, made).map_err(|_| code::INVALID)
        }))
    })
}

/// Returns the measurement of a handle in a session, with its variable.
fn measured(
    state: &State,
    session: Handle,
    given: Handle,
) -> Result<(Measurement, &'static PerformanceVariable), c_int> {
    known(state, session)?;
    let found = state.rare().measurements.borrow().get(given).copied();
    let found = found.filter(|one| one.session == session).ok_or(code::INVALID_HANDLE)?;
    Ok((found, &GAUGES[found.index]))
}

pub(in super::super) extern "C-unwind" fn pvar_handle_free(
    session: Handle,
    place: *mut Handle,
) -> c_int {
    tool(|state| {
        code_of(peek(place).map_err(|_| code::INVALID_HANDLE).and_then(|given| {
            measured(state, session, given)?;
            state.rare().measurements.borrow_mut().remove(given);
            put(place, 0).map_err(|_| code::INVALID)
        }))
    })
}

/// Stores a changed measurement.
fn change(state: &State, given: Handle, changed: Measurement) {
    if let Some(one) = state.rare().measurements.borrow_mut().get_mut(given) {
        *one = changed;
    }
}

/// Returns what the kernel counts now.
fn present(state: &State, variable: &PerformanceVariable) -> Result<i64, c_int> {
    ask(state, ToolCall::Read(variable.gauge))
}

/// Returns the value of a measurement.
fn value(
    state: &State,
    (one, variable): (Measurement, &PerformanceVariable),
) -> Result<i64, c_int> {
    if variable.class.is_state() {
        return present(state, variable);
    }
    Ok(match one.since {
        Some(since) => one.stored + present(state, variable)? - since,
        None => one.stored,
    })
}

/// What is done to one measurement or to all of a session.
type Step = fn(&State, (Measurement, &PerformanceVariable)) -> Result<Measurement, c_int>;

fn started(
    state: &State,
    (one, variable): (Measurement, &PerformanceVariable),
) -> Result<Measurement, c_int> {
    if variable.class.is_state() {
        return Err(code::PVAR_NO_STARTSTOP);
    }
    let since = match one.since {
        Some(since) => since,
        None => present(state, variable)?,
    };
    Ok(Measurement { since: Some(since), ..one })
}

fn stopped(
    state: &State,
    (one, variable): (Measurement, &PerformanceVariable),
) -> Result<Measurement, c_int> {
    if variable.class.is_state() {
        return Err(code::PVAR_NO_STARTSTOP);
    }
    Ok(Measurement { stored: value(state, (one, variable))?, since: None, ..one })
}

fn reset(
    state: &State,
    (one, variable): (Measurement, &PerformanceVariable),
) -> Result<Measurement, c_int> {
    if variable.class.is_state() {
        return Err(code::PVAR_NO_WRITE);
    }
    let since = one.since.map(|_| present(state, variable)).transpose()?;
    Ok(Measurement { stored: 0, since, ..one })
}

/// Changes the measurement of a handle, or all of the session that can be changed so.
fn step(session: Handle, given: Handle, step: Step) -> c_int {
    tool(|state| {
        code_of(known(state, session).and_then(|()| {
            if given != handle::ALL_VARIABLES {
                let changed = step(state, measured(state, session, given)?)?;
                change(state, given, changed);
                return Ok(());
            }
            let all = handles_in(&state.rare().measurements.borrow(), session);
            for (handle, one) in all {
                if let Ok(changed) = step(state, (one, &GAUGES[one.index])) {
                    change(state, handle, changed);
                }
            }
            Ok(())
        }))
    })
}

pub(in super::super) extern "C-unwind" fn pvar_start(session: Handle, given: Handle) -> c_int {
    step(session, given, started)
}

pub(in super::super) extern "C-unwind" fn pvar_stop(session: Handle, given: Handle) -> c_int {
    step(session, given, stopped)
}

pub(in super::super) extern "C-unwind" fn pvar_reset(session: Handle, given: Handle) -> c_int {
    step(session, given, reset)
}

/// Writes a value in the type of the variable.
fn store(variable: &PerformanceVariable, value: i64, place: *mut c_void) -> Result<(), c_int> {
    let stored = match variable.class {
        Class::Timer => put(place.cast::<f64>(), value as f64 / SECOND),
        Class::Level | Class::HighWaterMark | Class::Counter | Class::Aggregate => {
            put(place.cast::<u64>(), value as u64)
        }
    };
    stored.map_err(|_| code::INVALID)
}

pub(in super::super) extern "C-unwind" fn pvar_read(
    session: Handle,
    given: Handle,
    place: *mut c_void,
) -> c_int {
    tool(|state| {
        code_of(measured(state, session, given).and_then(|found| {
            let value = value(state, found)?;
            store(found.1, value, place)
        }))
    })
}

pub(in super::super) extern "C-unwind" fn pvar_readreset(
    session: Handle,
    given: Handle,
    place: *mut c_void,
) -> c_int {
    tool(|state| {
        code_of(measured(state, session, given).and_then(|(one, variable)| {
            if variable.class.is_state() {
                return Err(code::PVAR_NO_ATOMIC);
            }
            // One look at the kernel, so that nothing is lost in between.
            let now = one.since.map(|_| present(state, variable)).transpose()?;
            let passed = now.zip(one.since).map_or(0, |(now, since)| now - since);
            store(variable, one.stored + passed, place)?;
            change(state, given, Measurement { stored: 0, since: now, ..one });
            Ok(())
        }))
    })
}

pub(in super::super) extern "C-unwind" fn pvar_write(
    session: Handle,
    given: Handle,
    place: *const c_void,
) -> c_int {
    tool(|state| {
        code_of(measured(state, session, given).and_then(|(one, variable)| {
            if variable.class.is_state() {
                return Err(code::PVAR_NO_WRITE);
            }
            let what = "a value";
            let value = match variable.class {
                Class::Timer => memory::get(place.cast::<f64>(), what).map(|it| it * SECOND),
                Class::Level | Class::HighWaterMark | Class::Counter | Class::Aggregate => {
                    memory::get(place.cast::<u64>(), what).map(|it| it as f64)
                }
            };
            let stored = value.map_err(|_| code::INVALID)? as i64;
            let since = one.since.map(|_| present(state, variable)).transpose()?;
            change(state, given, Measurement { stored, since, ..one });
            Ok(())
        }))
    })
}
