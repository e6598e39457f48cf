//! The effects of a completed request: received data, a status, possibly an error.

use std::rc::Rc;

use mpi_api::{
    call::{CommInfo, Completion, Payload, Reply, RequestId, Site, WindowCall, WindowId},
    finding::CallPlace,
};

use super::{
    super::{
        asserted, external, guard,
        owned::Owned,
        status::Status,
        transfer::{Part, unpack_all},
    },
    Work,
};
use crate::{
    constant::Handle,
    state::{Duplicating, Fault, Filling, Mpi, Partitions, Request, State},
};

/// Actions on the memory of a completed request that must wait until no state is borrowed.
struct PendingReport {
    /// Memory of the operation that the program has changed meanwhile.
    changed: Option<Owned>,
    partitions: Option<Rc<Partitions>>,
}

impl Request {
    /// Returns the memory of its operation to the program.
    fn give_back(&mut self, state: &State, cancelled: bool) -> Option<PendingReport> {
        self.unfold();
        let ended = self.owned.take().filter(|owned| guard::end(state, owned, self.work.memory()));
        let changed = ended.filter(|_| !cancelled);
        let partitions = self.work.partitions();
        (changed.is_some() || partitions.is_some()).then_some(PendingReport { changed, partitions })
    }
}

impl Request {
    /// Returns the communicator of a receive, the bytes that it has received, and those of its buffer.
    fn lengths(&self, completion: &Completion) -> Option<(Handle, (u64, u64))> {
        let Work::Fill { into, by: Filling::Message | Filling::Exchange, .. } = &self.work else {
            return None;
        };
        let is_received = !completion.status.cancelled && completion.error.is_none();
        let room = into.iter().map(Part::bytes).sum();
        is_received.then_some((self.comm, (completion.status.bytes, room)))
    }
}

impl PendingReport {
    /// Returns the partitions, and reports changes of owned memory.
    fn tell(self, state: &State, site: Site) -> Mpi {
        if let Some(partitions) = self.partitions {
            partitions.give_back(state, site)?;
        }
        self.changed.map_or(Ok(()), |owned| guard::changed(state, site, &owned))
    }
}

impl Work {
    /// Writes received data to their places.
    fn take(&self, payload: &Payload) {
        match self {
            Self::Fill { into, by: Filling::File(representation), .. } => {
                external::store(*representation, into, payload.as_slice());
            }
            Self::Fill { into, .. } => unpack_all(into, payload.as_slice()),
            Self::Partitioned(own) => own.unpack(payload.as_slice()),
            _ => {}
        }
    }
}

/// Writes the data of a completed request that is not freed.
pub(super) fn absorb(state: &State, site: Site, given: Handle, completion: &Completion) -> Mpi {
    let payload = completion.payload.as_ref();
    keep(state, site, given, (completion.status.cancelled, payload))
}

/// Writes the data of an access that a synchronisation has completed, if it still has its request, which stays.
pub(in super::super) fn finish_access(
    state: &State,
    site: Site,
    (given, id): (Handle, RequestId),
    window: WindowId,
) -> Mpi {
    if state.requests.borrow().get(given).is_none_or(|request| request.id != id) {
        return Ok(());
    }
    let fetched = match state.kernel(site, WindowCall::TakeRequested(window, id))? {
        Reply::Fetched(list) => list,
        _ => Vec::new(),
    };
    keep(state, site, given, (false, fetched.first().map(|(_, payload)| payload)))
}

/// Gives the memory of a complete request back, and writes its data; the request stays.
fn keep(
    state: &State,
    site: Site,
    given: Handle,
    (cancelled, payload): (bool, Option<&Payload>),
) -> Mpi {
    let mut requests = state.requests.borrow_mut();
    let Some(request) = requests.get_mut(given) else { return Ok(()) };
    let untold = request.give_back(state, cancelled);
    drop(requests);
    untold.map_or(Ok(()), |untold| untold.tell(state, site))?;
    if let Some(payload) = payload
        && let Some(request) = state.requests.borrow().get(given)
    {
        request.work.take(payload);
    }
    Ok(())
}

/// Creates the handle of the communicator that a request has made.
fn duplicated(state: &State, Duplicating { place, heritage }: Duplicating, info: CommInfo) -> Mpi {
    let made = state.add_comm(Site::NOWHERE, info, heritage)?;
    // The error handler of the parent may have changed since the call.
    state.tell_handler(Site::NOWHERE, &*state.comm(made)?)?;
    place.put(made)
}

/// The effects of one completed request.
pub(super) struct Settled {
    pub(super) status: Status,
    pub(super) fault: Option<Fault>,
    /// Whether the request was freed, so that its handle becomes null.
    pub(super) gone: bool,
}

impl Settled {
    /// Returns the effects of a null or inactive request.
    fn nothing() -> Self {
        Self { status: Status::empty(), fault: None, gone: true }
    }
}

/// Completes a request: writes its data, and frees it unless it is persistent.
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
    let lengths = state.asserts.get().then(|| request.lengths(&completion)).flatten();
    let mut status = Status::of(&completion.status, request.receives());
    if let Work::Fill { into, from, by: Filling::File(representation), .. } = &request.work {
        let parts = if into.is_empty() { from } else { into };
        status.set_bytes(external::bytes_here(*representation, parts, completion.status.bytes));
    }
    if state.compared.is_some()
        && request.receives()
        && let Work::Fill { into, .. } = &request.work
        && let [part] = &into[..]
    {
        status.set_type(&part.datatype);
    }
    let mut fault = completion.error.map(Fault::from);
    if let Some(payload) = &completion.payload {
        request.work.take(payload);
    }
    let ended = if request.persistent { None } else { requests.remove(given) };
    drop(requests);
    if let Some((comm, lengths)) = lengths {
        asserted::check_length(state, CallPlace::at(site, "wait"), comm, lengths)?;
    }
    let Some(ended) = ended else { return Ok(Settled { status, fault, gone: false }) };
    match ended.work {
        Work::Duplicate(duplicating) => {
            completion.comm.map_or(Ok(()), |info| duplicated(state, *duplicating, *info))?;
        }
        Work::Generalized(own) => fault = own.end(&mut status).err(),
        _ => {}
    }
    Ok(Settled { status, fault, gone: true })
}
