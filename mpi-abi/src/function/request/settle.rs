//! What a completed request leaves: data in their places, a status, perhaps an error.

use std::ffi::c_int;

use mpi_api::call::{CommInfo, Completion, Payload, Site};

use super::{
    super::{communicator, guard, status::Status, transfer::unpack_all},
    Work, generalized,
};
use crate::{
    constant::Handle,
    state::{Fault, HandlePlace, Mpi, State, put},
};

/// The memory of an operation is the program's again, with what has come.
pub(super) fn absorb(
    state: &State,
    site: Site,
    given: Handle,
    (payload, cancelled): (Option<&Payload>, bool),
) -> Mpi {
    let owned = state.requests.borrow_mut().get_mut(given).and_then(|r| r.owned.take());
    match owned {
        Some(owned) if cancelled => owned.release(state),
        Some(owned) => guard::end(state, site, &owned)?,
        None => {}
    }
    let requests = state.requests.borrow();
    let Some(payload) = payload else { return Ok(()) };
    match requests.get(given).map(|request| &request.work) {
        Some(Work::Fill { into, .. }) => unpack_all(into, payload.as_slice()),
        Some(Work::Partitioned(own)) => own.unpack(payload.as_slice()),
        _ => {}
    }
    Ok(())
}

/// The communicator that a request has made.
fn duplicated(state: &State, (place, parent): (HandlePlace, Handle), info: CommInfo) -> Mpi {
    let parent = state.comm(parent)?;
    let made = state.add_comm(Site { file: "", line: 0, column: 0 }, info, &parent)?;
    communicator::inherit(state, &parent, made)?;
    match place {
        HandlePlace::Pointer(place) => put(place, made),
        HandlePlace::Integer(place) => put(place, made as c_int),
    }
}

/// What one completed request leaves: its status, and the error if there was one.
pub(super) fn settle(
    state: &State,
    site: Site,
    given: Handle,
    completion: Completion,
) -> Mpi<(Status, Option<Fault>)> {
    let cancelled = completion.status.cancelled;
    absorb(state, site, given, (completion.payload.as_ref(), cancelled))?;
    let own = generalized::of(state, given);
    let mut requests = state.requests.borrow_mut();
    let Some(request) = requests.get_mut(given) else { return Ok((Status::empty(), None)) };
    request.active = false;
    let mut status = Status::of(&completion.status, request.receives());
    let mut fault = completion.error.map(|error| Fault::from(*error));
    let made = match request.work {
        Work::Duplicate { place, parent } => completion.comm.map(|info| ((place, parent), info)),
        _ => None,
    };
    if !request.persistent {
        requests.remove(given);
    }
    drop(requests);
    if let Some((place, info)) = made {
        duplicated(state, place, *info)?;
    }
    if let Some(own) = own {
        fault = own.end(&mut status).err();
    }
    Ok((status, fault))
}
