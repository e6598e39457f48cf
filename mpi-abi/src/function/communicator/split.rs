//! Splitting of communicators and reordering of their ranks (MPI sections 7.4.2 and 8.5).

use std::ffi::c_int;

use mpi_api::{
    call::{CommCall, Reply, Site},
    object::{blueprint::Blueprint, graph::Reorder},
};

use super::{finish, none_yet};
use crate::{
    constant::{Handle, class, handle, number},
    state::{Comm, Fault, Heritage, Mpi, State, creating},
};

/// Splits by a colour that is not negative, or `MPI_UNDEFINED`; the blueprint names the function if
/// it is not `MPI_Comm_split`.
pub(in crate::function) fn split(
    state: &State,
    site: Site,
    comm: &Comm,
    (color, key, blueprint): (Option<u32>, c_int, Option<Blueprint>),
    place: *mut Handle,
) -> Mpi<Handle> {
    none_yet(place)?;
    let blueprint = blueprint.map(Box::new);
    let operation = CommCall::Split { comm: comm.info.id, color, key, cart: None, blueprint };
    let reply = state.kernel(site, operation)?;
    finish(state, site, reply, Heritage::of(comm), place)
}

/// Creates the communicator of the ranks that have a place in a topology: in their order, or
/// reordered by the expected communication.
pub(in crate::function) fn split_places(
    state: &State,
    site: Site,
    comm: &Comm,
    (places, reorder, blueprint): (u32, Option<Reorder>, Blueprint),
    place: *mut Handle,
) -> Mpi<Handle> {
    let Some(reorder) = reorder else {
        let inside = comm.info.rank < places;
        let choice = (inside.then_some(0), comm.info.rank as c_int, Some(blueprint));
        return split(state, site, comm, choice, place);
    };
    none_yet(place)?;
    let (reorder, blueprint) = (Box::new(reorder), Some(Box::new(blueprint)));
    let operation = CommCall::Reorder { comm: comm.info.id, cart: None, reorder, blueprint };
    let reply = state.kernel(site, operation)?;
    finish(state, site, reply, Heritage::of(comm), place)
}

/// Returns the rank that the calling process would have after reordering.
pub(in crate::function) fn map(
    state: &State,
    site: Site,
    comm: &Comm,
    reorder: Reorder,
) -> Mpi<c_int> {
    let operation = CommCall::MapRank(comm.info.id, Box::new(reorder));
    match state.kernel(site, operation)? {
        Reply::Place(Some(place)) => Ok(place as c_int),
        _ => Ok(number::UNDEFINED),
    }
}

pub(in crate::function) extern "C-unwind" fn comm_split(
    comm: Handle,
    color: c_int,
    key: c_int,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::COMM_NULL), |state, site| {
        let parent = state.comm(comm)?;
        let color = match color {
            number::UNDEFINED => None,
            color if color >= 0 => Some(color as u32),
            _ => return Err(Fault::new(class::ARG, format!("the colour {color} is negative"))),
        };
        split(state, site, &parent, (color, key, None), place).map(|_| ())
    })
}
