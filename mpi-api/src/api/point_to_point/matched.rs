//! Messages that a matched probe has taken out of their queue (MPI section 3.8.2).

use super::{Status, accepted, completed, incoming, source, taken};
use crate::{
    api::{
        ANY_TAG, PROC_NULL,
        datatype::{BufferMut, Equivalence, UncommittedDatatype},
        request::{Request, Scope},
        topology::SimpleCommunicator,
    },
    call::{
        CommInfo, Incoming, MatchedId, MessageCall, Operation, Payload, ProbeCall, Reply, Site,
    },
    finding::CallPlace,
};

/// A message that has been matched and must be received.
#[must_use = "a matched message has to be received"]
pub struct Message {
    comm: SimpleCommunicator,
    /// `None` is `MPI_MESSAGE_NO_PROC`.
    id: Option<MatchedId>,
}

impl Message {
    pub(super) fn found(comm: &SimpleCommunicator, id: MatchedId) -> Self {
        Self { comm: comm.alias(), id: Some(id) }
    }

    pub(super) fn none(comm: &SimpleCommunicator) -> Self {
        Self { comm: comm.alias(), id: None }
    }

    /// Reports whether the message comes from `MPI_PROC_NULL` (`MPI_MESSAGE_NO_PROC`).
    pub fn is_no_proc(&self) -> bool {
        self.id.is_none()
    }

    /// `MPI_Mrecv` of one value.
    ///
    /// # Panics
    /// Panics if the message contains no whole value.
    #[track_caller]
    pub fn matched_receive<Msg: Equivalence>(self) -> (Msg, Status) {
        let site = Site::here();
        let kind = Msg::equivalent_datatype().kind();
        let wanted =
            source::one(&self.comm, PROC_NULL, ANY_TAG, &kind).map(|receive| receive.incoming());
        let wanted = accepted(&self.comm, CallPlace { call: "matched_receive", site }, wanted);
        let reply = wanted.and_then(|wanted| self.take(site, wanted));
        let (status, payload) = completed(&self.comm.context, reply);
        let bytes = payload.as_ref().map(Payload::contents).unwrap_or_default();
        (source::value(&kind, &bytes), status)
    }

    /// Receives the message into `buf` (`MPI_Mrecv`, MPI 5.0, 3.8.3). It may be shorter than `buf`, but not longer
    /// (`MPI_ERR_TRUNCATE`).
    #[track_caller]
    pub fn matched_receive_into<Buf: BufferMut + ?Sized>(self, buf: &mut Buf) -> Status {
        let site = Site::here();
        let wanted = accepted(
            &self.comm,
            CallPlace { call: "matched_receive", site },
            incoming(&self.comm, PROC_NULL, buf, ANY_TAG),
        );
        let reply = wanted.and_then(|wanted| self.take(site, wanted));
        taken(&self.comm.context, reply, buf)
    }

    /// `MPI_Imrecv`. The buffer is filled when the request completes.
    #[track_caller]
    pub fn immediate_matched_receive_into<'a, Sc, Buf>(
        self,
        _scope: Sc,
        buf: &'a mut Buf,
    ) -> Request<'a, Buf, Sc>
    where
        Buf: 'a + BufferMut + ?Sized,
        Sc: Scope<'a>,
    {
        let site = Site::here();
        let wanted = accepted(
            &self.comm,
            CallPlace { call: "immediate_matched_receive", site },
            incoming(&self.comm, PROC_NULL, buf, ANY_TAG),
        );
        let reply = wanted.and_then(|wanted| {
            let operation: Operation = match self.id {
                Some(id) => ProbeCall::StartReceive(id, wanted).into(),
                None => MessageCall::StartReceive(wanted).into(),
            };
            self.comm.context.call(site, operation)
        });
        Request::receiving(self.comm.context.clone(), reply, buf)
    }

    fn take(&self, site: Site, wanted: Incoming) -> Option<Reply> {
        let operation: Operation = match self.id {
            Some(id) => ProbeCall::Receive(id, wanted).into(),
            None => MessageCall::Receive(wanted).into(),
        };
        self.comm.context.call(site, operation)
    }
}

/// Receives a matched message into a vector of the right length.
pub trait MatchedReceiveVec {
    /// `MPI_Mrecv` of as many values as there are.
    ///
    /// # Panics
    /// Panics if the size of the message is not a multiple of the size of a value.
    fn matched_receive_vec<Msg: Equivalence>(self) -> (Vec<Msg>, Status);
}

impl MatchedReceiveVec for (Message, Status) {
    #[track_caller]
    fn matched_receive_vec<Msg: Equivalence>(self) -> (Vec<Msg>, Status) {
        let (site, (message, status)) = (Site::here(), self);
        let kind = Msg::equivalent_datatype().kind();
        let count = kind.layout().count_in(status.0.bytes).unwrap_or(0);
        let wanted = Incoming {
            comm: message.comm.info.id,
            source: crate::call::Source::Null,
            tag: None,
            capacity: kind.size() * count,
            signature: kind.signature(count),
            layout: kind.gaps(),
        };
        let reply = message.take(site, wanted);
        let (status, payload) = completed(&message.comm.context, reply);
        let bytes = payload.as_ref().map(Payload::contents).unwrap_or_default();
        let size = (kind.size() as usize).max(1);
        (bytes.chunks(size).map(|chunk| source::value(&kind, chunk)).collect(), status)
    }
}

impl SimpleCommunicator {
    /// Returns the same communicator for an object that does not own it.
    pub(crate) fn alias(&self) -> Self {
        Self::lent(self.context.clone(), CommInfo::clone(&self.info))
    }
}
