//! What a completed request leaves: data in their places, a status, perhaps an error.

use std::rc::Rc;

use mpi_api::call::{CommInfo, Completion, Payload, Site};

use super::{
    super::{
        guard::{self, Owned},
        partitioned::Partitions,
        status::Status,
        transfer::unpack_all,
    },
    Work,
};
use crate::{
    constant::Handle,
    state::{Fault, HandlePlace, Heritage, Mpi, Request, State},
};

impl Request {
    /// The memory of its operation is the program's again. What it owned, if somebody has written
    /// there meanwhile.
    fn give_back(&mut self, state: &State) -> Option<Owned> {
        let owned = self.owned.take()?;
        guard::end(state, &owned, self.work.memory()).then_some(owned)
    }
}

/// The same for the parts of a message, and tells of writes that were too early.
fn tell(
    state: &State,
    site: Site,
    changed: Option<Owned>,
    partitions: Option<Rc<Partitions>>,
) -> Mpi {
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
    let mut requests = state.requests.borrow_mut();
    let Some(request) = requests.get_mut(given) else { return Ok(()) };
    let changed = request.give_back(state).filter(|_| !completion.status.cancelled);
    let partitions = request.work.partitions();
    drop(requests);
    tell(state, site, changed, partitions)?;
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

/// What one completed request leaves.
pub(super) struct Settled {
    pub(super) status: Status,
    pub(super) fault: Option<Fault>,
    /// Its handle is null from now on.
    pub(super) gone: bool,
}

impl Settled {
    /// Of a request that does not exist.
    fn nothing() -> Self {
        Self { status: Status::empty(), fault: None, gone: true }
    }
}

/// A request is complete: its data are in their places, and unless it is persistent it is gone.
pub(super) fn settle(
    state: &State,
    site: Site,
    given: Handle,
    completion: Completion,
) -> Mpi<Settled> {
    let mut requests = state.requests.borrow_mut();
    let Some(mut request) = requests.get_mut(given) else { return Ok(Settled::nothing()) };
    let changed = request.give_back(state).filter(|_| !completion.status.cancelled);
    let partitions = request.work.partitions();
    if changed.is_some() || partitions.is_some() {
        drop(requests);
        tell(state, site, changed, partitions)?;
        requests = state.requests.borrow_mut();
        let Some(again) = requests.get_mut(given) else { return Ok(Settled::nothing()) };
        request = again;
    }
    request.active = false;
    let mut status = Status::of(&completion.status, request.receives());
    let mut fault = completion.error.map(Fault::from);
    if let Some(payload) = &completion.payload {
        request.work.take(payload);
    }
    if request.persistent {
        return Ok(Settled { status, fault, gone: false });
    }
    let Some(ended) = requests.remove(given) else { return Ok(Settled::nothing()) };
    drop(requests);
    match ended.work {
        Work::Duplicate { place, heritage } => {
            completion.comm.map_or(Ok(()), |info| duplicated(state, (place, heritage), *info))?;
        }
        Work::Generalized(own) => fault = own.end(&mut status).err(),
        _ => {}
    }
    Ok(Settled { status, fault, gone: true })
}
