//! Probes and receives from a source (MPI sections 3.2, 3.7, 3.8 and 3.9).

use std::mem::MaybeUninit;

use super::{
    Message, Receiving, Status, accepted, completed, incoming, receive_tag, source_of, taken,
};
use crate::{
    api::{
        ANY_TAG, Tag,
        datatype::{BufferMut, Equivalence, Kind, Shape, UncommittedDatatype},
        request::{PersistentRequest, Request, Scope},
        topology::{AsCommunicator, Communicator, Rank, SimpleCommunicator},
    },
    call::{MatchedId, MessageCall, Payload, ProbeCall, Reply, Site},
    finding::CallPlace,
};

/// A process, or any process, that messages can be received from. Receives without a tag argument
/// accept any tag.
pub trait Source: AsCommunicator {
    /// Returns the rank of the source in the communicator, or `MPI_ANY_SOURCE`.
    fn source_rank(&self) -> Rank;

    /// Waits for a message with `tag` and returns its status, without receiving it (`MPI_Probe`, MPI 5.0, 3.8.1).
    #[track_caller]
    fn probe_with_tag(&self, tag: Tag) -> Status {
        probing(self, tag, CallPlace { call: "probe", site: Site::here() }, ProbeCall::Blocking)
            .unwrap_or_else(Status::empty)
    }

    /// Like [`probe_with_tag`](Self::probe_with_tag), with any tag.
    #[track_caller]
    fn probe(&self) -> Status {
        self.probe_with_tag(ANY_TAG)
    }

    /// Reports whether a message with `tag` has arrived, without receiving it (`MPI_Iprobe`, MPI 5.0, 3.8.1). Returns `None`
    /// if there is none.
    #[track_caller]
    fn immediate_probe_with_tag(&self, tag: Tag) -> Option<Status> {
        probing(
            self,
            tag,
            CallPlace { call: "immediate_probe", site: Site::here() },
            ProbeCall::Immediate,
        )
    }

    /// Like [`immediate_probe_with_tag`](Self::immediate_probe_with_tag), with any tag.
    #[track_caller]
    fn immediate_probe(&self) -> Option<Status> {
        self.immediate_probe_with_tag(ANY_TAG)
    }

    /// Waits for a message with `tag` and takes it, so that nothing else can receive it (`MPI_Mprobe`, MPI 5.0, 3.8.2). The
    /// message is received by its own methods.
    #[track_caller]
    fn matched_probe_with_tag(&self, tag: Tag) -> (Message, Status) {
        let found = matched(
            self,
            tag,
            CallPlace { call: "matched_probe", site: Site::here() },
            ProbeCall::Matched,
        );
        found
            .unwrap_or_else(|| (Message::none(self.as_communicator().as_simple()), Status::empty()))
    }

    /// Like [`matched_probe_with_tag`](Self::matched_probe_with_tag), with any tag.
    #[track_caller]
    fn matched_probe(&self) -> (Message, Status) {
        self.matched_probe_with_tag(ANY_TAG)
    }

    /// Takes a message with `tag` that has arrived (`MPI_Improbe`, MPI 5.0, 3.8.2). Returns `None` if there is none.
    #[track_caller]
    fn immediate_matched_probe_with_tag(&self, tag: Tag) -> Option<(Message, Status)> {
        matched(
            self,
            tag,
            CallPlace { call: "immediate_matched_probe", site: Site::here() },
            ProbeCall::ImmediateMatched,
        )
    }

    /// Like [`immediate_matched_probe_with_tag`](Self::immediate_matched_probe_with_tag), with any tag.
    #[track_caller]
    fn immediate_matched_probe(&self) -> Option<(Message, Status)> {
        self.immediate_matched_probe_with_tag(ANY_TAG)
    }

    /// Receives one value with `tag` (`MPI_Recv`, MPI 5.0, 3.2.4). Returns when it is there.
    ///
    /// # Panics
    /// Panics if the message contains no whole value.
    #[track_caller]
    fn receive_with_tag<Msg: Equivalence>(&self, tag: Tag) -> (Msg, Status) {
        let (comm, site) = (self.as_communicator().as_simple(), Site::here());
        let kind = Msg::equivalent_datatype().kind();
        let wanted = one(comm, self.source_rank(), tag, &kind).map(|receive| receive.incoming());
        let reply = accepted(comm, CallPlace { call: "receive", site }, wanted)
            .and_then(|wanted| comm.context.call(site, MessageCall::Receive(wanted)));
        let (status, payload) = completed(&comm.context, reply);
        let bytes = payload.as_ref().map(Payload::contents).unwrap_or_default();
        (value::<Msg>(&kind, &bytes), status)
    }

