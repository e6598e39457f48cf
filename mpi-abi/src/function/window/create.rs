//! Creates and frees windows (MPI section 12.2).

use std::{
    cell::{Cell, RefCell},
    ffi::{c_int, c_void},
    rc::Rc,
};

use mpi_api::{
    call::{CommCall, CommInfo, Flavor, Reply, SameParts, Site, WindowCall, WindowId, WindowPart},
    check::info_assertion::SameArgument,
    finding::CallPlace,
    window_memory,
};

use super::{
    super::{attribute, bounds, info, request::peek},
    hear, shared,
};
use crate::{
    constant::{Handle, class, handle, number},
    memory::{AddressSpace, allocate_pages, release_pages},
    state::{Asserted, Fault, Mpi, Number, State, Window, argument, call, creating, put, wanted},
};

/// The arguments of a constructor.
pub(super) struct Wanted {
    pub(super) flavor: Flavor,
    pub(super) base: usize,
    pub(super) size: i64,
    pub(super) unit: i64,
}

impl Wanted {
    pub(super) fn check(&self) -> Mpi {
        argument::at_least(0, class::SIZE, "the size of the window", self.size)?;
        argument::at_least(1, class::DISP, "the displacement unit", self.unit)
    }
}

/// Returns the communicator of a new window.
pub(super) fn own_communicator(state: &State, site: Site, comm: Handle) -> Mpi<CommInfo> {
    let parent = state.intra(comm)?;
    match state.kernel(site, CommCall::Duplicate(parent.info.id))? {
        Reply::Comm(Some(info)) => Ok(*info),
        _ => Err(Fault::new(class::INTERN, "no communicator")),
    }
}

/// Creates a window, whose communicator exists, together with its other ranks.
pub(super) fn complete(
    state: &State,
    site: Site,
    (info, hints): (CommInfo, Handle),
    wanted: &Wanted,
    place: *mut Handle,
) -> Mpi {
    let Wanted { flavor, base, size, unit } = *wanted;
    let hints = info::of(state, hints)?;
    let memory = window_memory::register(Rc::new(AddressSpace::default()));
    let asserts = |same: SameArgument| hints.is_true(same.key());
    let same = SameParts { size: asserts(SameArgument::Size), unit: asserts(SameArgument::Unit) };
    let part = WindowPart { flavor, memory, base: base as i64, bytes: size as u64, unit, same };
    state.kernel(site, WindowCall::Create(WindowId(info.id), Box::new(part)))?;
    let flavor_number = match flavor {
        Flavor::Create => number::WIN_FLAVOR_CREATE,
        Flavor::Allocate => number::WIN_FLAVOR_ALLOCATE,
        Flavor::Dynamic => number::WIN_FLAVOR_DYNAMIC,
        Flavor::Shared => number::WIN_FLAVOR_SHARED,
    };
    let window = Window {
        info,
        flavor,
        memory,
        base,
        attached: RefCell::default(),
        size,
        unit: c_int::try_from(unit).unwrap_or(c_int::MAX),
        flavor_number,
        model: number::WIN_UNIFIED,
        site,
        handler: Cell::new(handle::ERRORS_ARE_FATAL),
        name: RefCell::default(),
        attributes: RefCell::default(),
        asserted: Asserted::of(&hints, CallPlace::at(site, "MPI_Win_create")),
        hints: RefCell::new(hints),
        pending: RefCell::default(),
        requested: RefCell::default(),
        results: RefCell::default(),
        tickets: Cell::new(0),
    };
    put(place, state.add_window(window))
}

pub(in super::super) extern "C-unwind" fn create<N: Number>(
    base: *mut c_void,
    size: i64,
    unit: N,
    hints: Handle,
    comm: Handle,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::WIN_NULL), |state, site| {
        wanted(place)?;
        let base = base as usize;
        let given = Wanted { flavor: Flavor::Create, base, size, unit: unit.wide() };
        given.check()?;
        if base == 0 && size > 0 {
            return Err(Fault::new(class::BASE, format!("a null window of {size} bytes")));
        }
        info::known(state, hints)?;
        let by = CallPlace::at(site, "MPI_Win_create");
        bounds::look_at_memory(state, by, base, size as u64);
        let made = own_communicator(state, site, comm)?;
        complete(state, site, (made, hints), &given, place)
    })
}

pub(in super::super) extern "C-unwind" fn allocate_window<N: Number>(
    size: i64,
    unit: N,
    hints: Handle,
    comm: Handle,
    base: *mut c_void,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::WIN_NULL), |state, site| {
        wanted(place)?;
        wanted(base)?;
        let given = Wanted { flavor: Flavor::Allocate, base: 0, size, unit: unit.wide() };
        given.check()?;
        info::known(state, hints)?;
        let memory = allocate_pages(size as usize);
        if memory.is_null() {
            return Err(Fault::new(class::NO_MEM, format!("there are no {size} bytes of memory")));
        }
        let made = own_communicator(state, site, comm)?;
        let given = Wanted { base: memory as usize, ..given };
        complete(state, site, (made, hints), &given, place)?;
        put(base.cast::<*mut c_void>(), memory)
    })
}

pub(in super::super) extern "C-unwind" fn create_dynamic(
    hints: Handle,
    comm: Handle,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::WIN_NULL), |state, site| {
        wanted(place)?;
        info::known(state, hints)?;
        let made = own_communicator(state, site, comm)?;
        // Displacements are addresses (MPI 12.2.4).
        let given = Wanted { flavor: Flavor::Dynamic, base: 0, size: 0, unit: 1 };
        complete(state, site, (made, hints), &given, place)
    })
}

pub(in super::super) extern "C-unwind" fn free(place: *mut Handle) -> c_int {
    call(handle::COMM_NULL, |state, site| {
        let given = peek(place)?;
        let window = state.window(given)?;
        free_window(state, site, (given, &window))
            .map_err(|fault| hear(state, site, (given, &window), fault))?;
        put(place, handle::WIN_NULL)
    })
}

fn free_window(state: &State, site: Site, (given, window): (Handle, &Rc<Window>)) -> Mpi {
    if window.flavor == Flavor::Create {
        let by = CallPlace::at(site, "MPI_Win_free");
        bounds::look_at_end(state, by, window.base, window.size as u64);
    }
    attribute::delete_window(state, given, &window.attributes)?;
    state.kernel(site, WindowCall::Free(window.id()))?;
    state.kernel(site, CommCall::Free(window.info.id))?;
    window_memory::withdraw(window.memory);
    state.remove_window(given);
    let freed_by = (state.number(), site);
    match window.flavor {
        Flavor::Allocate => release_pages(window.base as *mut c_void, freed_by),
        Flavor::Shared => shared::leave(window.info.id, freed_by),
        Flavor::Create | Flavor::Dynamic => {}
    }
    Ok(())
}
