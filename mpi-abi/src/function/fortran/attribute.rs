//! Attributes in Fortran (MPI sections 7.7 and 19.3.7): integers of address size, or default
//! integers in procedures of MPI-1. C gets the address of an integer that Fortran has set; Fortran
//! gets the address that C has set.
#![allow(unsafe_code, reason = "calls procedures of programs with the state kept for them")]

use std::ffi::{c_int, c_void};

use super::{
    super::{attribute, window},
    callback::keep,
};
use crate::{
    constant::{Handle, number},
    memory::{read, write},
    state::State,
};

/// Copy and delete procedures of a key, and its extra state.
struct Keyval<T> {
    copy: Copy<T>,
    delete: Delete<T>,
    extra: T,
}

type Copy<T> =
    extern "C-unwind" fn(*mut c_int, *mut c_int, *mut T, *mut T, *mut T, *mut c_int, *mut c_int);
type Delete<T> = extern "C-unwind" fn(*mut c_int, *mut c_int, *mut T, *mut T, *mut c_int);

/// An integer type that holds an attribute.
pub(super) trait Integer: Clone + 'static {
    fn narrow(value: i64) -> Self;
    fn wide(self) -> i64;
}

impl Integer for i64 {
    fn narrow(value: i64) -> Self {
        value
    }
    fn wide(self) -> i64 {
        self
    }
}

impl Integer for c_int {
    fn narrow(value: i64) -> Self {
        value as Self
    }
    fn wide(self) -> i64 {
        i64::from(self)
    }
}

/// Returns the attribute that C stores for an integer: the address of a copy that lives as long as
/// the rank.
fn address<T: Integer>(value: T) -> *mut c_void {
    let value = value.wide();
    let Some(state) = State::current() else { return std::ptr::null_mut() };
    let mut integers = state.rare().integers.borrow_mut();
    let kept = integers.entry(value).or_insert_with(|| Box::new(value));
    std::ptr::from_mut::<i64>(kept).cast()
}

/// Returns the integer for an attribute that C stores: the one at the address if Fortran has set
/// it, else the address itself.
fn integer<T: Integer>(attribute: *mut c_void) -> T {
    let found = State::current().and_then(|state| {
        let integers = state.rare().integers.borrow();
        let kept = integers.iter().find(|(_, kept)| std::ptr::eq(&***kept, attribute.cast()));
        kept.map(|(value, _)| *value)
    });
    T::narrow(found.unwrap_or(attribute as i64))
}

extern "C-unwind" fn copy<T: Integer>(
    object: Handle,
    number: c_int,
    extra: *mut c_void,
    value: *mut c_void,
    place: *mut *mut c_void,
    flag: *mut c_int,
) -> c_int {
    let kept = extra.cast::<Keyval<T>>();
    let (mut object, mut number, mut code) = (object as c_int, number, 0);
    let (mut old, mut new): (T, T) = (integer(value), integer(value));
    // SAFETY: the extra state is the address that `create` got from `keep`.
    let (function, extra) = unsafe { ((*kept).copy, &raw mut (*kept).extra) };
    function(
        &raw mut object,
        &raw mut number,
        extra,
        &raw mut old,
        &raw mut new,
        flag,
        &raw mut code,
    );
    if !place.is_null() {
        write(place, address(new));
    }
    code
}

extern "C-unwind" fn delete<T: Integer>(
    object: Handle,
    number: c_int,
    value: *mut c_void,
    extra: *mut c_void,
) -> c_int {
    let kept = extra.cast::<Keyval<T>>();
    let (mut object, mut number, mut code) = (object as c_int, number, 0);
    let mut value: T = integer(value);
    // SAFETY: the extra state is the address that `create` got from `keep`.
    let (function, extra) = unsafe { ((*kept).delete, &raw mut (*kept).extra) };
    function(&raw mut object, &raw mut number, &raw mut value, extra, &raw mut code);
    code
}

/// The function of C that creates a key.
type CreateKeyval = extern "C-unwind" fn(usize, usize, *mut c_int, *mut c_void) -> c_int;

fn create<T: Integer>(
    make: CreateKeyval,
    (copy_fn, delete_fn): (usize, usize),
    number: *mut c_int,
    extra: T,
) -> c_int {
    // SAFETY: the program passes procedures with the arguments that the standard defines.
    let made: Keyval<T> = unsafe {
        Keyval {
            copy: std::mem::transmute::<usize, Copy<T>>(copy_fn),
            delete: std::mem::transmute::<usize, Delete<T>>(delete_fn),
            extra,
        }
    };
    let (copy, delete) = (copy::<T> as *const () as usize, delete::<T> as *const () as usize);
    make(copy, delete, number, keep(made))
}

