//! Procedures of Fortran programs that MPI calls.
//!
//! Operations and error handlers take addresses in C too, and the low half of a handle is the
//! integer that Fortran reads, so they are called directly. Procedures of attributes and of
//! generalized requests are called through functions of ours, which find the program's procedure in
//! the extra state.
#![allow(unsafe_code, reason = "calls procedures of programs with the state kept for them")]

use std::{
    cell::UnsafeCell,
    ffi::{c_char, c_int, c_void},
    rc::Rc,
};

use super::super::{error, file, operation, request, status::Status};
use crate::{
    constant::Handle,
    state::{Number, State},
};

/// `MPI_User_function` or `MPI_User_function_c`.
type User<N> = extern "C-unwind" fn(*mut c_void, *mut c_void, *mut N, *mut Handle);
pub(super) fn op_create<N: Number>(function: usize, commute: c_int, op: *mut Handle) -> c_int {
    // SAFETY: the program passes a procedure with the arguments of `MPI_User_function`, which are
    // addresses in both languages.
    let function = unsafe { std::mem::transmute::<usize, Option<User<N>>>(function) };
    operation::op_create::<N>(function, commute, op)
}

/// Defines the functions that create error handlers.
macro_rules! creators {
    ($($name:ident)*) => {
        $(
            pub(super) fn $name(function: usize, handler: *mut Handle) -> c_int {
                // SAFETY: the program passes a procedure that takes the addresses of a handle and a code.
                let function =
                    unsafe { std::mem::transmute::<usize, Option<error::Function>>(function) };
                error::$name(function, handler)
            }
        )*
    };
}

creators! {
    create_comm_errhandler
    create_window_errhandler
    create_file_errhandler
    create_session_errhandler
}

/// Representations of programs are refused, whatever their procedures are.
pub(super) fn register_datarep<N: Number>(
    name: *const c_char,
    _read: usize,
    _write: usize,
    _extent: usize,
    _state: i64,
) -> c_int {
    file::register_datarep::<N>(name, None, None, None, std::ptr::null_mut())
}

/// Stores the data of a callback for the lifetime of the rank; the returned address is the extra
/// state in C.
pub(super) fn keep<T: 'static>(value: T) -> *mut c_void {
    let kept = Rc::new(UnsafeCell::new(value));
    let address = kept.get();
    if let Some(state) = State::current() {
        state.rare().callbacks.borrow_mut().push(kept);
    }
    address.cast()
}

/// The three procedures of a generalized request, and its extra state.
struct Generalized {
    query: Query,
    free: Free,
    cancel: Cancel,
    extra: i64,
}

type Query = extern "C-unwind" fn(*mut i64, *mut Status, *mut c_int);
type Free = extern "C-unwind" fn(*mut i64, *mut c_int);
type Cancel = extern "C-unwind" fn(*mut i64, *mut c_int, *mut c_int);

extern "C-unwind" fn query(extra: *mut c_void, status: *mut Status) -> c_int {
    let (kept, mut code) = (extra.cast::<Generalized>(), 0);
    // SAFETY: the extra state is the address that `grequest_start` got from `keep`.
    let (function, extra) = unsafe { ((*kept).query, &raw mut (*kept).extra) };
    function(extra, status, &raw mut code);
    code
}

extern "C-unwind" fn free(extra: *mut c_void) -> c_int {
    let (kept, mut code) = (extra.cast::<Generalized>(), 0);
    // SAFETY: as above.
    let (function, extra) = unsafe { ((*kept).free, &raw mut (*kept).extra) };
    function(extra, &raw mut code);
    code
}

extern "C-unwind" fn cancel(extra: *mut c_void, complete: c_int) -> c_int {
    let (kept, mut complete, mut code) = (extra.cast::<Generalized>(), complete, 0);
    // SAFETY: as above.
    let (function, extra) = unsafe { ((*kept).cancel, &raw mut (*kept).extra) };
    function(extra, &raw mut complete, &raw mut code);
    code
}

pub(super) fn grequest_start(
    query_fn: usize,
    free_fn: usize,
    cancel_fn: usize,
    extra: i64,
    place: *mut Handle,
) -> c_int {
    // SAFETY: the program passes procedures with the arguments that the standard defines.
    let made = unsafe {
        Generalized {
            query: std::mem::transmute::<usize, Query>(query_fn),
            free: std::mem::transmute::<usize, Free>(free_fn),
            cancel: std::mem::transmute::<usize, Cancel>(cancel_fn),
            extra,
        }
    };
    request::grequest_start(query, free, cancel, keep(made), place)
}
