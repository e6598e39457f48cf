//! Handle arguments: a Fortran integer has the same value as the C handle.

use std::{ffi::c_int, marker::PhantomData};

use super::{Argument, Call, Shape, read, write};
use crate::{
    constant,
    memory::look,
    purpose::Purpose,
    state::{Number, State},
};

/// Converts a Fortran handle to a C handle of the same value.
fn handle(address: usize) -> constant::Handle {
    read::<c_int>(address) as u32 as constant::Handle
}

/// Converts an array of Fortran handles.
fn handles(address: usize, count: usize) -> Vec<constant::Handle> {
    look(address as *const c_int, count, Purpose::Read);
    (0..count).map(|at| handle(address + 4 * at)).collect()
}

/// Writes a handle only if it has changed: programs pass constants, such as `MPI_REQUEST_NULL`,
/// where nothing changes.
fn change(place: usize, value: constant::Handle) {
    let value = value as c_int;
    if read::<c_int>(place) != value {
        write(place, value);
    }
}

/// A handle that is read.
pub(in super::super) struct Object(constant::Handle);

impl Argument for Object {
    type Taken = constant::Handle;
    const SHAPE: Shape = Shape::Handle;
    fn take(given: usize, _: &mut Call<'_>) -> Self {
        Self(handle(given))
    }
    fn pass(&mut self) -> constant::Handle {
        self.0
    }
}

/// A handle that is written or changed; one that C leaves alone is not written.
pub(in super::super) struct Variable {
    value: constant::Handle,
    place: usize,
}

impl Argument for Variable {
    type Taken = *mut constant::Handle;
    const SHAPE: Shape = Shape::Handle;
    fn take(given: usize, _: &mut Call<'_>) -> Self {
        Self { value: handle(given), place: given }
    }
    fn pass(&mut self) -> *mut constant::Handle {
        &raw mut self.value
    }
    fn give_back(self, _: &Call<'_>) {
        change(self.place, self.value);
    }
}

/// Handles that are read; argument `COUNT`, of type `N`, is their number.
pub(in super::super) struct Objects<const COUNT: usize, N = c_int> {
    values: Vec<constant::Handle>,
    counted: PhantomData<N>,
}

impl<const COUNT: usize, N: Number> Argument for Objects<COUNT, N> {
    type Taken = *const constant::Handle;
    const SHAPE: Shape = Shape::Handles;
    fn take(given: usize, call: &mut Call<'_>) -> Self {
        let values = handles(given, call.count::<N>(COUNT));
        Self { values, counted: PhantomData }
    }
    fn pass(&mut self) -> *const constant::Handle {
        self.values.as_ptr()
    }
}

/// Like [`Objects`], but read only at the root, which is argument `ROOT`.
pub(in super::super) struct RootObjects<const COUNT: usize, const ROOT: usize>(
    Vec<constant::Handle>,
);

impl<const COUNT: usize, const ROOT: usize> Argument for RootObjects<COUNT, ROOT> {
    type Taken = *const constant::Handle;
    const SHAPE: Shape = Shape::Handles;
    fn take(given: usize, call: &mut Call<'_>) -> Self {
        Self(handles(given, call.count_at_root(COUNT, ROOT)))
    }
    fn pass(&mut self) -> *const constant::Handle {
        self.0.as_ptr()
    }
}

/// Handles that are written or changed; argument `COUNT`, of type `N`, is their number.
pub(in super::super) struct Variables<const COUNT: usize, N = c_int> {
    values: Vec<constant::Handle>,
    place: usize,
    counted: PhantomData<N>,
}

impl<const COUNT: usize, N: Number> Argument for Variables<COUNT, N> {
    type Taken = *mut constant::Handle;
    const SHAPE: Shape = Shape::Handles;
    fn take(given: usize, call: &mut Call<'_>) -> Self {
        let values = handles(given, call.count::<N>(COUNT));
        Self { values, place: given, counted: PhantomData }
    }
    fn pass(&mut self) -> *mut constant::Handle {
        self.values.as_mut_ptr()
    }
    fn give_back(self, _: &Call<'_>) {
        for (at, value) in self.values.iter().enumerate() {
            change(self.place + 4 * at, *value);
        }
    }
}

/// Datatype handles, one for each rank or neighbour of the communicator `COMM`; none are read if
/// the buffer, argument `BUFFER`, is `MPI_IN_PLACE`.
pub(in super::super) struct TypesOf<const COMM: usize, const BUFFER: usize>(Vec<constant::Handle>);

impl<const COMM: usize, const BUFFER: usize> TypesOf<COMM, BUFFER> {
    fn count(call: &Call<'_>) -> usize {
        if call.address(call.given[BUFFER]) == 1 {
            return 0;
        }
        let found = State::current().and_then(|state| state.comm(handle(call.given[COMM])).ok());
        found.map_or(0, |comm| comm.peers() as usize)
    }
}

impl<const COMM: usize, const BUFFER: usize> Argument for TypesOf<COMM, BUFFER> {
    type Taken = *const constant::Handle;
    const SHAPE: Shape = Shape::Handles;
    fn take(given: usize, call: &mut Call<'_>) -> Self {
        Self(handles(given, Self::count(call)))
    }
    fn pass(&mut self) -> *const constant::Handle {
        self.0.as_ptr()
    }
}

/// Datatype handles, one for each neighbour on the communicator `COMM`: the destinations if
/// `SENDS`, else the sources.
pub(in super::super) struct TypesNear<const COMM: usize, const SENDS: bool>(Vec<constant::Handle>);

impl<const COMM: usize, const SENDS: bool> Argument for TypesNear<COMM, SENDS> {
    type Taken = *const constant::Handle;
    const SHAPE: Shape = Shape::Handles;
    fn take(given: usize, call: &mut Call<'_>) -> Self {
        let comm = State::current().and_then(|state| state.comm(handle(call.given[COMM])).ok());
        let near = comm.and_then(|comm| super::super::super::graph::neighbors(&comm).ok());
        let count =
            near.map_or(0, |near| if SENDS { near.destinations.len() } else { near.sources.len() });
        Self(handles(given, count))
    }
    fn pass(&mut self) -> *const constant::Handle {
        self.0.as_ptr()
    }
}
