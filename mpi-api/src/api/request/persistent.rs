//! Persistent requests (MPI section 3.9).
//!
//! They hold no buffer: the start of a send brings the data, and the wait for a receive takes them. Types and numbers are
//! those that the request was created with, in each round.

use super::{only, request_of};
use crate::{
    api::{
        Context,
        datatype::{
            Buffer, BufferMut, Packed, PartitionedBuffer, PartitionedBufferMut, Shape, fill,
            fill_parts, pack_parts,
        },
        point_to_point::Status,
        topology::SimpleCommunicator,
    },
    call::{CommId, Completing, Completion, Payload, Reply, RequestCall, RequestId, Site},
    error::{ErrorClass, MpiError},
    finding::CallPlace,
};

/// An operation that can be started repeatedly.
#[must_use = "a request has to be freed"]
pub struct PersistentRequest {
    context: Context,
    comm: CommId,
    id: Option<RequestId>,
    /// The shape of the data that each start brings.
    gives: Option<Shape>,
    /// The shape of the buffer that takes the result of each round.
    takes: Option<Shape>,
}

/// The data of a start, packed, and their shape.
pub(crate) type Given = (Payload, Shape);

impl PersistentRequest {
    pub(crate) fn new(comm: &SimpleCommunicator, reply: Option<Reply>) -> Self {
        let (context, id) = (comm.context.clone(), request_of(reply));
        Self { context, comm: comm.info.id, id, gives: None, takes: None }
    }

    /// Has each start bring data of this shape, if any.
    pub(crate) fn giving(self, shape: impl Into<Option<Shape>>) -> Self {
        Self { gives: shape.into(), ..self }
    }

    /// Has each wait and test that takes data do so with a buffer of this shape.
    pub(crate) fn taking(self, shape: Shape) -> Self {
        Self { takes: Some(shape), ..self }
    }

    /// Starts a send, or a collective to which this rank contributes, with the current data (`MPI_Start`, MPI section
    /// 3.9).
    ///
    /// # Errors
    /// Raises `MPI_ERR_TYPE` or `MPI_ERR_COUNT` if the data differ in type or number of elements from those that the
    /// request was created with.
    #[track_caller]
    pub fn start_with<B: Buffer + ?Sized>(&mut self, data: &B) {
        self.begin_as_created(Site::here(), packed(data).map(Some));
    }

    /// Starts a collective to which this rank contributes a part for each rank (`MPI_Start`, MPI section 6.13).
    ///
    /// # Errors
    /// The same as for [`start_with`](Self::start_with); `MPI_ERR_COUNT` also if the parts have other sizes.
    #[track_caller]
    pub fn start_with_parts<B: PartitionedBuffer + ?Sized>(&mut self, data: &B) {
        let given = pack_parts(data).map(|(bytes, ..)| Some((bytes.into(), Shape::of_parts(data))));
        self.begin_as_created(Site::here(), given);
    }

    /// Starts a receive, or a collective to which this rank contributes nothing (`MPI_Start`).
    #[track_caller]
    pub fn start(&mut self) {
        self.begin_as_created(Site::here(), Ok(None));
    }

    pub(crate) fn begin_as_created(&mut self, site: Site, data: Result<Option<Given>, MpiError>) {
        let data = data.and_then(|data| self.as_created(data));
        if let Some(data) = self.accepted(CallPlace { call: "start", site }, data) {
            self.begin(site, data);
        }
    }

    /// Returns the data of a start, if they have the shape that the request was created with.
    fn as_created(&self, data: Option<Given>) -> Result<Option<Payload>, MpiError> {
        let Some(gives) = &self.gives else { return Ok(data.map(|(payload, _)| payload)) };
        match data {
            Some((payload, shape)) => {
                gives.accepts(&shape, "the data are", self.matches_representations())?;
                Ok(Some(payload))
            }
            None if gives.is_empty() => Ok(Some(Payload::EMPTY)),
            None => {
                let text = format!(
                    "there are no data, and the request was created with {gives}: start_with brings them"
                );
                Err(MpiError::new(ErrorClass::Count, text))
            }
        }
    }

