//! Datatypes (MPI chapter 5).

use std::{
    cell::{Cell, RefCell},
    ffi::{c_char, c_int, c_void},
    rc::Rc,
};

use mpi_api::{
    call::{Reply, Site, TypeCall},
    object::datatype::Datatype,
    policy::Policy,
};

use super::{attribute, text};
use crate::{
    constant::{Handle, class, handle, number},
    memory::peek,
    state::{
        Fault, Mpi, Number, State, Type, argument, array, creating, fitting, local, put, wanted,
    },
};

/// A type that a constructor made of other types.
pub(super) struct Made {
    pub(super) datatype: Datatype,
    pub(super) parts: Vec<(Handle, Rc<Type>)>,
    /// Whether the constructor has large counts.
    pub(super) large: bool,
}

impl Made {
    /// Creates the record for a constructor whose counts are of type `N`.
    pub(super) fn of<N: Number>(datatype: Datatype, parts: Vec<(Handle, Rc<Type>)>) -> Self {
        Self { datatype, parts, large: N::LARGE }
    }
}

/// Creates the handle of a new type.
pub(super) fn add(state: &State, site: Site, made: Made, place: *mut Handle) -> Mpi<Handle> {
    wanted(place)?;
    let record = match state.kernel(site, TypeCall::Create)? {
        Reply::Object(record) => Some(record),
        _ => None,
    };
    let made = Type {
        datatype: made.datatype,
        committed: Cell::new(false),
        name: RefCell::default(),
        attributes: RefCell::default(),
        record,
        made: Some(site),
        parts: made.parts,
        large: made.large,
        precision: None,
    };
    let handle = state.types.borrow_mut().insert(Rc::new(made));
    put(place, handle)?;
    Ok(handle)
}

