//! Persistent requests (MPI section 3.9).
//!
//! They hold no buffer: the start of a send brings the data, and the wait for a receive takes them.

use super::{only, request_of};
use crate::{
    api::{
        Context,
        datatype::{
            Buffer, BufferMut, Packed, PartitionedBuffer, PartitionedBufferMut, fill, fill_parts,
            pack_parts,
        },
        point_to_point::Status,
        topology::SimpleCommunicator,
    },
    call::{CommId, Completing, Completion, Payload, Reply, RequestCall, RequestId, Site},
    error::{ErrorClass, MpiError},
    finding::CallPlace,
    object::signature::Signature,
};

/// An operation that can be started repeatedly.
#[must_use = "a request has to be freed"]
pub struct PersistentRequest {
    context: Context,
    comm: CommId,
    id: Option<RequestId>,
    /// The types of the data of a send.
    sends: Option<Signature>,
}

impl PersistentRequest {
    pub(crate) fn new(comm: &SimpleCommunicator, reply: Option<Reply>) -> Self {
        let (context, id) = (comm.context.clone(), request_of(reply));
        Self { context, comm: comm.info.id, id, sends: None }
    }

    /// Like [`PersistentRequest::new`], for a send of data of these types.
    pub(crate) fn sending(
        comm: &SimpleCommunicator,
        reply: Option<Reply>,
        types: Signature,
    ) -> Self {
        Self { sends: Some(types), ..Self::new(comm, reply) }
    }

    /// Starts a send, or a collective to which this rank contributes, with the current data (`MPI_Start`). Those of a
    /// send have the shape that it was created with.
    #[track_caller]
    pub fn start_with<B: Buffer + ?Sized>(&mut self, data: &B) {
        self.begin_as_created(Site::here(), Packed::of_message(data).map(Some));
    }

    /// Starts a collective to which this rank contributes a part for each rank (`MPI_Start`).
    #[track_caller]
    pub fn start_with_parts<B: PartitionedBuffer + ?Sized>(&mut self, data: &B) {
        self.begin_with(Site::here(), pack_parts(data).map(|(bytes, ..)| bytes.into()));
    }

    /// Starts a receive, or a collective to which this rank contributes nothing (`MPI_Start`).
    #[track_caller]
    pub fn start(&mut self) {
        self.begin_as_created(Site::here(), Ok(None));
    }

    fn begin_as_created(&mut self, site: Site, data: Result<Option<Packed>, MpiError>) {
        let data = data.and_then(|data| self.as_created(data));
        if let Some(data) = self.accepted(CallPlace { call: "start", site }, data) {
            self.begin(site, data);
        }
    }

    /// Returns the data of a start. A send has some, in the shape that it was created with.
    fn as_created(&self, data: Option<Packed>) -> Result<Option<Payload>, MpiError> {
        let Some(types) = &self.sends else { return Ok(data.map(|data| data.bytes)) };
        let given = data.as_ref().map_or(&Signature::EMPTY, |data| &data.signature);
        if given == types || given.is_empty() && types.is_empty() {
            return Ok(Some(data.map_or(Payload::EMPTY, |data| data.bytes)));
        }
        let text = match data {
            None => "a send is started without its data: start_with brings them",
            Some(_) => {
                "the data differ in type or number from those that the send was created with"
            }
        };
        Err(MpiError::new(ErrorClass::Type, text))
    }

    pub(crate) fn begin(&mut self, site: Site, payload: Option<Payload>) {
        if let Some(id) = self.id {
            self.context.call(site, RequestCall::Start(vec![(id, payload)]));
        }
    }

    pub(crate) fn begin_with(&mut self, site: Site, data: Result<Payload, MpiError>) {
        if let Some(data) = self.accepted(CallPlace { call: "start", site }, data) {
            self.begin(site, Some(data));
        }
    }

    /// Returns the value, or raises the error of the function of this name.
    pub(crate) fn accepted<T>(&self, place: CallPlace, result: Result<T, MpiError>) -> Option<T> {
        let raise = |error| self.context.raise(place, self.comm, error);
        result.map_err(raise).ok()
    }