    /// Like [`receive_with_tag`](Self::receive_with_tag), with any tag.
    ///
    /// # Panics
    /// Panics if the message contains no whole value.
    #[track_caller]
    fn receive<Msg: Equivalence>(&self) -> (Msg, Status) {
        self.receive_with_tag(ANY_TAG)
    }

    /// Receives a message with `tag` into `buf` (`MPI_Recv`, MPI 5.0, 3.2.4). Returns when it is there.
    ///
    /// The message may be shorter than `buf`; how long it is says the status. It is an error (`MPI_ERR_TRUNCATE`) if it is
    /// longer.
    #[track_caller]
    fn receive_into_with_tag<Buf: BufferMut + ?Sized>(&self, buf: &mut Buf, tag: Tag) -> Status {
        let (comm, site) = (self.as_communicator().as_simple(), Site::here());
        let wanted = accepted(
            comm,
            CallPlace { call: "receive", site },
            incoming(comm, self.source_rank(), buf, tag),
        );
        let reply = wanted.and_then(|wanted| comm.context.call(site, MessageCall::Receive(wanted)));
        taken(&comm.context, reply, buf)
    }

    /// Like [`receive_into_with_tag`](Self::receive_into_with_tag), with any tag.
    #[track_caller]
    fn receive_into<Buf: BufferMut + ?Sized>(&self, buf: &mut Buf) -> Status {
        self.receive_into_with_tag(buf, ANY_TAG)
    }

    /// Receives a message with `tag` of any length (`MPI_Mprobe`, then `MPI_Mrecv` of as many values as it has).
    #[track_caller]
    fn receive_vec_with_tag<Msg: Equivalence>(&self, tag: Tag) -> (Vec<Msg>, Status) {
        super::MatchedReceiveVec::matched_receive_vec(self.matched_probe_with_tag(tag))
    }

    /// Like [`receive_vec_with_tag`](Self::receive_vec_with_tag), with any tag.
    #[track_caller]
    fn receive_vec<Msg: Equivalence>(&self) -> (Vec<Msg>, Status) {
        self.receive_vec_with_tag(ANY_TAG)
    }

    /// `MPI_Irecv`. The buffer is filled when the request completes.
    #[track_caller]
    fn immediate_receive_into_with_tag<'a, Sc, Buf>(
        &self,
        _scope: Sc,
        buf: &'a mut Buf,
        tag: Tag,
    ) -> Request<'a, Buf, Sc>
    where
        Buf: 'a + BufferMut + ?Sized,
        Sc: Scope<'a>,
    {
        let (comm, site) = (self.as_communicator().as_simple(), Site::here());
        let wanted = accepted(
            comm,
            CallPlace { call: "immediate_receive", site },
            incoming(comm, self.source_rank(), buf, tag),
        );
        let reply =
            wanted.and_then(|wanted| comm.context.call(site, MessageCall::StartReceive(wanted)));
        Request::receiving(comm.context.clone(), reply, buf)
    }

    /// `MPI_Irecv`. The buffer is filled when the request completes.
    #[track_caller]
    fn immediate_receive_into<'a, Sc, Buf>(
        &self,
        scope: Sc,
        buf: &'a mut Buf,
    ) -> Request<'a, Buf, Sc>
    where
        Buf: 'a + BufferMut + ?Sized,
        Sc: Scope<'a>,
    {
        self.immediate_receive_into_with_tag(scope, buf, ANY_TAG)
    }

    /// `MPI_Irecv` of one value.
    #[track_caller]
    fn immediate_receive_with_tag<Msg: Equivalence + 'static>(
        &self,
        tag: Tag,
    ) -> ReceiveFuture<Msg> {
        let (comm, site) = (self.as_communicator().as_simple(), Site::here());
        let kind = Msg::equivalent_datatype().kind();
        let wanted = accepted(
            comm,
            CallPlace { call: "immediate_receive", site },
            one(comm, self.source_rank(), tag, &kind).map(|receive| receive.incoming()),
        );
        let reply =
            wanted.and_then(|wanted| comm.context.call(site, MessageCall::StartReceive(wanted)));
        let request = PersistentRequest::new(comm, reply);
        ReceiveFuture { request, kind, value: std::marker::PhantomData }
    }

    /// `MPI_Irecv` of one value.
    #[track_caller]
    fn immediate_receive<Msg: Equivalence + 'static>(&self) -> ReceiveFuture<Msg> {
        self.immediate_receive_with_tag(ANY_TAG)
    }

    /// `MPI_Recv_init` (MPI section 3.9): each start offers a buffer of the types and the number of
    /// elements of `like`; the wait of each round writes the data to such a buffer.
    #[track_caller]
    fn receive_init<Buf: BufferMut + ?Sized>(&self, like: &Buf, tag: Tag) -> PersistentRequest {
        let (comm, site) = (self.as_communicator().as_simple(), Site::here());
        let wanted = accepted(
            comm,
            CallPlace { call: "receive_init", site },
            incoming(comm, self.source_rank(), like, tag),
        );
        let reply =
            wanted.and_then(|wanted| comm.context.call(site, MessageCall::InitReceive(wanted)));
        PersistentRequest::new(comm, reply).taking(Shape::of(like))
    }
}