pub(super) fn create_keyval<const TYPE: bool>(
    copy_fn: usize,
    delete_fn: usize,
    number: *mut c_int,
    extra: i64,
) -> c_int {
    create::<i64>(attribute::create_keyval::<TYPE>, (copy_fn, delete_fn), number, extra)
}

pub(super) fn win_create_keyval(
    copy_fn: usize,
    delete_fn: usize,
    number: *mut c_int,
    extra: i64,
) -> c_int {
    create::<i64>(attribute::win_create_keyval, (copy_fn, delete_fn), number, extra)
}

/// Implements `MPI_KEYVAL_CREATE` of MPI-1.
pub(super) fn create_old_keyval(
    copy_fn: usize,
    delete_fn: usize,
    number: *mut c_int,
    extra: c_int,
) -> c_int {
    create::<c_int>(attribute::create_keyval::<false>, (copy_fn, delete_fn), number, extra)
}

/// Returns the value of a predefined attribute, of which C gets the address; the base of a window is
/// an address in both.
fn predefined(number: c_int, address: *mut c_void) -> Option<i64> {
    match number {
        number::WIN_BASE => Some(address as i64),
        _ if address.is_null() => None,
        // Values that live as long as the rank or the window.
        number::WIN_SIZE => Some(read(address.cast::<i64>())),
        501..=507 | 602 | 604 | 605 => Some(i64::from(read(address.cast::<c_int>()))),
        _ => None,
    }
}

/// Reads an attribute from C.
fn get<T: Integer>(
    ask: impl Fn(*mut c_void, *mut c_int) -> c_int,
    number: c_int,
    place: *mut T,
    flag: *mut c_int,
) -> c_int {
    let mut value: *mut c_void = std::ptr::null_mut();
    let mut found = 0;
    let code = ask((&raw mut value).cast(), &raw mut found);
    if code != 0 {
        return code;
    }
    if found != 0 {
        write(place, predefined(number, value).map_or_else(|| integer(value), T::narrow));
    }
    write(flag, found);
    0
}

pub(super) fn comm_set<T: Integer>(comm: Handle, number: c_int, value: T) -> c_int {
    attribute::comm_set_attr(comm, number, address(value))
}

pub(super) fn comm_get<T: Integer>(
    comm: Handle,
    number: c_int,
    place: *mut T,
    flag: *mut c_int,
) -> c_int {
    let ask = |value, found| attribute::comm_get_attr(comm, number, value, found);
    get(ask, number, place, flag)
}

pub(super) fn type_set(datatype: Handle, number: c_int, value: i64) -> c_int {
    attribute::type_set_attr(datatype, number, address(value))
}

pub(super) fn type_get(
    datatype: Handle,
    number: c_int,
    place: *mut i64,
    flag: *mut c_int,
) -> c_int {
    let ask = |value, found| attribute::type_get_attr(datatype, number, value, found);
    get(ask, number, place, flag)
}

pub(super) fn win_set(window: Handle, number: c_int, value: i64) -> c_int {
    window::set_attr(window, number, address(value))
}

pub(super) fn win_get(window: Handle, number: c_int, place: *mut i64, flag: *mut c_int) -> c_int {
    let ask = |value, found| window::get_attr(window, number, value, found);
    get(ask, number, place, flag)
}

/// Implements the predefined copy procedures `MPI_COMM_DUP_FN` and `MPI_TYPE_DUP_FN` (MPI 7.7.2),
/// which programs name instead of their own.
pub(super) extern "C-unwind" fn duplicate<T: Integer + std::marker::Copy>(
    _object: *const c_int,
    _number: *const c_int,
    _extra: *const T,
    value: *const T,
    place: *mut T,
    flag: *mut c_int,
    error: *mut c_int,
) {
    // Called with the addresses of variables, as any copy procedure.
    write(place, read(value));
    write(flag, 1);
    super::entry::answer(error, 0);
}

/// Implements the predefined copy procedures such as `MPI_COMM_NULL_COPY_FN`.
pub(super) extern "C-unwind" fn copy_nothing(
    _object: *const c_int,
    _number: *const c_int,
    _extra: *const c_void,
    _value: *const c_void,
    _place: *mut c_void,
    flag: *mut c_int,
    error: *mut c_int,
) {
    write(flag, 0);
    super::entry::answer(error, 0);
}

/// Implements the predefined delete procedures such as `MPI_COMM_NULL_DELETE_FN`.
pub(super) extern "C-unwind" fn delete_nothing(
    _object: *const c_int,
    _number: *const c_int,
    _value: *const c_void,
    _extra: *const c_void,
    error: *mut c_int,
) {
    super::entry::answer(error, 0);
}
