//! Envelope and contents of datatypes (MPI section 5.1.13).

use std::{ffi::c_int, rc::Rc};

use mpi_api::{call::Site, object::datatype::Combiner};

use super::{
    array::constant,
    datatype::{Made, add},
};
use crate::{
    constant::{Handle, class},
    state::{Fault, Mpi, State, Type, local, put},
};

/// The arguments of a constructor, in the arrays of `MPI_Type_get_contents_c`.
struct Contents {
    combiner: c_int,
    integers: Vec<i64>,
    addresses: Vec<i64>,
    counts: Vec<i64>,
}

/// Returns the `MPI_COMBINER_` constant.
fn number(combiner: Combiner) -> c_int {
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

impl Contents {
    fn of(found: &Type) -> Self {
        if let Some(precision) = &found.precision {
            let integers = precision.arguments.iter().map(|value| i64::from(*value)).collect();
            let (addresses, counts) = (Vec::new(), Vec::new());
            return Self { combiner: precision.combiner, integers, addresses, counts };
        }
        let envelope = found.datatype.envelope();
        let length = envelope.integers.len();
        let values = envelope.integers.iter().enumerate();
        let integers: Vec<i64> = values
            .map(|(place, value)| constant(envelope.combiner, place, *value, length))
            .collect();
        let addresses = envelope.addresses.clone();
        let small =
            Self { combiner: number(envelope.combiner), integers, addresses, counts: Vec::new() };
        if found.large { small.widened(envelope.combiner) } else { small }
    }

    /// Returns the contents as if the large-count constructor had been called: counts and
    /// displacements become large counts; numbers of dimensions, ranks and constants stay integers.
    fn widened(self, combiner: Combiner) -> Self {
        let Self { combiner: kind, integers, addresses, .. } = self;
        let (integers, counts) = match combiner {
            Combiner::Subarray => {
                let last = integers.len() - 1;
                (vec![integers[0], integers[last]], integers[1..last].to_vec())
            }
            Combiner::Darray => {
                // The integers are size, rank and dimensions, then the sizes of the array.
                let sizes = 3..3 + integers[2] as usize;
                let rest = [&integers[..sizes.start], &integers[sizes.end..]].concat();
                (rest, integers[sizes].to_vec())
            }
            _ => (Vec::new(), [integers, addresses].concat()),
        };
        Self { combiner: kind, integers, addresses: Vec::new(), counts }
    }

    /// Checks that there are no large counts, which the functions without `_c` cannot return.
    fn small(self) -> Mpi<Self> {
        if self.counts.is_empty() {
            return Ok(self);
        }
        let text = "the datatype was made with large counts: ask with the function that ends in _c";
        Err(Fault::new(class::TYPE, text))
    }
}

pub(super) extern "C-unwind" fn get_envelope(
    datatype: Handle,
    integers: *mut c_int,
    addresses: *mut c_int,
    datatypes: *mut c_int,
    kind: *mut c_int,
) -> c_int {
    local(|state, _| {
        let found = state.any_type(datatype)?;
        let contents = Contents::of(&found).small()?;
        put(integers, contents.integers.len() as c_int)?;
        put(addresses, contents.addresses.len() as c_int)?;
        put(datatypes, found.parts.len() as c_int)?;
        put(kind, contents.combiner)
    })
}

pub(super) extern "C-unwind" fn get_envelope_c(
    datatype: Handle,
    integers: *mut i64,
    addresses: *mut i64,
    counts: *mut i64,
    datatypes: *mut i64,
    kind: *mut c_int,
) -> c_int {
    local(|state, _| {
        let found = state.any_type(datatype)?;
        let contents = Contents::of(&found);
        put(integers, contents.integers.len() as i64)?;
        put(addresses, contents.addresses.len() as i64)?;
        put(counts, contents.counts.len() as i64)?;
        put(datatypes, found.parts.len() as i64)?;
        put(kind, contents.combiner)
    })
}

/// Number of entries that an array has room for, and its address.
type Room<T> = (i64, *mut T);

/// Fills an array of the program.
fn fill<T>((room, place): Room<T>, values: &[i64], convert: impl Fn(i64) -> T) -> Mpi {
    if room < values.len() as i64 {
        let text = format!("room for {room} of {} values of the contents", values.len());
        return Err(Fault::new(class::ARG, text));
    }
    let mut places = (0..values.len()).map(|at| place.wrapping_add(at));
    values.iter().try_for_each(|value| put(places.next().unwrap_or(place), convert(*value)))
}

/// Fills an array with the handles of the types that a type is made of.
fn fill_types(state: &State, site: Site, found: &Type, (room, place): Room<Handle>) -> Mpi {
    if room < found.parts.len() as i64 {
        let text = format!("room for {room} of {} datatypes of the contents", found.parts.len());
        return Err(Fault::new(class::ARG, text));
    }
    for (at, (handle, part)) in found.parts.iter().enumerate() {
        hand_out(state, site, (*handle, part), place.wrapping_add(at))?;
    }
    Ok(())
}

fn contents_of(found: &Type) -> Mpi<Contents> {
    if found.is_predefined() && found.precision.is_none() {
        return Err(Fault::new(class::TYPE, "a predefined datatype has no contents"));
    }
    Ok(Contents::of(found))
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn get_contents(
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
        let contents = contents_of(&found)?.small()?;
        fill((max_integers.into(), integers), &contents.integers, |value| value as c_int)?;
        fill((max_addresses.into(), addresses), &contents.addresses, |value| value)?;
        fill_types(state, site, &found, (max_datatypes.into(), datatypes))
    })
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn get_contents_c(
    datatype: Handle,
    max_integers: i64,
    max_addresses: i64,
    max_counts: i64,
    max_datatypes: i64,
    integers: *mut c_int,
    addresses: *mut i64,
    counts: *mut i64,
    datatypes: *mut Handle,
) -> c_int {
    local(|state, site| {
        let found = state.any_type(datatype)?;
        let contents = contents_of(&found)?;
        fill((max_integers, integers), &contents.integers, |value| value as c_int)?;
        fill((max_addresses, addresses), &contents.addresses, |value| value)?;
        fill((max_counts, counts), &contents.counts, |value| value)?;
        fill_types(state, site, &found, (max_datatypes, datatypes))
    })
}

/// Returns a handle of a type inside another: predefined types have their own, others get a new
/// handle.
pub(super) fn hand_out(
    state: &State,
    site: Site,
    (handle, part): (Handle, &Rc<Type>),
    place: *mut Handle,
) -> Mpi {
    if part.is_predefined() {
        return put(place, handle);
    }
    let made =
        Made { datatype: part.datatype.clone(), parts: part.parts.clone(), large: part.large };
    let handle = add(state, site, made, place)?;
    state.any_type(handle)?.committed.set(part.committed.get());
    Ok(())
}