type Probing<T> = fn(crate::call::CommId, crate::call::Source, Option<i32>) -> T;

fn probe_reply<S: Source + ?Sized>(
    from: &S,
    tag: Tag,
    place: CallPlace,
    operation: Probing<ProbeCall>,
) -> Option<Reply> {
    let comm = from.as_communicator().as_simple();
    let tag = accepted(comm, place, receive_tag(tag))?;
    let source = source_of(from.source_rank());
    comm.context.call(place.site, operation(comm.info.id, source, tag))
}

fn probing<S: Source + ?Sized>(
    from: &S,
    tag: Tag,
    place: CallPlace,
    operation: Probing<ProbeCall>,
) -> Option<Status> {
    match probe_reply(from, tag, place, operation)? {
        Reply::Completed(completion) => Some(Status(completion.status)),
        _ => None,
    }
}

fn matched<S: Source + ?Sized>(
    from: &S,
    tag: Tag,
    place: CallPlace,
    operation: Probing<ProbeCall>,
) -> Option<(Message, Status)> {
    let comm = from.as_communicator().as_simple();
    match probe_reply(from, tag, place, operation)? {
        Reply::Matched(MatchedId::NO_PROC, status) => Some((Message::none(comm), Status(status))),
        Reply::Matched(id, status) => Some((Message::found(comm, id), Status(status))),
        Reply::Completed(completion) => Some((Message::none(comm), Status(completion.status))),
        _ => None,
    }
}

/// Creates a buffer for one value.
#[inline(always)]
pub(super) fn one(
    comm: &SimpleCommunicator,
    from: Rank,
    tag: Tag,
    kind: &Kind,
) -> Result<Receiving, crate::error::MpiError> {
    let (source, tag) = (source_of(from), receive_tag(tag)?);
    Ok(Receiving { comm: comm.info.id, source, tag, kind: kind.clone(), count: 1 })
}

/// Returns the value that a message brought.
#[track_caller]
#[allow(unsafe_code, reason = "a value is made of its bytes")]
pub(super) fn value<Msg: Equivalence>(kind: &Kind, bytes: &[u8]) -> Msg {
    assert!(bytes.len() as u64 == kind.size(), "the message is shorter than the value asked for");
    let mut value = MaybeUninit::<Msg>::uninit();
    // SAFETY: there is room for one value, whose datatype this is; all its bytes have arrived, and
    // the type guarantees that they make a valid value.
    unsafe {
        kind.place(bytes, value.as_mut_ptr().cast(), 1);
        value.assume_init()
    }
}

/// A value that is being received.
#[must_use = "a request has to be completed"]
pub struct ReceiveFuture<Msg> {
    request: PersistentRequest,
    kind: Kind,
    value: std::marker::PhantomData<Msg>,
}

impl<Msg: Equivalence> ReceiveFuture<Msg> {
    /// Waits for the value and returns it.
    ///
    /// # Panics
    /// Panics if the message contains no whole value.
    #[track_caller]
    pub fn get(mut self) -> (Msg, Status) {
        let (status, payload) = self.request.outcome(Site::here());
        let bytes = payload.as_ref().map(Payload::contents).unwrap_or_default();
        (value(&self.kind, &bytes), status)
    }

    /// Returns the value if it has arrived.
    ///
    /// # Errors
    /// Returns the future itself if the value has not arrived.
    ///
    /// # Panics
    /// Panics if the message contains no whole value.
    #[track_caller]
    pub fn r#try(mut self) -> Result<(Msg, Status), Self> {
        let Some((status, payload)) = self.request.outcome_now(Site::here()) else {
            return Err(self);
        };
        let bytes = payload.as_ref().map(Payload::contents).unwrap_or_default();
        Ok((value(&self.kind, &bytes), status))
    }
}
