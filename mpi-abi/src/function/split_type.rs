//! Communicators of the ranks that share a resource (MPI section 7.4.2).

use std::ffi::c_int;

use mpi_api::{
    call::CommCall,
    object::{
        blueprint::{Blueprint, ResourceType},
        group::Group,
    },
};

use super::{
    communicator, environment, info,
    session::{ProcessSet, set_of},
};
use crate::{
    constant::{Handle, class, handle, number},
    state::{Comm, Fault, Mpi, State, creating, put},
};

/// Returns the type of resource of a constant; `None` for `MPI_UNDEFINED`.
fn resource_type(kind: c_int) -> Mpi<Option<ResourceType>> {
    Ok(Some(match kind {
        number::UNDEFINED => return Ok(None),
        number::COMM_TYPE_SHARED => ResourceType::Memory,
        number::COMM_TYPE_HW_GUIDED => ResourceType::Guided,
        number::COMM_TYPE_RESOURCE_GUIDED => ResourceType::GuidedOrSet,
        number::COMM_TYPE_HW_UNGUIDED => ResourceType::Unguided,
        _ => return Err(Fault::new(class::ARG, format!("there is no split type {kind}"))),
    }))
}

/// Returns the colour of a rank in a split by resource type.
fn color(state: &State, kind: ResourceType, info: Handle) -> Mpi<Option<u32>> {
    let hints = info::of(state, info)?;
    let hint = |key: &str| hints.0.iter().find(|(known, _)| known == key).map(|(_, value)| value);
    let of_node = || {
        let shared = |name: &&String| environment::RESOURCES.contains(&name.as_str());
        hint("mpi_hw_resource_type").filter(shared).map(|_| state.node_of_split())
    };
    Ok(match kind {
        ResourceType::Memory | ResourceType::Unguided => Some(state.node_of_split()),
        ResourceType::Guided => of_node(),
        ResourceType::GuidedOrSet => match hint("mpi_pset_name").and_then(|n| set_of(n)) {
            Some(ProcessSet::World) => Some(0),
            Some(ProcessSet::Own) => Some(state.number()),
            None => of_node(),
        },
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
        let kind = resource_type(kind)?;
        let color = kind.map_or(Ok(None), |kind| color(state, kind, info))?;
        let choice = (color, key, Some(Blueprint::Resource(kind)));
        let made = communicator::split(state, site, &parent, choice, place)?;
        if kind != Some(ResourceType::Unguided) || made == handle::COMM_NULL {
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