    /// Waits for a send, or for a receive whose data are discarded; the request becomes inactive
    /// (`MPI_Wait`).
    #[track_caller]
    pub fn wait_active(&mut self) -> Status {
        self.outcome(Site::here()).0
    }

    /// Waits for a receive, or for a collective with a result; the request becomes inactive
    /// (`MPI_Wait`).
    #[track_caller]
    pub fn wait_into<B: BufferMut + ?Sized>(&mut self, buffer: &mut B) -> Status {
        let (status, payload) = self.outcome(Site::here());
        if let Some(payload) = payload {
            fill(buffer, payload.as_slice());
        }
        status
    }

    /// Waits for a collective with a part from each rank; the request becomes inactive
    /// (`MPI_Wait`).
    #[track_caller]
    pub fn wait_into_parts<B: PartitionedBufferMut + ?Sized>(&mut self, buffer: &mut B) {
        if let (_, Some(payload)) = self.outcome(Site::here()) {
            fill_parts(buffer, payload.as_slice());
        }
    }

    /// Tests the request, which becomes inactive if it is complete (`MPI_Test`).
    #[track_caller]
    pub fn test_active(&mut self) -> Option<Status> {
        self.outcome_now(Site::here()).map(|(status, _)| status)
    }

    /// Tests a receive, which becomes inactive if it is complete (`MPI_Test`).
    #[track_caller]
    pub fn test_into<B: BufferMut + ?Sized>(&mut self, buffer: &mut B) -> Option<Status> {
        let (status, payload) = self.outcome_now(Site::here())?;
        if let Some(payload) = payload {
            fill(buffer, payload.as_slice());
        }
        Some(status)
    }

    /// Cancels an active request, which must still be completed (`MPI_Cancel`).
    #[track_caller]
    pub fn cancel(&self) {
        if let Some(id) = self.id {
            self.context.call(Site::here(), RequestCall::Cancel(id));
        }
    }

    /// Frees the request (`MPI_Request_free`).
    #[track_caller]
    pub fn free(self) {
        if let Some(id) = self.id {
            self.context.call(Site::here(), RequestCall::Free(id));
        }
    }

    pub(crate) fn outcome(&mut self, site: Site) -> (Status, Option<Payload>) {
        let Some(id) = self.id else { return (Status::empty(), None) };
        let reply = self.context.call(site, RequestCall::Wait(vec![id], Completing::All));
        self.opened(only(reply))
    }

    pub(crate) fn outcome_now(&mut self, site: Site) -> Option<(Status, Option<Payload>)> {
        let Some(id) = self.id else { return Some((Status::empty(), None)) };
        match self.context.call(site, RequestCall::Test(vec![id], Completing::All)) {
            Some(Reply::NotYet) => None,
            reply => Some(self.opened(only(reply))),
        }
    }

    fn opened(&self, completion: Option<Completion>) -> (Status, Option<Payload>) {
        let Some(Completion { status, payload, error, .. }) = completion else {
            return (Status::empty(), None);
        };
        if let Some(failure) = error {
            self.context.failed(*failure);
        }
        (Status(status), payload)
    }
}

/// Starts receives, and sends with their current data (`MPI_Startall`).
#[track_caller]
pub fn start_all<B: Buffer + ?Sized>(requests: &mut [(&mut PersistentRequest, Option<&B>)]) {
    let site = Site::here();
    let mut starts = Vec::with_capacity(requests.len());
    for (request, data) in requests.iter() {
        let packed = data.map(Packed::of_message).transpose();
        let payload = packed.and_then(|packed| request.as_created(packed));
        let Some(payload) = request.accepted(CallPlace { call: "start", site }, payload) else {
            return;
        };
        starts.extend(request.id.map(|id| (id, payload)));
    }
    if let Some((first, _)) = requests.first() {
        first.context.call(site, RequestCall::Start(starts));
    }
}
