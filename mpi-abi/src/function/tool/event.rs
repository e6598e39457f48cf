//! Types of events, their source, and registrations (MPI 15.3.8). `telling` calls the callbacks.
#![allow(clippy::too_many_arguments, reason = "the standard's")]

use std::{
    ffi::{c_char, c_int, c_void},
    rc::Rc,
};

use mpi_api::{
    call::{EventKind, Reply, ToolCall},
    object::info::Info,
};

use super::{
    super::info,
    ask, at,
    catalog::EVENTS,
    code, code_of,
    element::Element,
    enumeration, find, tell,
    telling::{say_farewell, tell_events},
    tool,
};
use crate::{
    constant::{Handle, handle, tools},
    memory,
    state::{EventCallback, LEVELS, OnDropped, OnEvent, OnFree, Registration, State, here, put},
};

/// Ticks of the source in a second: it tells the simulated time in picoseconds.
const TICKS_PER_SECOND: i64 = 1_000_000_000_000;
/// The hint that says how many events are kept until the call ends in which they happened.
const ROOM: &str = "event_buffer";
/// Its default.
const USUAL_ROOM: u32 = 65_536;

/// The safety levels, the least safe one first.
const SAFETY: [c_int; LEVELS] = [
    tools::CB_REQUIRE_NONE,
    tools::CB_REQUIRE_MPI_RESTRICTED,
    tools::CB_REQUIRE_THREAD_SAFE,
    tools::CB_REQUIRE_ASYNC_SIGNAL_SAFE,
];

pub(in super::super) extern "C-unwind" fn event_get_num(place: *mut c_int) -> c_int {
    tool(|_| super::answer(put(place, EVENTS.len() as c_int)))
}

pub(in super::super) extern "C-unwind" fn event_get_info(
    index: c_int,
    name: *mut c_char,
    name_length: *mut c_int,
    verbosity: *mut c_int,
    datatypes: *mut Handle,
    displacements: *mut i64,
    count: *mut c_int,
    elements: *mut Handle,
    hints: *mut Handle,
    text: *mut c_char,
    text_length: *mut c_int,
    bind: *mut c_int,
) -> c_int {
    tool(|_| {
        code_of(at(&EVENTS, index).map(|event| {
            tell(event.name, name, name_length);
            tell(event.text, text, text_length);
            memory::put_at(verbosity, 0, tools::VERBOSITY_USER_BASIC);
            let room = memory::get(count, "the number of elements").unwrap_or(0);
            let room = usize::try_from(room).unwrap_or(0);
            for (slot, element) in Element::ALL.into_iter().enumerate().take(room) {
                memory::put_at(datatypes, slot, element.datatype());
                memory::put_at(displacements, slot, element.displacement() as i64);
            }
            memory::put_at(count, 0, Element::ALL.len() as c_int);
            memory::put_at(elements, 0, enumeration::ELEMENTS);
            memory::put_at(hints, 0, handle::INFO_NULL);
            memory::put_at(bind, 0, tools::BIND_NO_OBJECT);
        }))
    })
}

pub(in super::super) extern "C-unwind" fn event_get_index(
    name: *const c_char,
    place: *mut c_int,
) -> c_int {
    tool(|_| code_of(find(name, EVENTS.iter().map(|known| known.name.to_owned()), place)))
}

pub(in super::super) extern "C-unwind" fn source_get_num(place: *mut c_int) -> c_int {
    tool(|_| super::answer(put(place, 1)))
}

/// Checks the index of a source: there is one.
fn known_source(index: c_int) -> Result<(), c_int> {
    if index == 0 { Ok(()) } else { Err(code::INVALID_INDEX) }
}

pub(in super::super) extern "C-unwind" fn source_get_info(
    index: c_int,
    name: *mut c_char,
    name_length: *mut c_int,
    text: *mut c_char,
    text_length: *mut c_int,
    order: *mut c_int,
    ticks: *mut i64,
    most: *mut i64,
    hints: *mut Handle,
) -> c_int {
    tool(|_| {
        code_of(known_source(index).map(|()| {
            tell("matching", name, name_length);
            let meaning = "The matching of messages at this rank. Its ticks are picoseconds of simulated time.";
            tell(meaning, text, text_length);
            memory::put_at(order, 0, tools::SOURCE_ORDERED);
            memory::put_at(ticks, 0, TICKS_PER_SECOND);
            memory::put_at(most, 0, i64::MAX);
            memory::put_at(hints, 0, handle::INFO_NULL);
        }))
    })
}

pub(in super::super) extern "C-unwind" fn source_get_timestamp(
    index: c_int,
    place: *mut i64,
) -> c_int {
    let (site, frame) = (here(), guest::site::frame());
    tool(|state| {
        code_of(known_source(index).and_then(|()| match state.read_clock(site, frame) {
            Ok(Reply::Time(time)) => put(place, time.as_ps() as i64).map_err(|_| code::INVALID),
            Ok(_) | Err(_) => Err(code::INVALID),
        }))
    })
}

/// Returns how many events an info object wants kept.
fn room(hints: &Info) -> Option<u32> {
    let (_, value) = hints.0.iter().find(|(key, _)| key == ROOM)?;
    value.trim().parse().ok()
}

/// Returns the entries of an info object that the program passes.
fn hints(state: &State, given: Handle) -> Result<Info, c_int> {
    info::of(state, given).map_err(|_| code::INVALID)
}

