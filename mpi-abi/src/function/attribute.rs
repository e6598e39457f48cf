//! Attributes of communicators and datatypes (MPI section 7.7). They are copied and deleted through
//! the program's functions, in the order in which they were set.
#![allow(unsafe_code, reason = "calls functions of programs")]

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ffi::{c_int, c_void},
};

use mpi_api::policy::Policy;

use crate::{
    constant::{Handle, class, handle, number},
    memory::get,
    state::{Attribute, Comm, Fault, KeyOf, Keyval, Mpi, State, call, local, put},
};

/// `MPI_Comm_copy_attr_function` or `MPI_Type_copy_attr_function`.
type Copy = extern "C-unwind" fn(
    Handle,
    c_int,
    *mut c_void,
    *mut c_void,
    *mut *mut c_void,
    *mut c_int,
) -> c_int;
/// `MPI_Comm_delete_attr_function` or `MPI_Type_delete_attr_function`.
type Delete = extern "C-unwind" fn(Handle, c_int, *mut c_void, *mut c_void) -> c_int;

/// The attributes of an object, by key.
type Attributes = RefCell<BTreeMap<i32, Attribute>>;

thread_local! {
    static ORDER: Cell<u64> = const { Cell::new(0) };
}

/// Returns the objects of keys: `TYPE` is true for keys of datatypes, false for keys of communicators.
const fn keys_of<const TYPE: bool>() -> KeyOf {
    if TYPE { KeyOf::Types } else { KeyOf::Comms }
}

pub(super) extern "C-unwind" fn create_keyval<const TYPE: bool>(
    copy: usize,
    delete: usize,
    keyval: *mut c_int,
    extra: *mut c_void,
) -> c_int {
    new_keyval(keys_of::<TYPE>(), (copy, delete), keyval, extra)
}

pub(super) extern "C-unwind" fn win_create_keyval(
    copy: usize,
    delete: usize,
    keyval: *mut c_int,
    extra: *mut c_void,
) -> c_int {
    new_keyval(KeyOf::Windows, (copy, delete), keyval, extra)
}

fn new_keyval(
    of: KeyOf,
    (copy, delete): (usize, usize),
    keyval: *mut c_int,
    extra: *mut c_void,
) -> c_int {
    local(|state, site| {
        let number = state.rare().next_keyval.replace(state.rare().next_keyval.get() + 1);
        let made = Keyval { copy, delete, extra, of, freed: false, uses: 0, site };
        state.rare().keyvals.borrow_mut().insert(number, made);
        put(keyval, number)
    })
}

pub(super) extern "C-unwind" fn free_keyval<const TYPE: bool>(keyval: *mut c_int) -> c_int {
    old_keyval(keys_of::<TYPE>(), keyval)
}

pub(super) extern "C-unwind" fn win_free_keyval(keyval: *mut c_int) -> c_int {
    old_keyval(KeyOf::Windows, keyval)
}

fn old_keyval(of: KeyOf, keyval: *mut c_int) -> c_int {
    local(|state, _| {
        let given = get(keyval.cast_const(), "the address of a key")?;
        let mut keyvals = state.rare().keyvals.borrow_mut();
        let found = keyvals.get_mut(&given).filter(|key| key.of == of);
        let again = found.as_ref().is_some_and(|key| key.freed);
        if again && state.policies().differs(Policy::KeyvalFreedTwice) {
            return put(keyval, number::KEYVAL_INVALID);
        }
        let found = found.filter(|key| !key.freed);
        let found = found.ok_or_else(|| {
            Fault::new(
                class::KEYVAL,
                format!("{given} is no key of attributes, or one that was freed"),
            )
        })?;
        found.freed = true;
        if found.uses == 0 {
            keyvals.remove(&given);
        }
        put(keyval, number::KEYVAL_INVALID)
    })
}

fn known(state: &State, keyval: c_int) -> Mpi<Keyval> {
    let found = state.rare().keyvals.borrow().get(&keyval).copied();
    found.ok_or_else(|| Fault::new(class::KEYVAL, format!("there is no attribute key {keyval}")))
}

/// Returns a key, which must be one of these objects.
fn key_of(state: &State, keyval: c_int, of: KeyOf) -> Mpi<Keyval> {
    let found = known(state, keyval)?;
    if found.of == of {
        return Ok(found);
    }
    let what = of.name();
    Err(Fault::new(class::KEYVAL, format!("{keyval} is no attribute key of {what}")))
}