impl State {
    /// Returns a handle of the type, to be passed to user functions of reductions.
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

/// Defines a constructor with one old type.
macro_rules! constructor {
    ($name:ident ($($argument:ident: $kind:ty),*) |$old:ident| $made:expr) => {
        pub(super) extern "C-unwind" fn $name<N: Number>(
            $($argument: $kind,)*
            old: Handle,
            new: *mut Handle,
        ) -> c_int {
            creating(handle::COMM_NULL, (new, handle::DATATYPE_NULL), |state, site| {
                let part = state.any_type(old)?;
                let $old = part.datatype.clone();
                add(state, site, Made::of::<N>($made?, vec![(old, part)]), new).map(|_| ())
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
|old| argument::count(count.wide()).and_then(|_| Ok(Datatype::hindexed(
    &wide(lengths, count.wide())?, &wide(places, count.wide())?, &old)?)) }
constructor! { indexed_block (count: N, length: N, places: *const N)
|old| argument::count(count.wide()).and_then(|_| Ok(Datatype::indexed_block(
    length.wide(), &wide(places, count.wide())?, &old)?)) }
constructor! { hindexed_block (count: N, length: N, places: *const i64)
|old| argument::count(count.wide()).and_then(|_| Ok(Datatype::hindexed_block(
    length.wide(), &wide(places, count.wide())?, &old)?)) }

pub(super) extern "C-unwind" fn indexed<N: Number>(
    count: N,
    lengths: *const N,
    places: *const N,
    old: Handle,
    new: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (new, handle::DATATYPE_NULL), |state, site| {
        let part = state.any_type(old)?;
        let kept = part.datatype.clone();
        let count = count.wide();
        argument::count(count)?;
        let (lengths, places) = (wide(lengths, count)?, wide(places, count)?);
        let made = if state.policies().differs(Policy::IndexedDisplacements) {
            Datatype::hindexed(&lengths, &places, &kept)?
        } else {
            Datatype::indexed(&lengths, &places, &kept)?
        };
        add(state, site, Made::of::<N>(made, vec![(old, part)]), new).map(|_| ())
    })
}

pub(super) extern "C-unwind" fn resized<N: Number>(
    old: Handle,
    lb: i64,
    extent: i64,
    new: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (new, handle::DATATYPE_NULL), |state, site| {
        let part = state.any_type(old)?;
        let made = part.datatype.resized(lb, extent)?;
        add(state, site, Made::of::<N>(made, vec![(old, part)]), new).map(|_| ())
    })
}

pub(super) extern "C-unwind" fn structure<N: Number>(
    count: N,
    lengths: *const N,
    places: *const i64,
    types: *const Handle,
    new: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (new, handle::DATATYPE_NULL), |state, site| {
        let count = count.wide();
        argument::count(count)?;
        let types = array(types, count)?;
        let mut parts = Vec::with_capacity(types.len());
        for handle in types {
            parts.push((*handle, state.any_type(*handle)?));
        }
        let types: Vec<Datatype> = parts.iter().map(|(_, part)| part.datatype.clone()).collect();
        let made = Datatype::structure(&wide(lengths, count)?, &wide(places, count)?, &types)?;
        add(state, site, Made::of::<N>(made, parts), new).map(|_| ())
    })
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn subarray<N: Number>(
    dims: c_int,
    sizes: *const N,
    subsizes: *const N,
    starts: *const N,
    order: c_int,
    old: Handle,
    new: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (new, handle::DATATYPE_NULL), |state, site| {
        let count = i64::from(dims);
        argument::at_least(1, class::ARG, "the number of dimensions", count)?;
        let order = super::array::order(order)?;
        let part = state.any_type(old)?;
        let (sizes, parts) = (wide(sizes, count)?, wide(subsizes, count)?);
        let starts = wide(starts, count)?;
        let made = Datatype::subarray(&sizes, &parts, &starts, order, &part.datatype)?;
        add(state, site, Made::of::<N>(made, vec![(old, part)]), new).map(|_| ())
    })
}

pub(super) extern "C-unwind" fn type_dup(old: Handle, new: *mut Handle) -> c_int {
    creating(handle::COMM_NULL, (new, handle::DATATYPE_NULL), |state, site| {
        let kept = state.any_type(old)?;
        let (datatype, parts) = (kept.datatype.dup(), vec![(old, Rc::clone(&kept))]);
        let handle = add(state, site, Made { datatype, parts, large: false }, new)?;
        let made = state.any_type(handle)?;
        made.committed.set(kept.committed.get());
        let copied = attribute::copy_type(state, old, &kept.attributes, &made.attributes);
        if copied.is_err() {
            remove(state, site, (handle, &made), new)?;
        }
        copied
    })
}

/// Sets the handle to null; the type lives as long as something uses it.
fn remove(state: &State, site: Site, (given, found): (Handle, &Type), place: *mut Handle) -> Mpi {
    if let Some(record) = found.record {
        state.kernel(site, TypeCall::Free(record))?;
    }
    state.types.borrow_mut().remove(given);
    put(place, handle::DATATYPE_NULL)
}

pub(super) extern "C-unwind" fn type_commit(datatype: *mut Handle) -> c_int {
    local(|state, site| {
        let found = state.any_type(peek(datatype)?)?;
        if !found.committed.replace(true)
            && let Some(record) = found.record
        {
            state.kernel(site, TypeCall::Commit(record))?;
        }
        Ok(())
    })
}

pub(super) extern "C-unwind" fn type_free(datatype: *mut Handle) -> c_int {
    local(|state, site| {
        let given = peek(datatype)?;
        let found = state.any_type(given)?;
        if found.is_predefined() {
            return Err(Fault::new(class::TYPE, "a predefined datatype cannot be freed"));
        }
        attribute::delete_type(state, given, &found.attributes)?;
        remove(state, site, (given, &found), datatype)
    })
}

pub(super) extern "C-unwind" fn type_size<N: Number>(datatype: Handle, size: *mut N) -> c_int {
    local(|state, _| fitting(size, state.any_type(datatype)?.datatype.size() as i64))
}

pub(super) extern "C-unwind" fn get_extent(
    datatype: Handle,
    lb: *mut i64,
    extent: *mut i64,
) -> c_int {
    local(|state, _| {
        let found = state.any_type(datatype)?;
        put(lb, found.datatype.lb())?;
        put(extent, found.datatype.extent())
    })
}

pub(super) extern "C-unwind" fn get_true_extent(
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

pub(super) extern "C-unwind" fn type_extent(datatype: Handle, extent: *mut i64) -> c_int {
    local(|state, _| put(extent, state.any_type(datatype)?.datatype.extent()))
}

pub(super) extern "C-unwind" fn type_lb(datatype: Handle, lb: *mut i64) -> c_int {
    local(|state, _| put(lb, state.any_type(datatype)?.datatype.lb()))
}

pub(super) extern "C-unwind" fn type_ub(datatype: Handle, ub: *mut i64) -> c_int {
    local(|state, _| put(ub, state.any_type(datatype)?.datatype.ub()))
}

pub(super) extern "C-unwind" fn type_set_name(datatype: Handle, name: *const c_char) -> c_int {
    local(|state, _| {
        let mut name = text::read(name)?;
        name.truncate(number::MAX_OBJECT_NAME - 1);
        state.any_type(datatype)?.name.replace(name);
        Ok(())
    })
}

pub(super) extern "C-unwind" fn type_get_name(
    datatype: Handle,
    name: *mut c_char,
    length: *mut c_int,
) -> c_int {
    local(|state, _| {
        if datatype == handle::DATATYPE_NULL {
            return text::write("MPI_DATATYPE_NULL", text::OBJECT_NAME, name, length);
        }
        let known = state.any_type(datatype)?.name.borrow().clone();
        text::write(&known, text::OBJECT_NAME, name, length)
    })
}

pub(super) extern "C-unwind" fn get_address(place: *const c_void, address: *mut i64) -> c_int {
    local(|_, _| put(address, place as i64))
}

pub(super) extern "C-unwind" fn aint_add(base: i64, displacement: i64) -> i64 {
    base.wrapping_add(displacement)
}

pub(super) extern "C-unwind" fn aint_diff(first: i64, second: i64) -> i64 {
    first.wrapping_sub(second)
}
