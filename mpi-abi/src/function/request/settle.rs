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

/// What is left to do about the memory of a request while none is borrowed.
struct Untold {
    /// It owned memory that somebody has written to.
    changed: Option<Owned>,
    partitions: Option<Rc<Partitions>>,
}

impl Request {
    /// The memory of its operation is the program's again.
    fn give_back(&mut self, state: &State, cancelled: bool) -> Option<Untold> {
        let ended = self.owned.take().filter(|owned| guard::end(state, owned, self.work.memory()));
        let changed = ended.filter(|_| !cancelled);
        let partitions = self.work.partitions();
        (changed.is_some() || partitions.is_some()).then_some(Untold { changed, partitions })
    }
}

impl Untold {
    /// Gives back the parts of a message, and tells of writes that were too early.
    fn tell(self, state: &State, site: Site) -> Mpi {
        if let Some(partitions) = self.partitions {
            partitions.give_back(state, site)?;
        }
        self.changed.map_or(Ok(()), |owned| guard::changed(state, site, &owned))
    }
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
    let untold = request.give_back(state, completion.status.cancelled);
    drop(requests);
    untold.map_or(Ok(()), |untold| untold.tell(state, site))?;
    if let Some(payload) = &completion.payload
        && let Some(request) = state.requests.borrow().get(given)
    {
        request.work.take(payload);
    }
    Ok(())
}

/// The communicator that a request has made.
fn duplicated(state: &State, (place, heritage): (HandlePlace, Heritage), info: CommInfo) -> Mpi {
    let made = state.add_comm(Site::NOWHERE, info, heritage)?;
    // The parent may have another handler by now.
    state.tell_handler(Site::NOWHERE, &*state.comm(made)?)?;
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
    if let Some(untold) = request.give_back(state, completion.status.cancelled) {
        drop(requests);
        untold.tell(state, site)?;
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
