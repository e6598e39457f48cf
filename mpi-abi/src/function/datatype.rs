//! Datatypes (MPI chapter 5).
#![allow(unsafe_code, reason = "reads arrays of programs")]

use std::{
    cell::{Cell, RefCell},
    ffi::{c_char, c_int, c_void},
    rc::Rc,
};

use mpi_api::{
    call::{Operation, Reply, Site},
    object::datatype::{Combiner, Datatype},
    policy::Policy,
};

use super::{attribute, request::peek, text};
use crate::{
    constant::{Handle, class, handle, number},
    state::{Fault, Mpi, Number, State, Type, array, local, put},
};

/// Gives a new type its handle.
pub(super) fn add(
    state: &State,
    site: Site,
    made: Datatype,
    parts: Vec<Handle>,
    place: *mut Handle,
) -> Mpi<Handle> {
    let record = match state.kernel(site, Operation::CreateType)? {
        Reply::Object(record) => Some(record),
        _ => None,
    };
    let made = Type {
        datatype: made,
        committed: Cell::new(false),
        name: RefCell::default(),
        attributes: RefCell::default(),
        record,
        parts,
    };
    let handle = state.types.borrow_mut().insert(Rc::new(made));
    put(place, handle)?;
    Ok(handle)
}

impl State {
    /// A handle of the type, as user functions of reductions are told it.
    pub(crate) fn handle_of_type(&self, datatype: &Datatype) -> Handle {
        if let Some(primitive) = datatype.primitive() {
            return crate::state::handle_of(primitive);
        }
        let types = self.types.borrow();
        types.find(|known| known.datatype.is(datatype)).unwrap_or(handle::DATATYPE_NULL)
    }
}

fn wide<N: Number>(list: *const N, count: i64) -> Mpi<Vec<i64>> {
    Ok(array(list, count)?.iter().map(|value| value.wide()).collect())
}

fn negative(count: i64) -> Mpi {
    if count < 0 {
        return Err(Fault::new(class::COUNT, format!("the count is {count}")));
    }
    Ok(())
}

/// A constructor with one old type.
macro_rules! constructor {
    ($name:ident ($($argument:ident: $kind:ty),*) |$old:ident| $made:expr) => {
        pub(super) extern "C" fn $name<N: Number>(
            $($argument: $kind,)*
            old: Handle,
            new: *mut Handle,
        ) -> c_int {
            local(|state, site| {
                let $old = state.any_type(old)?.datatype.clone();
                add(state, site, $made?, vec![old], new).map(|_| ())
            })
        }
    };
}

constructor! { contiguous (count: N) |old| Datatype::contiguous(count.wide(), &old) }
constructor! { vector (count: N, length: N, stride: N)
|old| Datatype::vector(count.wide(), length.wide(), stride.wide(), &old) }
constructor! { hvector (count: N, length: N, stride: i64)
|old| Datatype::hvector(count.wide(), length.wide(), stride, &old) }
constructor! { hindexed (count: N, lengths: *const N, places: *const i64)
|old| negative(count.wide()).and_then(|()| Ok(Datatype::hindexed(
    &wide(lengths, count.wide())?, &wide(places, count.wide())?, &old)?)) }
constructor! { indexed_block (count: N, length: N, places: *const N)
|old| negative(count.wide()).and_then(|()| Ok(Datatype::indexed_block(
    length.wide(), &wide(places, count.wide())?, &old)?)) }
constructor! { hindexed_block (count: N, length: N, places: *const i64)
|old| negative(count.wide()).and_then(|()| Ok(Datatype::hindexed_block(
    length.wide(), &wide(places, count.wide())?, &old)?)) }

pub(super) extern "C" fn indexed<N: Number>(
    count: N,
    lengths: *const N,
    places: *const N,
    old: Handle,
    new: *mut Handle,
) -> c_int {
    local(|state, site| {
        let kept = state.any_type(old)?.datatype.clone();
        let count = count.wide();
        negative(count)?;
        let (lengths, places) = (wide(lengths, count)?, wide(places, count)?);
        let made = if state.policies().differs(Policy::IndexedDisplacements) {
            Datatype::hindexed(&lengths, &places, &kept)?
        } else {
            Datatype::indexed(&lengths, &places, &kept)?
        };
        add(state, site, made, vec![old], new).map(|_| ())
    })
}

pub(super) extern "C" fn resized(old: Handle, lb: i64, extent: i64, new: *mut Handle) -> c_int {
    local(|state, site| {
        let made = state.any_type(old)?.datatype.resized(lb, extent)?;
        add(state, site, made, vec![old], new).map(|_| ())
    })
}

