//! Duplication of communicators (MPI section 7.4.2).

use std::ffi::c_int;

use mpi_api::{call::CommCall, finding::CallPlace, policy::Policy};

use super::{
    super::{
        attribute,
        info::of as hints_of,
        request::{self, Work},
    },
    made, none_yet,
};
use crate::{
    constant::{Handle, handle},
    state::{Comm, Duplicating, HandlePlace, Heritage, Info, Mpi, State, creating, put, wanted},
};

/// Returns what a duplicate inherits: attributes, topology and error handler, and the hints passed
/// to the call. Without hints it has none since MPI 4.0, and those of its parent before (7.4.2).
fn heritage(state: &State, comm: Handle, parent: &Comm, hints: Option<Info>) -> Mpi<Heritage> {
    let copied = state.policies().differs(Policy::HintsOfDuplicates);
    let hints = hints.unwrap_or_else(|| match copied {
        true => parent.hints.borrow().clone(),
        false => Info::default(),
    });
    let attributes = attribute::copied(state, comm, parent)?;
    let topology = parent.topology.borrow().clone();
    Ok(Heritage { attributes, topology, hints, ..Heritage::of(parent) })
}

/// Implements `MPI_Comm_dup`, or with hints `MPI_Comm_dup_with_info`.
fn dup(comm: Handle, info: Option<Handle>, place: *mut Handle) -> c_int {
    creating(comm, (place, handle::COMM_NULL), |state, site| {
        let parent = state.comm(comm)?;
        let hints = info.map(|info| hints_of(state, info)).transpose()?;
        none_yet(place)?;
        let heritage = heritage(state, comm, &parent, hints)?;
        let reply = state.kernel(site, CommCall::Duplicate(parent.info.id))?;
        if let Some(info) = made(reply)? {
            put(place, state.add_comm(site, *info, heritage)?)?;
        }
        Ok(())
    })
}

pub(in crate::function) extern "C-unwind" fn comm_dup(comm: Handle, place: *mut Handle) -> c_int {
    dup(comm, None, place)
}

pub(in crate::function) extern "C-unwind" fn comm_dup_with_info(
    comm: Handle,
    info: Handle,
    place: *mut Handle,
) -> c_int {
    dup(comm, Some(info), place)
}

pub(in crate::function) extern "C-unwind" fn comm_idup(
    comm: Handle,
    place: *mut Handle,
    request: *mut Handle,
) -> c_int {
    duplicate(comm, None, HandlePlace::Pointer(place), request)
}

/// Implements `MPI_Comm_idup_with_info` for any language. Attributes and hints are copied as they
/// are at the call.
pub(in crate::function) fn duplicate(
    comm: Handle,
    info: Option<Handle>,
    place: HandlePlace,
    request: *mut Handle,
) -> c_int {
    creating(comm, (request, handle::REQUEST_NULL), |state, site| {
        place.put(handle::COMM_NULL)?;
        let parent = state.comm(comm)?;
        let hints = info.map(|info| hints_of(state, info)).transpose()?;
        wanted(request)?;
        let heritage = heritage(state, comm, &parent, hints)?;
        let reply = state.kernel(site, CommCall::StartDuplicate(parent.info.id))?;
        let at = (comm, CallPlace { call: "MPI_Comm_idup", site });
        let work = Work::Duplicate(Box::new(Duplicating { place, heritage }));
        request::started(state, reply, at, work, request)
    })
}

pub(in crate::function) extern "C-unwind" fn comm_idup_with_info(
    comm: Handle,
    info: Handle,
    place: *mut Handle,
    request: *mut Handle,
) -> c_int {
    duplicate(comm, Some(info), HandlePlace::Pointer(place), request)
}