fn count(state: &State, keyval: c_int, by: i32) {
    let mut keyvals = state.rare().keyvals.borrow_mut();
    if let Some(found) = keyvals.get_mut(&keyval) {
        found.uses = found.uses.saturating_add_signed(by);
        if found.freed && found.uses == 0 {
            keyvals.remove(&keyval);
        }
    }
}

fn set(
    state: &State,
    (object, of): (Handle, KeyOf),
    attributes: &Attributes,
    keyval: c_int,
    value: *mut c_void,
) -> Mpi {
    let found = key_of(state, keyval, of)?;
    if found.freed {
        return Err(Fault::new(class::KEYVAL, format!("attribute key {keyval} was freed")));
    }
    delete(state, object, attributes, keyval)?;
    let order = ORDER.replace(ORDER.get() + 1);
    attributes.borrow_mut().insert(keyval, Attribute { value, order });
    count(state, keyval, 1);
    Ok(())
}

/// Deletes an attribute if it is set. It stays set if the program's delete function fails.
fn delete(state: &State, object: Handle, attributes: &Attributes, keyval: c_int) -> Mpi {
    let Some(attribute) = attributes.borrow().get(&keyval).copied() else { return Ok(()) };
    let found = known(state, keyval)?;
    if found.delete != 0 {
        // SAFETY: the program gave this address as its delete function.
        let function = unsafe { std::mem::transmute::<usize, Delete>(found.delete) };
        match function(object, keyval, attribute.value, found.extra) {
            0 => {}
            code => {
                return Err(Fault::of_callback(code, "a delete function of an attribute failed"));
            }
        }
    }
    attributes.borrow_mut().remove(&keyval);
    count(state, keyval, -1);
    Ok(())
}

/// Returns the attributes in the order in which they were set.
fn ordered(attributes: &Attributes) -> Vec<(i32, Attribute)> {
    let mut list: Vec<_> = attributes.borrow().iter().map(|(key, value)| (*key, *value)).collect();
    list.sort_by_key(|(_, attribute)| attribute.order);
    list
}

/// Returns the attributes of a copy of an object, as the program's copy functions create them.
fn copy(state: &State, old: Handle, from: &Attributes) -> Mpi<BTreeMap<i32, Attribute>> {
    let mut made = BTreeMap::new();
    for (keyval, attribute) in ordered(from) {
        let found = known(state, keyval)?;
        let mut value = attribute.value;
        let mut flag = c_int::from(found.copy == 1);
        if found.copy > 1 {
            // SAFETY: the program gave this address as its copy function.
            let function = unsafe { std::mem::transmute::<usize, Copy>(found.copy) };
            let (place, flag) = (&raw mut value, &raw mut flag);
            match function(old, keyval, found.extra, attribute.value, place, flag) {
                0 => {}
                code => {
                    return Err(Fault::of_callback(code, "a copy function of an attribute failed"));
                }
            }
        }
        if flag != 0 {
            let order = ORDER.replace(ORDER.get() + 1);
            made.insert(keyval, Attribute { value, order });
        }
    }
    made.keys().for_each(|keyval| count(state, *keyval, 1));
    Ok(made)
}

/// Returns the attributes of a duplicate of a communicator.
pub(super) fn copied(state: &State, comm: Handle, parent: &Comm) -> Mpi<BTreeMap<i32, Attribute>> {
    copy(state, comm, &parent.attributes)
}

/// Deletes all attributes, the last set first. A policy reverses the order, except at finalize,
/// when the predefined communicators lose their attributes.
pub(super) fn delete_all(state: &State, object: Handle, comm: &Comm) -> Mpi {
    let mut order = ordered(&comm.attributes);
    let forward = state.policies().differs(Policy::AttributeDeleteOrder);
    if !forward || object < handle::FIRST {
        order.reverse();
    }
    for (keyval, _) in order {
        delete(state, object, &comm.attributes, keyval)?;
    }
    Ok(())
}

/// Like [`copied`], for datatypes.
pub(super) fn copy_type(state: &State, old: Handle, from: &Attributes, into: &Attributes) -> Mpi {
    into.replace(copy(state, old, from)?);
    Ok(())
}

/// Like [`delete_all`], for datatypes.
pub(super) fn delete_type(state: &State, object: Handle, attributes: &Attributes) -> Mpi {
    for (keyval, _) in ordered(attributes).into_iter().rev() {
        delete(state, object, attributes, keyval)?;
    }
    Ok(())
}

