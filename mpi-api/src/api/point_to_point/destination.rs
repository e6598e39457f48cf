//! Sends to a destination (MPI sections 3.2, 3.4, 3.7 and 3.9).

use super::outgoing;
use crate::{
    api::{
        Tag,
        datatype::{Buffer, Shape},
        request::{PersistentRequest, Request, Scope},
        topology::{AsCommunicator, Communicator, Rank},
    },
    call::{MessageCall, Mode, Payload, Site},
    finding::CallPlace,
};

/// A process that messages can be sent to. Sends without a tag argument use tag 0.
pub trait Destination: AsCommunicator {
    /// Returns the rank of the destination in the communicator.
    fn destination_rank(&self) -> Rank;

    /// Sends `buf` with `tag` in standard mode (`MPI_Send`, MPI 5.0, 3.4).
    ///
    /// Returns when `buf` may be used again: at once if the system buffers the message, otherwise when a receive has
    /// matched it. A program must not rely on buffering; the check tells how much it needs.
    #[track_caller]
    fn send_with_tag<Buf: Buffer + ?Sized>(&self, buf: &Buf, tag: Tag) {
        blocking(self, Mode::Standard, buf, tag, Site::here());
    }

    /// Like [`send_with_tag`](Self::send_with_tag), with tag 0.
    #[track_caller]
    fn send<Buf: Buffer + ?Sized>(&self, buf: &Buf) {
        blocking(self, Mode::Standard, buf, Tag::default(), Site::here());
    }

    /// Sends `buf` with `tag` in buffered mode (`MPI_Bsend`, MPI 5.0, 3.4).
    ///
    /// Returns without waiting for a receive: the message is copied to the attached buffer. It is an error
    /// (`MPI_ERR_BUFFER`) if there is no room in it.
    #[track_caller]
    fn buffered_send_with_tag<Buf: Buffer + ?Sized>(&self, buf: &Buf, tag: Tag) {
        blocking(self, Mode::Buffered, buf, tag, Site::here());
    }

    /// Like [`buffered_send_with_tag`](Self::buffered_send_with_tag), with tag 0.
    #[track_caller]
    fn buffered_send<Buf: Buffer + ?Sized>(&self, buf: &Buf) {
        blocking(self, Mode::Buffered, buf, Tag::default(), Site::here());
    }

    /// Sends `buf` with `tag` in synchronous mode (`MPI_Ssend`, MPI 5.0, 3.4).
    ///
    /// Returns when a receive has matched the message and begun to take it.
    #[track_caller]
    fn synchronous_send_with_tag<Buf: Buffer + ?Sized>(&self, buf: &Buf, tag: Tag) {
        blocking(self, Mode::Synchronous, buf, tag, Site::here());
    }

    /// Like [`synchronous_send_with_tag`](Self::synchronous_send_with_tag), with tag 0.
    #[track_caller]
    fn synchronous_send<Buf: Buffer + ?Sized>(&self, buf: &Buf) {
        blocking(self, Mode::Synchronous, buf, Tag::default(), Site::here());
    }

    /// Sends `buf` with `tag` in ready mode (`MPI_Rsend`, MPI 5.0, 3.4).
    ///
    /// The matching receive must have been posted; otherwise the program is erroneous, and the check reports it.
    #[track_caller]
    fn ready_send_with_tag<Buf: Buffer + ?Sized>(&self, buf: &Buf, tag: Tag) {
        blocking(self, Mode::Ready, buf, tag, Site::here());
    }

    /// Like [`ready_send_with_tag`](Self::ready_send_with_tag), with tag 0.
    #[track_caller]
    fn ready_send<Buf: Buffer + ?Sized>(&self, buf: &Buf) {
        blocking(self, Mode::Ready, buf, Tag::default(), Site::here());
    }

