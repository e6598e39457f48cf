//! Communicators of the ranks that share a resource (MPI section 7.4.2).

use std::ffi::c_int;

use mpi_api::{call::CommCall, object::group::Group};

use super::{
    communicator, environment, info,
    session::{ProcessSet, set_of},
};
use crate::{
    constant::{Handle, class, handle, number},
    state::{Comm, Fault, Mpi, State, creating, put},
};

/// Returns the colour of a rank in a split by resource type (MPI 7.4.2).
fn resource(state: &State, kind: c_int, info: Handle) -> Mpi<Option<u32>> {
    let hints = info::of(state, info)?;
    let hint = |key: &str| hints.0.iter().find(|(known, _)| known == key).map(|(_, value)| value);
    let shared = |name: &String| environment::RESOURCES.contains(&name.as_str());
    Ok(match kind {
        number::UNDEFINED => None,
        number::COMM_TYPE_SHARED => Some(state.node_of_split()),
        number::COMM_TYPE_HW_GUIDED => {
            hint("mpi_hw_resource_type").filter(|name| shared(name)).map(|_| state.node_of_split())
        }
        number::COMM_TYPE_RESOURCE_GUIDED => match hint("mpi_pset_name").and_then(|n| set_of(n)) {
            Some(ProcessSet::World) => Some(0),
            Some(ProcessSet::Own) => Some(state.number()),
            None => hint("mpi_hw_resource_type")
                .filter(|name| shared(name))
                .map(|_| state.node_of_split()),
        },
        number::COMM_TYPE_HW_UNGUIDED => Some(state.node_of_split()),
        _ => return Err(Fault::new(class::ARG, format!("there is no split type {kind}"))),
    })
}

/// Returns the number of processes of a communicator, in both groups of an intercommunicator.
fn members(comm: &Comm) -> u32 {
    comm.size() + comm.info.remote.as_ref().map_or(0, Group::size)
}

pub(super) extern "C-unwind" fn comm_split_type(
    comm: Handle,
    kind: c_int,
    key: c_int,
    info: Handle,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::COMM_NULL), |state, site| {
        let parent = state.comm(comm)?;
        let color = resource(state, kind, info)?;
        let made = communicator::split(state, site, &parent, (color, key, None), place)?;
        if kind != number::COMM_TYPE_HW_UNGUIDED || made == handle::COMM_NULL {
            return Ok(());
        }
        // An unguided split returns a strictly smaller communicator or none (MPI 7.4.2).
        let part = state.comm(made)?;
        if members(&part) < members(&parent) {
            return info::tell(state, info, "mpi_hw_resource_type", environment::RESOURCES[1]);
        }
        state.kernel(site, CommCall::Free(part.info.id))?;
        state.remove_comm(made);
        put(place, handle::COMM_NULL)
    })
}
