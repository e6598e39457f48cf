//! Types by precision and size (MPI section 19.1.9), for Fortran and for queries from C.

use std::{
    cell::{Cell, RefCell},
    ffi::c_int,
    rc::Rc,
};

use crate::{
    constant::{Handle, class, handle, number},
    memory::get,
    state::{Fault, Mpi, Precision, State, Type, always, creating, put},
};

const INTEGER: c_int = 192;
const REAL: c_int = 193;
const COMPLEX: c_int = 194;

/// The combiner constant of integer types made by range.
const F90_INTEGER: c_int = 113;
const F90_REAL: c_int = 114;
const F90_COMPLEX: c_int = 115;

fn wrong(what: String) -> Fault {
    Fault::new(class::ARG, what)
}

pub(super) extern "C-unwind" fn match_size(
    kind: c_int,
    size: c_int,
    datatype: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (datatype, handle::DATATYPE_NULL), |_, _| {
        let found = match (kind, size) {
            (INTEGER, 1) => 0x2c1,
            (INTEGER, 2) => 0x2c9,
            (INTEGER, 4) => 0x2d1,
            (INTEGER, 8) => 0x2d9,
            (INTEGER, 16) => 0x2e1,
            (REAL, 2) => 0x2ca,
            (REAL, 4) => 0x2d2,
            (REAL, 8) => 0x2da,
            (REAL, 16) => 0x2e2,
            (COMPLEX, 4) => 0x2d3,
            (COMPLEX, 8) => 0x2db,
            (COMPLEX, 16) => 0x2e3,
            (COMPLEX, 32) => 0x2eb,
            _ => return Err(wrong(format!("no type of class {kind} has {size} bytes"))),
        };
        put(datatype, found)
    })
}

/// Returns the handle of a type made by precision and range: the same one for the same request,
/// with its own envelope, although its data are those of a named type.
fn precise(
    state: &State,
    (combiner, arguments): (c_int, Vec<c_int>),
    named: Handle,
    place: *mut Handle,
) -> Mpi {
    let key = (combiner, arguments);
    let known = state.rare().precise.borrow().get(&key).copied();
    if let Some(known) = known {
        return put(place, known);
    }
    let made = Type {
        datatype: state.any_type(named)?.datatype.clone(),
        committed: Cell::new(true),
        name: RefCell::default(),
        attributes: RefCell::default(),
        record: None,
        made: None,
        parts: Vec::new(),
        large: false,
        precision: Some(Precision { combiner, arguments: key.1.clone() }),
    };
    let made = state.types.borrow_mut().insert(Rc::new(made));
    state.rare().precise.borrow_mut().insert(key, made);
    put(place, made)
}

pub(super) extern "C-unwind" fn f90_integer(range: c_int, datatype: *mut Handle) -> c_int {
    creating(handle::COMM_NULL, (datatype, handle::DATATYPE_NULL), |state, _| {
        let named = match range {
            0..=2 => 0x2c1,
            3..=4 => 0x2c9,
            5..=9 => 0x2d1,
            10..=18 => 0x2d9,
            19..=38 => 0x2e1,
            _ => return Err(wrong(format!("no integer has {range} digits"))),
        };
        precise(state, (F90_INTEGER, vec![range]), named, datatype)
    })
}

/// Returns the smallest of three named types, of 4, 8 and 16 bytes, with at least these decimal
/// digits and this range of exponents. One of the two may be `MPI_UNDEFINED`.
fn sufficient(precision: c_int, range: c_int, types: [Handle; 3]) -> Mpi<Handle> {
    let undefined = number::UNDEFINED;
    if precision == undefined && range == undefined {
        return Err(wrong("neither precision nor range is given".into()));
    }
    let least = |value| if value == undefined { 0 } else { value };
    match (least(precision), least(range)) {
        (0..=6, 0..=37) => Ok(types[0]),
        (0..=15, 0..=307) => Ok(types[1]),
        (0..=33, 0..=4931) => Ok(types[2]),
        (digits, exponent) => {
            Err(wrong(format!("no real has {digits} digits and exponents to {exponent}")))
        }
    }
}

pub(super) extern "C-unwind" fn f90_real(
    precision: c_int,
    range: c_int,
    datatype: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (datatype, handle::DATATYPE_NULL), |state, _| {
        let named = sufficient(precision, range, [0x2d2, 0x2da, 0x2e2])?;
        precise(state, (F90_REAL, vec![precision, range]), named, datatype)
    })
}

pub(super) extern "C-unwind" fn f90_complex(
    precision: c_int,
    range: c_int,
    datatype: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (datatype, handle::DATATYPE_NULL), |state, _| {
        let named = sufficient(precision, range, [0x2db, 0x2e3, 0x2eb])?;
        precise(state, (F90_COMPLEX, vec![precision, range]), named, datatype)
    })
}

/// Returns the handle of a pair type of a value and an index (`MPI_Type_get_value_index`).
pub(super) extern "C-unwind" fn value_index(
    value: Handle,
    index: Handle,
    pair: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (pair, handle::DATATYPE_NULL), |state, _| {
        state.any_type(value)?;
        state.any_type(index)?;
        let found = match (value, index) {
            (0x210, 0x209) => 0x228,
            (0x214, 0x209) => 0x229,
            (0x20a, 0x209) => 0x22a,
            (0x209, 0x209) => 0x22b,
            (0x208, 0x209) => 0x22c,
            (0x220, 0x209) => 0x22d,
            (0x21a, 0x21a) => 0x230,
            (0x21c, 0x21c) => 0x231,
            (0x219, 0x219) => 0x232,
            _ => crate::constant::handle::DATATYPE_NULL,
        };
        put(pair, found)
    })
}

/// Implements `MPI_Status_c2f` and the other conversions: a status is eight integers in every
/// language, whatever their types `A` and `B` in C.
pub(super) extern "C-unwind" fn copy_status<A, B>(from: *const A, into: *mut B) -> c_int {
    always(|_, _| {
        let words: [c_int; 8] = get(from.cast(), "the status")?;
        put(into.cast(), words)
    })
}
