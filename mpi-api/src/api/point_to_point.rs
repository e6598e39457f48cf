//! Point-to-point communication (MPI chapter 3).

use super::{
    buffer::{Buffer, BufferMut, Equivalence},
    communicator::SimpleCommunicator,
    request::Request,
};
use crate::{
    call::{Completion, Incoming, Mode, Operation, Outgoing, Payload, Reply, Site},
    object::status,
};

/// One process of a communicator, or the null process.
#[derive(Clone, Copy)]
pub struct Process<'a> {
    pub(crate) comm: &'a SimpleCommunicator,
    pub(crate) rank: Option<u32>,
}

/// Any process of a communicator, as the source of a receive.
#[derive(Clone, Copy)]
pub struct AnyProcess<'a> {
    pub(crate) comm: &'a SimpleCommunicator,
}

/// What a receive learned about its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status(pub(crate) status::Status);

impl Status {
    /// `MPI_SOURCE`; -1 for the null process.
    pub fn source_rank(&self) -> i32 {
        self.0.source.map_or(-1, |rank| rank as i32)
    }

    /// `MPI_TAG`; -1 stands for `MPI_ANY_TAG`.
    pub fn tag(&self) -> i32 {
        self.0.tag.unwrap_or(-1)
    }

    /// `MPI_Get_count` in elements of `T`; `None` is `MPI_UNDEFINED`.
    pub fn count<T: Equivalence>(&self) -> Option<usize> {
        let size = T::PRIMITIVE.size() as u64;
        self.0.bytes.is_multiple_of(size).then_some((self.0.bytes / size) as usize)
    }

    /// `MPI_Test_cancelled`.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled
    }

    pub(crate) fn empty() -> Self {
        Self(status::Status::empty())
    }
}

/// Something messages can be sent to.
pub trait Destination {
    /// The communicator and the rank in it; no rank is the null process.
    fn address(&self) -> (&SimpleCommunicator, Option<u32>);

    /// `MPI_Send` with tag 0.
    #[track_caller]
    fn send<B: Buffer + ?Sized>(&self, buffer: &B) {
        self.send_with_tag(buffer, 0);
    }

    /// `MPI_Send`.
    #[track_caller]
    fn send_with_tag<B: Buffer + ?Sized>(&self, buffer: &B, tag: i32) {
        blocking(self, Mode::Standard, buffer, tag, Site::here());
    }

    /// `MPI_Ssend`.
    #[track_caller]
    fn synchronous_send<B: Buffer + ?Sized>(&self, buffer: &B) {
        blocking(self, Mode::Synchronous, buffer, 0, Site::here());
    }

    /// `MPI_Ssend` with a tag.
    #[track_caller]
    fn synchronous_send_with_tag<B: Buffer + ?Sized>(&self, buffer: &B, tag: i32) {
        blocking(self, Mode::Synchronous, buffer, tag, Site::here());
    }

    /// `MPI_Rsend`.
    #[track_caller]
    fn ready_send<B: Buffer + ?Sized>(&self, buffer: &B) {
        blocking(self, Mode::Ready, buffer, 0, Site::here());
    }

    /// `MPI_Rsend` with a tag.
    #[track_caller]
    fn ready_send_with_tag<B: Buffer + ?Sized>(&self, buffer: &B, tag: i32) {
        blocking(self, Mode::Ready, buffer, tag, Site::here());
    }

    /// `MPI_Bsend`.
    #[track_caller]
    fn buffered_send<B: Buffer + ?Sized>(&self, buffer: &B) {
        blocking(self, Mode::Buffered, buffer, 0, Site::here());
    }