pub(super) extern "C" fn structure<N: Number>(
    count: N,
    lengths: *const N,
    places: *const i64,
    types: *const Handle,
    new: *mut Handle,
) -> c_int {
    local(|state, site| {
        let count = count.wide();
        negative(count)?;
        let handles = array(types, count)?.to_vec();
        let mut parts = Vec::with_capacity(handles.len());
        for handle in &handles {
            parts.push(state.any_type(*handle)?.datatype.clone());
        }
        let made = Datatype::structure(&wide(lengths, count)?, &wide(places, count)?, &parts)?;
        add(state, site, made, handles, new).map(|_| ())
    })
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C" fn subarray<N: Number>(
    dims: c_int,
    sizes: *const N,
    subsizes: *const N,
    starts: *const N,
    order: c_int,
    old: Handle,
    new: *mut Handle,
) -> c_int {
    local(|state, site| {
        let count = i64::from(dims);
        if count < 1 {
            return Err(Fault::new(class::ARG, format!("{count} dimensions")));
        }
        let order = super::array::order(order)?;
        let kept = state.any_type(old)?.datatype.clone();
        let (sizes, parts) = (wide(sizes, count)?, wide(subsizes, count)?);
        let made = Datatype::subarray(&sizes, &parts, &wide(starts, count)?, order, &kept)?;
        add(state, site, made, vec![old], new).map(|_| ())
    })
}

pub(super) extern "C" fn type_dup(old: Handle, new: *mut Handle) -> c_int {
    local(|state, site| {
        let kept = state.any_type(old)?;
        let handle = add(state, site, kept.datatype.dup(), vec![old], new)?;
        let made = state.any_type(handle)?;
        made.committed.set(kept.committed.get());
        attribute::copy_type(state, old, &kept.attributes, &made.attributes)
    })
}

pub(super) extern "C" fn type_commit(datatype: *mut Handle) -> c_int {
    local(|state, site| {
        let found = state.any_type(peek(datatype)?)?;
        if !found.committed.replace(true)
            && let Some(record) = found.record
        {
            state.kernel(site, Operation::CommitType(record))?;
        }
        Ok(())
    })
}

pub(super) extern "C" fn type_free(datatype: *mut Handle) -> c_int {
    local(|state, site| {
        let given = peek(datatype)?;
        let found = state.any_type(given)?;
        let Some(record) = found.record else {
            return Err(Fault::new(class::TYPE, "a predefined datatype cannot be freed"));
        };
        attribute::delete_type(state, given, &found.attributes)?;
        state.kernel(site, Operation::FreeType(record))?;
        state.types.borrow_mut().remove(given);
        put(datatype, handle::DATATYPE_NULL)
    })
}

/// Writes a number, or `MPI_UNDEFINED` if it does not fit.
fn fitting<N: Number>(place: *mut N, value: i64) -> Mpi {
    let undefined = N::narrow(i64::from(number::UNDEFINED)).expect("the constant fits both");
    put(place, N::narrow(value).unwrap_or(undefined))
}

pub(super) extern "C" fn type_size<N: Number>(datatype: Handle, size: *mut N) -> c_int {
    local(|state, _| fitting(size, state.any_type(datatype)?.datatype.size() as i64))
}

pub(super) extern "C" fn get_extent(datatype: Handle, lb: *mut i64, extent: *mut i64) -> c_int {
    local(|state, _| {
        let found = state.any_type(datatype)?;
        put(lb, found.datatype.lb())?;
        put(extent, found.datatype.extent())
    })
}

pub(super) extern "C" fn get_true_extent(
    datatype: Handle,
    lb: *mut i64,
    extent: *mut i64,
) -> c_int {
    local(|state, _| {
        let found = state.any_type(datatype)?;
        put(lb, found.datatype.true_lb())?;
        put(extent, found.datatype.true_extent())
    })
}

pub(super) extern "C" fn type_extent(datatype: Handle, extent: *mut i64) -> c_int {
    local(|state, _| put(extent, state.any_type(datatype)?.datatype.extent()))
}

pub(super) extern "C" fn type_lb(datatype: Handle, lb: *mut i64) -> c_int {
    local(|state, _| put(lb, state.any_type(datatype)?.datatype.lb()))
}

pub(super) extern "C" fn type_ub(datatype: Handle, ub: *mut i64) -> c_int {
    local(|state, _| put(ub, state.any_type(datatype)?.datatype.ub()))
}

/// `MPI_COMBINER_` constants.
fn combiner(combiner: Combiner) -> c_int {
    match combiner {
        Combiner::Named => 101,
        Combiner::Dup => 102,
        Combiner::Contiguous => 103,
        Combiner::Vector => 104,
        Combiner::Hvector => 105,
        Combiner::Indexed => 106,
        Combiner::Hindexed => 107,
        Combiner::IndexedBlock => 108,
        Combiner::HindexedBlock => 109,
        Combiner::Struct => 110,
        Combiner::Subarray => 111,
        Combiner::Darray => 112,
        Combiner::Resized => 116,
    }
}

