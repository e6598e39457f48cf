//! What a completed request leaves: data in their places, a status, perhaps an error.

use mpi_api::call::{CommInfo, Completion, Payload, Site};

use super::{
    super::{guard, status::Status, transfer::unpack_all},
    Work,
};
use crate::{
    constant::Handle,
    state::{Fault, HandlePlace, Heritage, Mpi, State},
};

/// The memory of an operation is the program's again.
fn give_back(state: &State, site: Site, given: Handle, cancelled: bool) -> Mpi {
    let mut requests = state.requests.borrow_mut();
    let Some(request) = requests.get_mut(given) else { return Ok(()) };
    let owned = request.owned.take();
    let partitions = request.work.partitions();
    let changed =
        owned.filter(|owned| guard::end(state, owned, request.work.memory()) && !cancelled);
    drop(requests);
    if let Some(partitions) = partitions {
        partitions.give_back(state, site)?;
    }
    changed.map_or(Ok(()), |owned| guard::changed(state, site, &owned))
}

impl Work {
    /// What has come goes into its places.
    fn take(&self, payload: &Payload) {
        match self {
            Self::Fill { into, .. } => unpack_all(into, payload.as_slice()),
            Self::Partitioned(own) => own.unpack(payload.as_slice()),
            _ => {}
        }
    }
}

/// A request is complete, and stays: its data are in their places.
pub(super) fn absorb(state: &State, site: Site, given: Handle, completion: &Completion) -> Mpi {
    give_back(state, site, given, completion.status.cancelled)?;
    if let Some(payload) = &completion.payload
        && let Some(request) = state.requests.borrow().get(given)
    {
        request.work.take(payload);
    }
    Ok(())
}

/// The communicator that a request has made.
fn duplicated(state: &State, (place, heritage): (HandlePlace, Heritage), info: CommInfo) -> Mpi {
    let nowhere = Site { file: "", line: 0, column: 0 };
    let made = state.add_comm(nowhere, info, heritage)?;
    // The parent may have another handler by now.
    state.tell_handler(nowhere, &*state.comm(made)?)?;
    place.put(made)
}

/// What one completed request leaves: its status, and the error if there was one.
pub(super) fn settle(
    state: &State,
    site: Site,
    given: Handle,
    completion: Completion,
) -> Mpi<(Status, Option<Fault>)> {
    give_back(state, site, given, completion.status.cancelled)?;
    let mut requests = state.requests.borrow_mut();
    let Some(request) = requests.get_mut(given) else { return Ok((Status::empty(), None)) };
    request.active = false;
    let mut status = Status::of(&completion.status, request.receives());
    let mut fault = completion.error.map(Fault::from);
    if let Some(payload) = &completion.payload {
        request.work.take(payload);
    }
    let gone = if request.persistent { None } else { requests.remove(given) };
    drop(requests);
    match gone.map(|request| request.work) {
        Some(Work::Duplicate { place, heritage }) => {
            completion.comm.map_or(Ok(()), |info| duplicated(state, (place, heritage), *info))?;
        }
        Some(Work::Generalized(own)) => fault = own.end(&mut status).err(),
        _ => {}
    }
    Ok((status, fault))
}