    /// `MPI_Isend`. The data are taken now; the borrow keeps the buffer unchanged until the
    /// request is complete, as the standard demands.
    #[track_caller]
    fn immediate_send<'b, B: Buffer + ?Sized>(&self, buffer: &'b B, tag: i32) -> Request<'b> {
        immediate(self, Mode::Standard, buffer, tag, Site::here())
    }

    /// `MPI_Issend`.
    #[track_caller]
    fn immediate_synchronous_send<'b, B: Buffer + ?Sized>(
        &self,
        buffer: &'b B,
        tag: i32,
    ) -> Request<'b> {
        immediate(self, Mode::Synchronous, buffer, tag, Site::here())
    }

    /// `MPI_Irsend`.
    #[track_caller]
    fn immediate_ready_send<'b, B: Buffer + ?Sized>(&self, buffer: &'b B, tag: i32) -> Request<'b> {
        immediate(self, Mode::Ready, buffer, tag, Site::here())
    }

    /// `MPI_Ibsend`.
    #[track_caller]
    fn immediate_buffered_send<'b, B: Buffer + ?Sized>(
        &self,
        buffer: &'b B,
        tag: i32,
    ) -> Request<'b> {
        immediate(self, Mode::Buffered, buffer, tag, Site::here())
    }

    /// `MPI_Send_init`: the shape of `like` is what each start will send.
    #[track_caller]
    fn send_init<B: Buffer + ?Sized>(&self, like: &B, tag: i32) -> Request<'static> {
        let (comm, _) = self.address();
        let mut outgoing = outgoing(self, Mode::Standard, like, tag);
        outgoing.payload = Payload::EMPTY;
        let reply = comm.context.call(Site::here(), Operation::InitSend(outgoing));
        Request::new(comm.context.clone(), reply, None)
    }
}

/// Something messages can be received from.
pub trait Source {
    /// The communicator and whom to accept in it.
    fn origin(&self) -> (&SimpleCommunicator, crate::call::Source);

    /// `MPI_Recv` of one value, any tag.
    #[track_caller]
    fn receive<T: Equivalence>(&self) -> (T, Status) {
        let mut value = T::default();
        let status = take(self, &mut value, None, Site::here());
        (value, status)
    }

    /// `MPI_Recv`, any tag.
    #[track_caller]
    fn receive_into<B: BufferMut + ?Sized>(&self, buffer: &mut B) -> Status {
        take(self, buffer, None, Site::here())
    }

    /// `MPI_Recv`.
    #[track_caller]
    fn receive_into_with_tag<B: BufferMut + ?Sized>(&self, buffer: &mut B, tag: i32) -> Status {
        take(self, buffer, Some(tag), Site::here())
    }

    /// `MPI_Probe`, any tag.
    #[track_caller]
    fn probe(&self) -> Status {
        let (comm, source) = self.origin();
        let operation = Operation::Probe(comm.info.id, source, None);
        completed(comm.context.call(Site::here(), operation)).0
    }

    /// `MPI_Iprobe`, any tag.
    #[track_caller]
    fn immediate_probe(&self) -> Option<Status> {
        let (comm, source) = self.origin();
        let operation = Operation::ImmediateProbe(comm.info.id, source, None);
        match comm.context.call(Site::here(), operation) {
            Some(Reply::Completed(completion)) => Some(Status(completion.status)),
            _ => None,
        }
    }

    /// `MPI_Irecv`. The buffer is filled when the request completes.
    #[track_caller]
    fn immediate_receive_into<'b, B: BufferMut>(
        &self,
        buffer: &'b mut B,
        tag: Option<i32>,
    ) -> Request<'b> {
        let (comm, source) = self.origin();
        let operation = Operation::StartReceive(incoming(comm, source, buffer, tag));
        let reply = comm.context.call(Site::here(), operation);
        Request::new(comm.context.clone(), reply, Some(buffer))
    }

    /// `MPI_Recv_init`: the data of each round are given by its wait.
    #[track_caller]
    fn receive_init<B: BufferMut + ?Sized>(&self, like: &B, tag: Option<i32>) -> Request<'static> {
        let (comm, source) = self.origin();
        let operation = Operation::InitReceive(incoming(comm, source, like, tag));
        let reply = comm.context.call(Site::here(), operation);
        Request::new(comm.context.clone(), reply, None)
    }
}

impl Destination for Process<'_> {
    fn address(&self) -> (&SimpleCommunicator, Option<u32>) {
        (self.comm, self.rank)
    }
}

