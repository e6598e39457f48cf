//! Combined send and receive, so that cyclic exchanges cannot deadlock (MPI section 3.10).

use super::{Destination, Receiving, Sending, Source, Status, accepted, completed, source, taken};
use crate::{
    api::{
        ANY_TAG, Tag,
        datatype::{Buffer, BufferMut, Equivalence, UncommittedDatatype},
        topology::{Communicator, Rank, SimpleCommunicator},
    },
    call::{MessageCall, Mode, Payload, Reply, Site},
    error::MpiError,
    finding::CallPlace,
};

#[inline(always)]
fn exchange<B: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    site: Site,
    send: Result<Sending<'_, B>, MpiError>,
    receive: Result<Receiving, MpiError>,
) -> Option<Reply> {
    let send = accepted(comm, CallPlace { call: "send_receive", site }, send)?;
    let receive = accepted(comm, CallPlace { call: "send_receive", site }, receive)?;
    comm.context.call_with(
        site,
        #[inline(always)]
        || MessageCall::SendReceive(send.outgoing(), receive.incoming()),
    )
}

fn ends<'a, D: Destination, S: Source>(
    destination: &'a D,
    source: &S,
) -> (&'a SimpleCommunicator, Rank, Rank) {
    let comm = destination.as_communicator().as_simple();
    (comm, destination.destination_rank(), source.source_rank())
}

/// `MPI_Sendrecv`, receiving one value.
///
/// # Panics
/// Panics if the message contains no whole value.
#[track_caller]
pub fn send_receive_with_tags<M, D, R, S>(
    msg: &M,
    destination: &D,
    sendtag: Tag,
    source: &S,
    receivetag: Tag,
) -> (R, Status)
where
    M: Buffer + ?Sized,
    D: Destination,
    R: Equivalence,
    S: Source,
{
    let (site, (comm, to, from)) = (Site::here(), ends(destination, source));
    let kind = R::equivalent_datatype().kind();
    let send = Sending::new(comm, to, Mode::Standard, msg, sendtag);
    let reply = exchange(comm, site, send, source::one(comm, from, receivetag, &kind));
    let (status, payload) = completed(&comm.context, reply);
    let bytes = payload.as_ref().map(Payload::contents).unwrap_or_default();
    (source::value(&kind, &bytes), status)
}

/// `MPI_Sendrecv` with tag 0, receiving one value of any tag.
///
/// # Panics
/// Panics if the message contains no whole value.
#[track_caller]
pub fn send_receive<R, M, D, S>(msg: &M, destination: &D, source: &S) -> (R, Status)
where
    M: Buffer + ?Sized,
    D: Destination,
    R: Equivalence,
    S: Source,
{
    send_receive_with_tags(msg, destination, Tag::default(), source, ANY_TAG)
}

/// Sends `msg` and receives into `buf` (`MPI_Sendrecv`, MPI 5.0, 3.10): both at the same time, so that ranks that exchange
/// messages do not wait for each other. Returns when both are complete.
#[track_caller]
pub fn send_receive_into_with_tags<M, D, B, S>(
    msg: &M,
    destination: &D,
    sendtag: Tag,
    buf: &mut B,
    source: &S,
    receivetag: Tag,
) -> Status
where
    M: Buffer + ?Sized,
    D: Destination,
    B: BufferMut + ?Sized,
    S: Source,
{
    let (site, (comm, to, from)) = (Site::here(), ends(destination, source));
    let send = Sending::new(comm, to, Mode::Standard, msg, sendtag);
    let reply = exchange(comm, site, send, Receiving::new(comm, from, buf, receivetag));
    taken(&comm.context, reply, buf)
}

/// Like [`send_receive_into_with_tags`], with tag 0 for the send and any tag for the receive.
#[track_caller]
pub fn send_receive_into<M, D, B, S>(msg: &M, destination: &D, buf: &mut B, source: &S) -> Status
where
    M: Buffer + ?Sized,
    D: Destination,
    B: BufferMut + ?Sized,
    S: Source,
{
    send_receive_into_with_tags(msg, destination, Tag::default(), buf, source, ANY_TAG)
}

/// Sends `buf` and receives into it (`MPI_Sendrecv_replace`, MPI 5.0, 3.10). Returns when both are complete.
#[track_caller]
pub fn send_receive_replace_into_with_tags<B, D, S>(
    buf: &mut B,
    destination: &D,
    sendtag: Tag,
    source: &S,
    receivetag: Tag,
) -> Status
where
    B: Buffer + BufferMut + ?Sized,
    D: Destination,
    S: Source,
{
    let (site, (comm, to, from)) = (Site::here(), ends(destination, source));
    let send = Sending::new(comm, to, Mode::Standard, buf, sendtag);
    let reply = exchange(comm, site, send, Receiving::new(comm, from, buf, receivetag));
    taken(&comm.context, reply, buf)
}

/// Like [`send_receive_replace_into_with_tags`], with tag 0 for the send and any tag for the receive.
#[track_caller]
pub fn send_receive_replace_into<B, D, S>(buf: &mut B, destination: &D, source: &S) -> Status
where
    B: Buffer + BufferMut + ?Sized,
    D: Destination,
    S: Source,
{
    send_receive_replace_into_with_tags(buf, destination, Tag::default(), source, ANY_TAG)
}