pub(super) extern "C" fn get_envelope(
    datatype: Handle,
    integers: *mut c_int,
    addresses: *mut c_int,
    datatypes: *mut c_int,
    kind: *mut c_int,
) -> c_int {
    local(|state, _| {
        let found = state.any_type(datatype)?;
        let envelope = found.datatype.envelope();
        put(integers, envelope.integers.len() as c_int)?;
        put(addresses, envelope.addresses.len() as c_int)?;
        put(datatypes, envelope.datatypes.len() as c_int)?;
        put(kind, combiner(envelope.combiner))
    })
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C" fn get_contents(
    datatype: Handle,
    max_integers: c_int,
    max_addresses: c_int,
    max_datatypes: c_int,
    integers: *mut c_int,
    addresses: *mut i64,
    datatypes: *mut Handle,
) -> c_int {
    local(|state, site| {
        let found = state.any_type(datatype)?;
        let envelope = found.datatype.envelope();
        if envelope.combiner == Combiner::Named {
            return Err(Fault::new(class::TYPE, "a predefined datatype has no contents"));
        }
        let room = (max_integers as usize, max_addresses as usize, max_datatypes as usize);
        let needed = (envelope.integers.len(), envelope.addresses.len(), envelope.datatypes.len());
        if room.0 < needed.0 || room.1 < needed.1 || room.2 < needed.2 {
            return Err(Fault::new(class::ARG, "the arrays are too short for the contents"));
        }
        for (place, value) in envelope.integers.iter().enumerate() {
            let value = super::array::constant(envelope.combiner, place, *value, needed.0);
            put(integers.wrapping_add(place), value as c_int)?;
        }
        for (place, value) in envelope.addresses.iter().enumerate() {
            put(addresses.wrapping_add(place), *value)?;
        }
        for (place, part) in found.parts.iter().enumerate() {
            hand_out(
                state,
                site,
                *part,
                &envelope.datatypes[place],
                datatypes.wrapping_add(place),
            )?;
        }
        Ok(())
    })
}

pub(super) extern "C" fn get_envelope_c(
    datatype: Handle,
    integers: *mut i64,
    addresses: *mut i64,
    counts: *mut i64,
    datatypes: *mut i64,
    kind: *mut c_int,
) -> c_int {
    local(|state, _| {
        let found = state.any_type(datatype)?;
        let envelope = found.datatype.envelope();
        put(integers, envelope.integers.len() as i64)?;
        put(addresses, envelope.addresses.len() as i64)?;
        put(counts, 0)?;
        put(datatypes, envelope.datatypes.len() as i64)?;
        put(kind, combiner(envelope.combiner))
    })
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C" fn get_contents_c(
    datatype: Handle,
    max_integers: i64,
    max_addresses: i64,
    _max_counts: i64,
    max_datatypes: i64,
    integers: *mut c_int,
    addresses: *mut i64,
    _counts: *mut i64,
    datatypes: *mut Handle,
) -> c_int {
    let room = |count: i64| c_int::try_from(count).unwrap_or(c_int::MAX);
    get_contents(
        datatype,
        room(max_integers),
        room(max_addresses),
        room(max_datatypes),
        integers,
        addresses,
        datatypes,
    )
}

/// A handle of a type inside another: predefined ones as they are, others as new handles.
fn hand_out(
    state: &State,
    site: Site,
    part: Handle,
    datatype: &Datatype,
    place: *mut Handle,
) -> Mpi {
    if part < handle::FIRST {
        return put(place, part);
    }
    let parts = state.any_type(part).map(|known| known.parts.clone()).unwrap_or_default();
    let made = add(state, site, datatype.clone(), parts, place)?;
    state.any_type(made)?.committed.set(true);
    Ok(())
}

pub(super) extern "C" fn type_set_name(datatype: Handle, name: *const c_char) -> c_int {
    local(|state, _| {
        let mut name = text::read(name)?;
        name.truncate(number::MAX_OBJECT_NAME - 1);
        state.any_type(datatype)?.name.replace(name);
        Ok(())
    })
}

pub(super) extern "C" fn type_get_name(
    datatype: Handle,
    name: *mut c_char,
    length: *mut c_int,
) -> c_int {
    local(|state, _| {
        if datatype == handle::DATATYPE_NULL {
            return text::write("MPI_DATATYPE_NULL", name, length);
        }
        let known = state.any_type(datatype)?.name.borrow().clone();
        text::write(&known, name, length)
    })
}

pub(super) extern "C" fn get_address(place: *const c_void, address: *mut i64) -> c_int {
    local(|_, _| put(address, place as i64))
}

pub(super) extern "C" fn aint_add(base: i64, displacement: i64) -> i64 {
    base.wrapping_add(displacement)
}

pub(super) extern "C" fn aint_diff(first: i64, second: i64) -> i64 {
    first.wrapping_sub(second)
}
