//! Cartesian topologies (MPI section 8.5).

use std::ffi::c_int;

use mpi_api::{
    call::{CollectiveCall, CollectiveEntry, CollectiveKind, Site},
    object::{
        blueprint::Blueprint,
        cart::{Cart, DimsOrder, dims_create as balance},
        graph::Reorder,
    },
    policy::Policy,
};

use super::communicator;
use crate::{
    constant::{Handle, class, handle, number},
    state::{
        Comm, Fault, Mpi, State, Topology, argument, array, call, creating, local, put, put_in,
    },
};

fn cart(state: &State, comm: Handle) -> Mpi<Cart> {
    match &*state.comm(comm)?.topology.borrow() {
        Some(Topology::Cartesian(cart)) => Ok(cart.clone()),
        _ => Err(Fault::new(class::TOPOLOGY, "the communicator is no Cartesian grid")),
    }
}

/// Writes an array of numbers.
pub(super) fn numbers(place: *mut c_int, values: impl Iterator<Item = c_int>) -> Mpi {
    for (at, value) in values.enumerate() {
        put_in(place, at, value)?;
    }
    Ok(())
}

pub(super) extern "C-unwind" fn dims_create(nodes: c_int, count: c_int, dims: *mut c_int) -> c_int {
    local(|state, _| {
        let given = array(dims.cast_const(), i64::from(count))?;
        argument::at_least(1, class::ARG, "the number of nodes", nodes.into())?;
        let wanted: Result<Vec<u32>, _> = given.iter().map(|size| u32::try_from(*size)).collect();
        let mut wanted = wanted.map_err(|_| Fault::new(class::DIMS, "a dimension is negative"))?;
        let order = DimsOrder::of(state.policies());
        balance(nodes as u32, &mut wanted, order).map_err(|text| Fault::new(class::DIMS, text))?;
        numbers(dims, wanted.into_iter().map(|size| size as c_int))
    })
}

/// Reads a grid of at most `most` ranks.
fn grid(most: u32, count: c_int, dims: *const c_int, periods: *const c_int) -> Mpi<Cart> {
    let (dims, periods) = (array(dims, i64::from(count))?, array(periods, i64::from(count))?);
    let sizes: Result<Vec<u32>, _> = dims.iter().map(|size| u32::try_from(*size)).collect();
    let sizes = sizes.ok().filter(|sizes| !sizes.contains(&0));
    let sizes = sizes.ok_or_else(|| Fault::new(class::DIMS, "a dimension is not positive"))?;
    let size = sizes.iter().fold(1u64, |size, along| size.saturating_mul(u64::from(*along)));
    if size > u64::from(most) {
        return Err(Fault::new(
            class::DIMS,
            format!(
                "a grid of {dims:?} has {size} ranks; allowed are {most} or fewer, those of the communicator"
            ),
        ));
    }
    Ok(Cart { dims: sizes, periods: periods.iter().map(|period| *period != 0).collect() })
}

pub(super) extern "C-unwind" fn cart_create(
    comm: Handle,
    count: c_int,
    dims: *const c_int,
    periods: *const c_int,
    reorder: c_int,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::COMM_NULL), |state, site| {
        let parent = state.intra(comm)?;
        if count == 0 && state.policies().differs(Policy::ZeroDimensionalGrids) {
            return Err(Fault::new(class::DIMS, "the policy has no grids of no dimensions"));
        }
        let made = grid(parent.size(), count, dims, periods)?;
        let blueprint = Blueprint::Grid { grid: made.clone(), reorder: reorder != 0 };
        let reorder = (reorder != 0).then(|| Reorder::Grid(made.clone()));
        let wanted = (made.size(), reorder, blueprint);
        let new = communicator::split_places(state, site, &parent, wanted, place)?;
        if new != handle::COMM_NULL {
            state.comm(new)?.topology.replace(Some(Topology::Cartesian(made)));
        }
        Ok(())
    })
}

pub(super) extern "C-unwind" fn cart_sub(
    comm: Handle,
    keep: *const c_int,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::COMM_NULL), |state, site| {
        let parent = state.comm(comm)?;
        let whole = cart(state, comm)?;
        let keep = array(keep, whole.dims.len() as i64)?;
        let keep: Vec<bool> = keep.iter().map(|kept| *kept != 0).collect();
        let (part, color, key) = whole.sub(parent.info.rank, &keep);
        let choice = (Some(color), key, Some(Blueprint::Subgrid(keep)));
        let new = communicator::split(state, site, &parent, choice, place)?;
        state.comm(new)?.topology.replace(Some(Topology::Cartesian(part)));
        Ok(())
    })
}

