//! Info objects (MPI chapter 10).

use std::{
    cell::RefCell,
    ffi::{c_char, c_int},
    rc::Rc,
};

use mpi_api::{call::Threading, policy::Policy};

use super::{request::peek, text};
use crate::{
    constant::{Handle, class, handle, number},
    memory::get,
    state::{Fault, Info, Mpi, State, always, argument, here, put},
};

fn object(state: &State, info: Handle) -> Mpi<Rc<RefCell<Info>>> {
    if info == handle::INFO_ENV {
        return Ok(Rc::new(RefCell::new(environment(state))));
    }
    let found = state.rare().infos.borrow().get(info).map(|(info, _)| Rc::clone(info));
    found.ok_or_else(unknown)
}

fn unknown() -> Fault {
    Fault::new(class::INFO, "the info object is null or was freed")
}

fn changeable(info: Handle) -> Mpi {
    if info == handle::INFO_ENV {
        return Err(Fault::new(class::INFO, "MPI_INFO_ENV cannot be changed"));
    }
    Ok(())
}

/// Returns the entries of `MPI_INFO_ENV`, which describe the start of the program.
fn environment(state: &State) -> Info {
    let entry = |key: &str, value: String| (key.to_string(), value);
    let folder = std::env::current_dir().map_or(String::new(), |path| path.display().to_string());
    let start = state.start.clone();
    let origin = start.origin;
    let all = state.world_ranks;
    let (most, soft) = start.asked.unwrap_or_else(|| (all, all.to_string()));
    let mut list = vec![entry("command", start.command), entry("maxprocs", most.to_string())];
    list.push(entry("soft", soft));
    list.push(entry("host", origin.host.unwrap_or_else(|| "windtunnel".into())));
    list.push(entry("arch", origin.arch.unwrap_or_else(|| "x86_64".into())));
    list.push(entry("wdir", folder));
    list.extend(origin.file.map(|file| entry("file", file)));
    list.push(entry("thread_level", thread_level(state)));
    let environment = state.environment();
    if environment.policies.differs(Policy::AddressSpaceKey) {
        let key = environment.policies.value(Policy::AddressSpaceKey);
        list.push(entry(key, state.ranks_in_address_space().to_string()));
    }
    Info(list)
}

/// Returns the thread level that is provided whatever level is requested.
pub(super) fn thread_level(state: &State) -> String {
    let none = state.policies().differs(Policy::ThreadLevels);
    let level = if none { Threading::Single } else { Threading::Multiple };
    level.name().into()
}

/// Adds the supported memory kinds to the hints of an object (MPI 11.4.3).
pub(super) fn with_memory_kinds(mut hints: Info) -> Info {
    hints.set("mpi_memory_alloc_kinds".into(), "mpi,system".into());
    hints
}

/// Returns the hints of a window, with the values in use of those that the standard defines and the
/// program has not given (MPI 12.2.1).
pub(super) fn of_window(given: &Info) -> Info {
    let mut hints = Info::default();
    let defaults = [
        ("no_locks", "false"),
        ("accumulate_ordering", "rar,raw,war,waw"),
        ("accumulate_ops", "same_op_no_op"),
        ("same_size", "false"),
        ("same_disp_unit", "false"),
        ("alloc_shared_noncontig", "false"),
        ("mpi_accumulate_granularity", "0"),
    ];
    for (key, value) in defaults {
        let own = given.0.iter().find(|(known, _)| known == key);
        hints.set(key.into(), own.map_or(value.into(), |(_, own)| own.clone()));
    }
    with_memory_kinds(hints)
}

/// Returns the entries of an info object; empty for the null handle.
pub(super) fn of(state: &State, info: Handle) -> Mpi<Info> {
    if info == handle::INFO_NULL {
        return Ok(Info::default());
    }
    Ok(object(state, info)?.borrow().clone())
}

/// Checks that an info object is valid; its hints have no effect.
pub(super) fn known(state: &State, info: Handle) -> Mpi {
    if info == handle::INFO_NULL { Ok(()) } else { object(state, info).map(|_| ()) }
}

/// Writes a value to an info object that the program passed, unless the handle is null.
pub(super) fn tell(state: &State, info: Handle, key: &str, value: &str) -> Mpi {
    if info != handle::INFO_NULL {
        changeable(info)?;
        object(state, info)?.borrow_mut().set(key.into(), value.into());
    }
    Ok(())
}

pub(super) fn add(state: &State, info: Info) -> Handle {
    state.rare().infos.borrow_mut().insert((Rc::new(RefCell::new(info)), here()))
}

fn key_of(key: *const c_char) -> Mpi<String> {
    if key.is_null() {
        return Err(Fault::new(class::INFO_KEY, "the key is null"));
    }
    let key = text::read(key)?;
    if key.is_empty() || key.len() >= number::MAX_INFO_KEY {
        let text = format!(
            "the key has {} bytes; allowed are 1 to {}",
            key.len(),
            number::MAX_INFO_KEY - 1
        );
        return Err(Fault::new(class::INFO_KEY, text));
    }
    Ok(key)
}