    /// Starts a send in standard mode (`MPI_Isend`, MPI 5.0, 3.7.2). Returns at once; `buf` belongs to the request until that
    /// is complete.
    #[track_caller]
    fn immediate_send_with_tag<'a, Sc, Buf>(
        &self,
        scope: Sc,
        buf: &'a Buf,
        tag: Tag,
    ) -> Request<'a, Buf, Sc>
    where
        Buf: 'a + Buffer + ?Sized,
        Sc: Scope<'a>,
    {
        immediate(self, Mode::Standard, scope, buf, tag, Site::here())
    }

    /// Like [`immediate_send_with_tag`](Self::immediate_send_with_tag), with tag 0.
    #[track_caller]
    fn immediate_send<'a, Sc, Buf>(&self, scope: Sc, buf: &'a Buf) -> Request<'a, Buf, Sc>
    where
        Buf: 'a + Buffer + ?Sized,
        Sc: Scope<'a>,
    {
        immediate(self, Mode::Standard, scope, buf, Tag::default(), Site::here())
    }

    /// Starts a send in buffered mode (`MPI_Ibsend`). The request is complete when the message has been copied to the
    /// attached buffer, in which there must be room.
    #[track_caller]
    fn immediate_buffered_send_with_tag<'a, Sc, Buf>(
        &self,
        scope: Sc,
        buf: &'a Buf,
        tag: Tag,
    ) -> Request<'a, Buf, Sc>
    where
        Buf: 'a + Buffer + ?Sized,
        Sc: Scope<'a>,
    {
        immediate(self, Mode::Buffered, scope, buf, tag, Site::here())
    }

    /// Like [`immediate_buffered_send_with_tag`](Self::immediate_buffered_send_with_tag), with tag 0.
    #[track_caller]
    fn immediate_buffered_send<'a, Sc, Buf>(&self, scope: Sc, buf: &'a Buf) -> Request<'a, Buf, Sc>
    where
        Buf: 'a + Buffer + ?Sized,
        Sc: Scope<'a>,
    {
        immediate(self, Mode::Buffered, scope, buf, Tag::default(), Site::here())
    }

    /// Starts a send in synchronous mode (`MPI_Issend`). The request is complete when a receive has matched the message.
    #[track_caller]
    fn immediate_synchronous_send_with_tag<'a, Sc, Buf>(
        &self,
        scope: Sc,
        buf: &'a Buf,
        tag: Tag,
    ) -> Request<'a, Buf, Sc>
    where
        Buf: 'a + Buffer + ?Sized,
        Sc: Scope<'a>,
    {
        immediate(self, Mode::Synchronous, scope, buf, tag, Site::here())
    }

    /// Like [`immediate_synchronous_send_with_tag`](Self::immediate_synchronous_send_with_tag), with tag 0.
    #[track_caller]
    fn immediate_synchronous_send<'a, Sc, Buf>(
        &self,
        scope: Sc,
        buf: &'a Buf,
    ) -> Request<'a, Buf, Sc>
    where
        Buf: 'a + Buffer + ?Sized,
        Sc: Scope<'a>,
    {
        immediate(self, Mode::Synchronous, scope, buf, Tag::default(), Site::here())
    }

    /// Starts a send in ready mode (`MPI_Irsend`): the matching receive must have been posted.
    #[track_caller]
    fn immediate_ready_send_with_tag<'a, Sc, Buf>(
        &self,
        scope: Sc,
        buf: &'a Buf,
        tag: Tag,
    ) -> Request<'a, Buf, Sc>
    where
        Buf: 'a + Buffer + ?Sized,
        Sc: Scope<'a>,
    {
        immediate(self, Mode::Ready, scope, buf, tag, Site::here())
    }

    /// Like [`immediate_ready_send_with_tag`](Self::immediate_ready_send_with_tag), with tag 0.
    #[track_caller]
    fn immediate_ready_send<'a, Sc, Buf>(&self, scope: Sc, buf: &'a Buf) -> Request<'a, Buf, Sc>
    where
        Buf: 'a + Buffer + ?Sized,
        Sc: Scope<'a>,
    {
        immediate(self, Mode::Ready, scope, buf, Tag::default(), Site::here())
    }

    /// `MPI_Send_init`: the shape of `like` is what each start will send.
    #[track_caller]
    fn send_init<Buf: Buffer + ?Sized>(&self, like: &Buf, tag: Tag) -> PersistentRequest {
        prepared(self, Mode::Standard, like, tag, Site::here())
    }

    /// `MPI_Bsend_init`: the shape of `like` is what each start will send.
    #[track_caller]
    fn buffered_send_init<Buf: Buffer + ?Sized>(&self, like: &Buf, tag: Tag) -> PersistentRequest {
        prepared(self, Mode::Buffered, like, tag, Site::here())
    }

    /// `MPI_Ssend_init`: the shape of `like` is what each start will send.
    #[track_caller]
    fn synchronous_send_init<Buf: Buffer + ?Sized>(
        &self,
        like: &Buf,
        tag: Tag,
    ) -> PersistentRequest {
        prepared(self, Mode::Synchronous, like, tag, Site::here())
    }

    /// `MPI_Rsend_init`: the shape of `like` is what each start will send.
    #[track_caller]
    fn ready_send_init<Buf: Buffer + ?Sized>(&self, like: &Buf, tag: Tag) -> PersistentRequest {
        prepared(self, Mode::Ready, like, tag, Site::here())
    }
}

fn blocking<D: Destination + ?Sized, B: Buffer + ?Sized>(
    to: &D,
    mode: Mode,
    buffer: &B,
    tag: Tag,
    site: Site,
) {
    let comm = to.as_communicator().as_simple();
    let send = outgoing(comm, to.destination_rank(), mode, buffer, tag);
    if let Some(send) = super::accepted(comm, CallPlace { call: mode.sending(), site }, send) {
        comm.context.call(site, MessageCall::Send(send));
    }
}

/// Starts a nonblocking send. The data are copied now; the borrow keeps the program from changing
/// the buffer until the request is complete, as the standard requires.
fn immediate<'a, D: Destination + ?Sized, B: Buffer + ?Sized, S: Scope<'a>>(
    to: &D,
    mode: Mode,
    _scope: S,
    buffer: &'a B,
    tag: Tag,
    site: Site,
) -> Request<'a, B, S> {
    let comm = to.as_communicator().as_simple();
    let send = outgoing(comm, to.destination_rank(), mode, buffer, tag);
    let reply = super::accepted(comm, CallPlace { call: mode.starting(), site }, send)
        .and_then(|send| comm.context.call(site, MessageCall::StartSend(send)));
    Request::sending(comm.context.clone(), reply, buffer)
}

fn prepared<D: Destination + ?Sized, B: Buffer + ?Sized>(
    to: &D,
    mode: Mode,
    like: &B,
    tag: Tag,
    site: Site,
) -> PersistentRequest {
    let comm = to.as_communicator().as_simple();
    let send = outgoing(comm, to.destination_rank(), mode, like, tag);
    let Some(mut send) = super::accepted(comm, CallPlace { call: "send_init", site }, send) else {
        return PersistentRequest::new(comm, None);
    };
    send.payload = Payload::EMPTY;
    let shape = Shape::from(send.signature.clone());
    let reply = comm.context.call(site, MessageCall::InitSend(send));
    PersistentRequest::new(comm, reply).giving(shape)
}