pub(super) extern "C-unwind" fn cart_coords(
    comm: Handle,
    rank: c_int,
    count: c_int,
    coords: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        let cart = cart(state, comm)?;
        let known = argument::rank("rank", rank, cart.size())?;
        if i64::from(count) < cart.dims.len() as i64 {
            return Err(Fault::new(class::ARG, "the array of coordinates is too short"));
        }
        numbers(coords, cart.coords_of(known).into_iter().map(|at| at as c_int))
    })
}

pub(super) extern "C-unwind" fn cart_rank(
    comm: Handle,
    coords: *const c_int,
    rank: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        let cart = cart(state, comm)?;
        let given = array(coords, cart.dims.len() as i64)?;
        let given: Vec<i64> = given.iter().map(|at| i64::from(*at)).collect();
        let found = cart.rank_of(&given).map_err(|text| Fault::new(class::ARG, text))?;
        put(rank, found as c_int)
    })
}

pub(super) extern "C-unwind" fn cart_shift(
    comm: Handle,
    direction: c_int,
    by: c_int,
    source: *mut c_int,
    dest: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        let cart = cart(state, comm)?;
        let along = usize::try_from(direction).ok().filter(|along| *along < cart.dims.len());
        let along = along
            .ok_or_else(|| Fault::new(class::DIMS, format!("there is no dimension {direction}")))?;
        let me = state.comm(comm)?.info.rank;
        let (from, to) = cart.shift(me, along, i64::from(by));
        let rank = |rank: Option<u32>| rank.map_or(number::PROC_NULL, |rank| rank as c_int);
        put(source, rank(from))?;
        put(dest, rank(to))
    })
}

pub(super) extern "C-unwind" fn cart_get(
    comm: Handle,
    count: c_int,
    dims: *mut c_int,
    periods: *mut c_int,
    coords: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        let cart = cart(state, comm)?;
        if i64::from(count) < cart.dims.len() as i64 {
            return Err(Fault::new(class::ARG, "the arrays are too short"));
        }
        let me = state.comm(comm)?.info.rank;
        numbers(coords, cart.coords_of(me).into_iter().map(|at| at as c_int))?;
        numbers(dims, cart.dims.iter().map(|size| *size as c_int))?;
        numbers(periods, cart.periods.iter().map(|period| c_int::from(*period)))
    })
}

pub(super) extern "C-unwind" fn cartdim_get(comm: Handle, count: *mut c_int) -> c_int {
    call(comm, |state, _| put(count, cart(state, comm)?.dims.len() as c_int))
}

/// Synchronises all ranks if the policy makes the map functions collective.
pub(super) fn meet(state: &State, site: Site, comm: &Comm) -> Mpi {
    if !state.policies().differs(Policy::MapFunctions) {
        return Ok(());
    }
    let barrier = CollectiveCall::new(comm.info.id, CollectiveKind::Barrier);
    state.kernel(site, CollectiveEntry::Blocking(Box::new(barrier))).map(|_| ())
}

pub(super) extern "C-unwind" fn cart_map(
    comm: Handle,
    count: c_int,
    dims: *const c_int,
    periods: *const c_int,
    rank: *mut c_int,
) -> c_int {
    call(comm, |state, site| {
        let parent = state.intra(comm)?;
        meet(state, site, &parent)?;
        let made = grid(parent.size(), count, dims, periods)?;
        put(rank, communicator::map(state, site, &parent, Reorder::Grid(made))?)
    })
}

pub(super) extern "C-unwind" fn topo_test(comm: Handle, kind: *mut c_int) -> c_int {
    call(comm, |state, _| {
        let found = match &*state.comm(comm)?.topology.borrow() {
            None => number::UNDEFINED,
            Some(Topology::Cartesian(_)) => number::CART,
            Some(Topology::Graph(_)) => number::GRAPH,
            Some(Topology::Distributed(_)) => number::DIST_GRAPH,
        };
        put(kind, found)
    })
}