pub(super) extern "C-unwind" fn info_create(place: *mut Handle) -> c_int {
    always(|state, _| put(place, add(state, Info::default())))
}

pub(super) extern "C-unwind" fn info_dup(info: Handle, place: *mut Handle) -> c_int {
    always(|state, _| {
        put(place, handle::INFO_NULL)?;
        let copy = object(state, info)?.borrow().clone();
        put(place, add(state, copy))
    })
}

pub(super) extern "C-unwind" fn info_free(place: *mut Handle) -> c_int {
    always(|state, _| {
        let freed = state.rare().infos.borrow_mut().remove(peek(place)?);
        freed.ok_or_else(unknown)?;
        put(place, handle::INFO_NULL)
    })
}

pub(super) extern "C-unwind" fn info_set(
    info: Handle,
    key: *const c_char,
    value: *const c_char,
) -> c_int {
    always(|state, _| {
        let key = key_of(key)?;
        if value.is_null() {
            return Err(Fault::new(class::INFO_VALUE, "the value is null"));
        }
        let value = text::read(value)?;
        if value.len() >= number::MAX_INFO_VAL {
            let most = number::MAX_INFO_VAL - 1;
            let text = format!("the value has {} bytes; allowed are {most} or fewer", value.len());
            return Err(Fault::new(class::INFO_VALUE, text));
        }
        changeable(info)?;
        object(state, info)?.borrow_mut().set(key, value);
        Ok(())
    })
}

pub(super) extern "C-unwind" fn info_delete(info: Handle, key: *const c_char) -> c_int {
    always(|state, _| {
        let key = key_of(key)?;
        changeable(info)?;
        let object = object(state, info)?;
        let list = &mut object.borrow_mut().0;
        let place = list.iter().position(|(known, _)| *known == key);
        let place = place.ok_or_else(|| Fault::new(class::INFO_NOKEY, format!("no key {key}")))?;
        list.remove(place);
        Ok(())
    })
}

fn find(state: &State, info: Handle, key: *const c_char) -> Mpi<Option<String>> {
    let key = key_of(key)?;
    let object = object(state, info)?;
    let list = &object.borrow().0;
    Ok(list.iter().find(|(known, _)| *known == key).map(|(_, value)| value.clone()))
}

pub(super) extern "C-unwind" fn info_get(
    info: Handle,
    key: *const c_char,
    room: c_int,
    value: *mut c_char,
    flag: *mut c_int,
) -> c_int {
    always(|state, _| {
        let found = find(state, info, key)?;
        argument::at_least(0, class::ARG, "the length of the value", room.into())?;
        if let Some(mut text) = found.clone() {
            text = text::shortened(text, room as usize);
            text::copy(&text, value)?;
        }
        put(flag, c_int::from(found.is_some()))
    })
}

pub(super) extern "C-unwind" fn info_get_valuelen(
    info: Handle,
    key: *const c_char,
    length: *mut c_int,
    flag: *mut c_int,
) -> c_int {
    always(|state, _| {
        let found = find(state, info, key)?;
        if let Some(text) = &found {
            put(length, text.len() as c_int)?;
        }
        put(flag, c_int::from(found.is_some()))
    })
}

pub(super) extern "C-unwind" fn info_get_string(
    info: Handle,
    key: *const c_char,
    length: *mut c_int,
    value: *mut c_char,
    flag: *mut c_int,
) -> c_int {
    always(|state, _| {
        let found = find(state, info, key)?;
        if let Some(text) = &found {
            let room = get(length, "the address of a number")?;
            if room > 0 {
                text::copy(&text::shortened(text.clone(), room as usize - 1), value)?;
            }
            put(length, text.len() as c_int + 1)?;
        }
        put(flag, c_int::from(found.is_some()))
    })
}

pub(super) extern "C-unwind" fn info_get_nkeys(info: Handle, count: *mut c_int) -> c_int {
    always(|state, _| put(count, object(state, info)?.borrow().0.len() as c_int))
}

pub(super) extern "C-unwind" fn info_get_nthkey(
    info: Handle,
    at: c_int,
    key: *mut c_char,
) -> c_int {
    always(|state, _| {
        let object = object(state, info)?;
        let list = &object.borrow().0;
        let found = usize::try_from(at).ok().and_then(|at| list.get(at));
        let found = found.ok_or_else(|| Fault::new(class::ARG, format!("there is no key {at}")))?;
        text::copy_into(&found.0, text::INFO_KEY, key)
    })
}

pub(super) extern "C-unwind" fn info_create_env(
    _count: c_int,
    _arguments: *mut *mut c_char,
    place: *mut Handle,
) -> c_int {
    always(|state, _| put(place, add(state, environment(state))))
}