pub(in super::super) extern "C-unwind" fn event_handle_alloc(
    index: c_int,
    _object: *mut c_void,
    given: Handle,
    place: *mut Handle,
) -> c_int {
    tool(|state| {
        code_of(at(&EVENTS, index).and_then(|event| {
            if place.is_null() {
                return Err(code::INVALID);
            }
            let room = room(&hints(state, given)?).unwrap_or(USUAL_ROOM);
            let made = Rc::new(Registration::new(event.kind, room));
            let made = state.rare().registrations.borrow_mut().insert(made);
            put(place, made).map_err(|_| code::INVALID)
        }))
    })
}

/// Returns the registration of a handle.
fn registration(state: &State, given: Handle) -> Result<Rc<Registration>, c_int> {
    state.rare().registrations.borrow().get(given).cloned().ok_or(code::INVALID_HANDLE)
}

/// Tells the kernel how many events of each type have to be kept: as many as the registration with the most
/// room wants.
pub(super) fn tell_wishes(state: &State) -> Result<(), c_int> {
    let mut rooms = [0; EventKind::ALL.len()];
    for one in state.rare().registrations.borrow().iter() {
        let wanted: &mut u32 = &mut rooms[one.kind.index()];
        *wanted = one.wants().max(*wanted);
    }
    let listens = rooms.iter().any(|room| *room > 0);
    if listens || state.listens() {
        ask(state, ToolCall::Listen(rooms))?;
        state.set_listener(listens.then_some(tell_events));
    }
    Ok(())
}

/// Frees all registrations, without a word to the program.
pub(super) fn end(state: &State) -> Result<(), c_int> {
    if !state.listens() {
        return Ok(());
    }
    let handles: Vec<Handle> =
        state.rare().registrations.borrow().entries().map(|(handle, _)| handle).collect();
    for handle in handles {
        if let Some(one) = state.rare().registrations.borrow_mut().remove(handle) {
            one.freed.set(true);
        }
    }
    tell_wishes(state)
}

pub(in super::super) extern "C-unwind" fn event_handle_free(
    given: Handle,
    data: *mut c_void,
    function: Option<OnFree>,
) -> c_int {
    tool(|state| {
        code_of(registration(state, given).and_then(|one| {
            state.rare().registrations.borrow_mut().remove(given);
            one.freed.set(true);
            one.farewell.set(function.map(|function| (function, data)));
            tell_wishes(state)?;
            say_farewell(given, &one);
            Ok(())
        }))
    })
}

pub(in super::super) extern "C-unwind" fn event_handle_set_info(
    given: Handle,
    wishes: Handle,
) -> c_int {
    tool(|state| {
        code_of(registration(state, given).and_then(|one| {
            if let Some(room) = room(&hints(state, wishes)?) {
                one.room.set(room);
                tell_wishes(state)?;
            }
            Ok(())
        }))
    })
}

pub(in super::super) extern "C-unwind" fn event_handle_get_info(
    given: Handle,
    place: *mut Handle,
) -> c_int {
    tool(|state| {
        code_of(registration(state, given).and_then(|one| {
            let mut used = Info::default();
            used.set(ROOM.into(), one.room.get().to_string());
            memory::wanted(place).map_err(|_| code::INVALID)?;
            put(place, info::add(state, used)).map_err(|_| code::INVALID)
        }))
    })
}

/// Returns the index of a safety level.
fn level(safety: c_int) -> Result<usize, c_int> {
    SAFETY.iter().position(|known| *known == safety).ok_or(code::INVALID)
}

pub(in super::super) extern "C-unwind" fn event_register_callback(
    given: Handle,
    safety: c_int,
    wishes: Handle,
    data: *mut c_void,
    function: Option<OnEvent>,
) -> c_int {
    tool(|state| {
        code_of(registration(state, given).and_then(|one| {
            let (level, hints) = (level(safety)?, hints(state, wishes)?);
            if one.wants() == 0 {
                one.since.set(state.moment());
            }
            let made = function.map(|function| EventCallback { function, data, hints });
            one.callbacks.borrow_mut()[level] = made;
            tell_wishes(state)
        }))
    })
}

/// Does something with the callback of a safety level.
fn with_callback<T>(
    (state, given, safety): (&State, Handle, c_int),
    body: impl FnOnce(&mut EventCallback) -> T,
) -> Result<T, c_int> {
    let one = registration(state, given)?;
    let level = level(safety)?;
    let mut callbacks = one.callbacks.borrow_mut();
    callbacks[level].as_mut().map(body).ok_or(code::INVALID)
}

pub(in super::super) extern "C-unwind" fn event_callback_set_info(
    given: Handle,
    safety: c_int,
    wishes: Handle,
) -> c_int {
    tool(|state| {
        code_of(hints(state, wishes).and_then(|hints| {
            with_callback((state, given, safety), |callback| callback.hints = hints)
        }))
    })
}

pub(in super::super) extern "C-unwind" fn event_callback_get_info(
    given: Handle,
    safety: c_int,
    place: *mut Handle,
) -> c_int {
    tool(|state| {
        let used = with_callback((state, given, safety), |callback| callback.hints.clone());
        code_of(used.and_then(|used| {
            memory::wanted(place).map_err(|_| code::INVALID)?;
            put(place, info::add(state, used)).map_err(|_| code::INVALID)
        }))
    })
}

pub(in super::super) extern "C-unwind" fn event_set_dropped_handler(
    given: Handle,
    function: Option<OnDropped>,
) -> c_int {
    tool(|state| code_of(registration(state, given).map(|one| one.dropped.set(function))))
}