/// Like [`delete_all`], for windows.
pub(super) fn delete_window(state: &State, object: Handle, attributes: &Attributes) -> Mpi {
    delete_type(state, object, attributes)
}

/// Sets an attribute of a window.
pub(super) fn set_of_window(
    state: &State,
    window: Handle,
    attributes: &Attributes,
    keyval: c_int,
    value: *mut c_void,
) -> Mpi {
    set(state, (window, KeyOf::Windows), attributes, keyval, value)
}

/// Returns an attribute of a window, if it is set.
pub(super) fn of_window(
    state: &State,
    attributes: &Attributes,
    keyval: c_int,
) -> Mpi<Option<*mut c_void>> {
    key_of(state, keyval, KeyOf::Windows)?;
    Ok(attributes.borrow().get(&keyval).map(|known| known.value))
}

/// Deletes an attribute of a window.
pub(super) fn delete_of_window(
    state: &State,
    window: Handle,
    attributes: &Attributes,
    keyval: c_int,
) -> Mpi {
    key_of(state, keyval, KeyOf::Windows)?;
    delete(state, window, attributes, keyval)
}

/// Returns the address of a predefined attribute's value.
fn predefined(state: &State, keyval: c_int) -> Option<*mut c_void> {
    static TAG_UB: c_int = number::TAG_UB;
    static IO: c_int = number::ANY_SOURCE;
    static HOST: c_int = number::PROC_NULL;
    static GLOBAL: c_int = 1;
    let constant = |place: &'static c_int| std::ptr::from_ref(place).cast_mut().cast();
    Some(match keyval {
        501 => constant(&TAG_UB),
        502 => constant(&IO),
        503 => constant(&HOST),
        504 => constant(&GLOBAL),
        505 => std::ptr::from_ref(&state.universe).cast_mut().cast(),
        506 => std::ptr::from_ref(&state.start.number).cast_mut().cast(),
        507 => state.last_used_code.as_ptr().cast(),
        _ => return None,
    })
}

/// Stores the value of an attribute and whether it is set.
pub(super) fn tell(value: Option<*mut c_void>, place: *mut c_void, flag: *mut c_int) -> Mpi {
    if let Some(value) = value {
        put(place.cast(), value)?;
    }
    put(flag, c_int::from(value.is_some()))
}

pub(super) extern "C-unwind" fn comm_set_attr(
    comm: Handle,
    keyval: c_int,
    value: *mut c_void,
) -> c_int {
    call(comm, |state, _| {
        let found = state.comm(comm)?;
        set(state, (comm, KeyOf::Comms), &found.attributes, keyval, value)
    })
}

pub(super) extern "C-unwind" fn comm_get_attr(
    comm: Handle,
    keyval: c_int,
    value: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        let found = state.comm(comm)?;
        if let Some(address) = predefined(state, keyval) {
            return tell(Some(address), value, flag);
        }
        key_of(state, keyval, KeyOf::Comms)?;
        let attribute = found.attributes.borrow().get(&keyval).map(|known| known.value);
        tell(attribute, value, flag)
    })
}

pub(super) extern "C-unwind" fn comm_delete_attr(comm: Handle, keyval: c_int) -> c_int {
    call(comm, |state, _| {
        let found = state.comm(comm)?;
        key_of(state, keyval, KeyOf::Comms)?;
        delete(state, comm, &found.attributes, keyval)
    })
}

pub(super) extern "C-unwind" fn type_set_attr(
    datatype: Handle,
    keyval: c_int,
    value: *mut c_void,
) -> c_int {
    local(|state, _| {
        let found = state.any_type(datatype)?;
        set(state, (datatype, KeyOf::Types), &found.attributes, keyval, value)
    })
}

pub(super) extern "C-unwind" fn type_get_attr(
    datatype: Handle,
    keyval: c_int,
    value: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    local(|state, _| {
        let found = state.any_type(datatype)?;
        key_of(state, keyval, KeyOf::Types)?;
        let attribute = found.attributes.borrow().get(&keyval).map(|known| known.value);
        tell(attribute, value, flag)
    })
}

pub(super) extern "C-unwind" fn type_delete_attr(datatype: Handle, keyval: c_int) -> c_int {
    local(|state, _| {
        let found = state.any_type(datatype)?;
        key_of(state, keyval, KeyOf::Types)?;
        delete(state, datatype, &found.attributes, keyval)
    })
}