    fn matches_representations(&self) -> bool {
        self.context.environment().matches_representations()
    }

    pub(crate) fn begin(&mut self, site: Site, payload: Option<Payload>) {
        if let Some(id) = self.id {
            self.context.call(site, RequestCall::Start(vec![(id, payload)]));
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
    /// (`MPI_Wait`, MPI section 3.7.3).
    ///
    /// # Errors
    /// Raises `MPI_ERR_TYPE` or `MPI_ERR_COUNT` if the buffer differs in type or number of elements from the one that
    /// the request was created with; it keeps its contents then.
    #[track_caller]
    pub fn wait_into<B: BufferMut + ?Sized>(&mut self, buffer: &mut B) -> Status {
        let site = Site::here();
        let (status, payload) = self.outcome(site);
        if let Some(data) =
            self.fitting(CallPlace { call: "wait", site }, Shape::of(buffer), payload)
        {
            fill(buffer, data.as_slice());
        }
        status
    }

    /// Waits for a collective with a part from each rank; the request becomes inactive
    /// (`MPI_Wait`, MPI section 3.7.3).
    ///
    /// # Errors
    /// The same as for [`wait_into`](Self::wait_into); `MPI_ERR_COUNT` also if the parts have other sizes.
    #[track_caller]
    pub fn wait_into_parts<B: PartitionedBufferMut + ?Sized>(&mut self, buffer: &mut B) {
        let site = Site::here();
        let (_, payload) = self.outcome(site);
        let shape = Shape::of_parts(buffer);
        if let Some(data) = self.fitting(CallPlace { call: "wait", site }, shape, payload) {
            fill_parts(buffer, data.as_slice());
        }
    }

    /// Tests the request, which becomes inactive if it is complete (`MPI_Test`).
    #[track_caller]
    pub fn test_active(&mut self) -> Option<Status> {
        self.outcome_now(Site::here()).map(|(status, _)| status)
    }

    /// Tests a receive, or a collective with a result, which becomes inactive if it is complete (`MPI_Test`, MPI
    /// section 3.7.3).
    ///
    /// # Errors
    /// The same as for [`wait_into`](Self::wait_into).
    #[track_caller]
    pub fn test_into<B: BufferMut + ?Sized>(&mut self, buffer: &mut B) -> Option<Status> {
        let site = Site::here();
        let (status, payload) = self.outcome_now(site)?;
        if let Some(data) =
            self.fitting(CallPlace { call: "test", site }, Shape::of(buffer), payload)
        {
            fill(buffer, data.as_slice());
        }
        Some(status)
    }

    /// Returns the data of a completed round for a buffer of this shape; raises an error, and returns none, if the request
    /// was created with a buffer of another one.
    pub(crate) fn fitting(
        &self,
        place: CallPlace,
        shape: Shape,
        payload: Option<Payload>,
    ) -> Option<Payload> {
        let (payload, representations) = (payload?, self.matches_representations());
        let fits = match &self.takes {
            Some(takes) => takes.accepts(&shape, "the buffer holds", representations),
            None => Ok(()),
        };
        self.accepted(place, fits).map(|()| payload)
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

/// Returns the data of a buffer, packed, and their shape.
fn packed<B: Buffer + ?Sized>(data: &B) -> Result<Given, MpiError> {
    Packed::of_message(data).map(|packed| (packed.bytes, packed.signature.into()))
}

/// Starts receives, and sends with their current data (`MPI_Startall`).
#[track_caller]
pub fn start_all<B: Buffer + ?Sized>(requests: &mut [(&mut PersistentRequest, Option<&B>)]) {
    let site = Site::here();
    let mut starts = Vec::with_capacity(requests.len());
    for (request, data) in requests.iter() {
        let given = data.map(packed).transpose();
        let payload = given.and_then(|given| request.as_created(given));
        let Some(payload) = request.accepted(CallPlace { call: "start", site }, payload) else {
            return;
        };
        starts.extend(request.id.map(|id| (id, payload)));
    }
    if let Some((first, _)) = requests.first() {
        first.context.call(site, RequestCall::Start(starts));
    }
}