impl Source for Process<'_> {
    fn origin(&self) -> (&SimpleCommunicator, crate::call::Source) {
        let source = self.rank.map_or(crate::call::Source::Null, crate::call::Source::Rank);
        (self.comm, source)
    }
}

impl Source for AnyProcess<'_> {
    fn origin(&self) -> (&SimpleCommunicator, crate::call::Source) {
        (self.comm, crate::call::Source::Any)
    }
}

/// `MPI_Sendrecv` with tag 0: sends and receives at once, so that cycles cannot deadlock.
#[track_caller]
pub fn send_receive_into<D, M, S, R>(message: &M, dest: &D, buffer: &mut R, source: &S) -> Status
where
    D: Destination,
    S: Source,
    M: Buffer + ?Sized,
    R: BufferMut + ?Sized,
{
    let send = outgoing(dest, Mode::Standard, message, 0);
    let (comm, from) = source.origin();
    let receive = incoming(comm, from, buffer, None);
    let operation = Operation::SendReceive(send, receive);
    let (status, payload) = completed(comm.context.call(Site::here(), operation));
    if let Some(payload) = payload {
        buffer.fill(payload.as_slice());
    }
    status
}

/// `MPI_Sendrecv_replace` with tag 0.
#[track_caller]
pub fn send_receive_replace_into<D, S, B>(buffer: &mut B, dest: &D, source: &S) -> Status
where
    D: Destination,
    S: Source,
    B: Buffer + BufferMut + ?Sized,
{
    let send = outgoing(dest, Mode::Standard, buffer, 0);
    let (comm, from) = source.origin();
    let operation = Operation::SendReceive(send, incoming(comm, from, buffer, None));
    let (status, payload) = completed(comm.context.call(Site::here(), operation));
    if let Some(payload) = payload {
        buffer.fill(payload.as_slice());
    }
    status
}

fn outgoing<D: Destination + ?Sized, B: Buffer + ?Sized>(
    to: &D,
    mode: Mode,
    buffer: &B,
    tag: i32,
) -> Outgoing {
    let (comm, dest) = to.address();
    Outgoing {
        comm: comm.info.id,
        dest,
        tag,
        mode,
        payload: buffer.payload(),
        signature: buffer.signature(),
        layout: buffer.gaps(),
    }
}

fn incoming<B: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    source: crate::call::Source,
    buffer: &B,
    tag: Option<i32>,
) -> Incoming {
    Incoming {
        comm: comm.info.id,
        source,
        tag,
        capacity: buffer.capacity(),
        signature: buffer.room(),
        layout: buffer.room_gaps(),
    }
}

fn blocking<D: Destination + ?Sized, B: Buffer + ?Sized>(
    to: &D,
    mode: Mode,
    buffer: &B,
    tag: i32,
    site: Site,
) {
    let (comm, _) = to.address();
    comm.context.call(site, Operation::Send(outgoing(to, mode, buffer, tag)));
}

fn immediate<'b, D: Destination + ?Sized, B: Buffer + ?Sized>(
    to: &D,
    mode: Mode,
    buffer: &'b B,
    tag: i32,
    site: Site,
) -> Request<'b> {
    let (comm, _) = to.address();
    let reply = comm.context.call(site, Operation::StartSend(outgoing(to, mode, buffer, tag)));
    Request::new(comm.context.clone(), reply, None)
}

fn take<S: Source + ?Sized, B: BufferMut + ?Sized>(
    from: &S,
    buffer: &mut B,
    tag: Option<i32>,
    site: Site,
) -> Status {
    let (comm, source) = from.origin();
    let operation = Operation::Receive(incoming(comm, source, buffer, tag));
    let (status, payload) = completed(comm.context.call(site, operation));
    if let Some(payload) = payload {
        buffer.fill(payload.as_slice());
    }
    status
}

fn completed(reply: Option<Reply>) -> (Status, Option<Payload>) {
    match reply {
        Some(Reply::Completed(completion)) => {
            let Completion { status, payload, .. } = *completion;
            (Status(status), payload)
        }
        _ => (Status::empty(), None),
    }
}
