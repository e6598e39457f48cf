//! Point-to-point communication (MPI chapter 3).

mod destination;
mod exchange;
mod matched;
mod source;
mod status;

pub use destination::Destination;
pub use exchange::{
    send_receive, send_receive_into, send_receive_into_with_tags, send_receive_replace_into,
    send_receive_replace_into_with_tags, send_receive_with_tags,
};
pub use matched::{MatchedReceiveVec, Message};
pub use source::{ReceiveFuture, Source};
pub use status::Status;

use super::{
    ANY_SOURCE, ANY_TAG, Context, PROC_NULL, Tag,
    datatype::{Buffer, BufferMut, Kind, Packed, Room, described, fill, receivable},
    topology::{Rank, SimpleCommunicator},
};
use crate::{
    call::{self, CommId, Incoming, Mode, Outgoing, Payload, Reply},
    error::{ErrorClass, MpiError},
    finding::CallPlace,
};

/// The traits of this module.
pub mod traits {
    pub use super::{Destination, MatchedReceiveVec, Source};
}

/// Converts a rank argument for the kernel, which reports ranks that do not exist.
fn world_of(rank: Rank) -> Option<u32> {
    (rank != PROC_NULL).then_some(rank as u32)
}

pub(super) fn source_of(rank: Rank) -> call::Source {
    match rank {
        ANY_SOURCE => call::Source::Any,
        rank => world_of(rank).map_or(call::Source::Null, call::Source::Rank),
    }
}

/// Reports an error that the api layer found in the arguments of the function of this name; returns
/// `None` if the run continues under `MPI_ERRORS_RETURN`.
pub(crate) fn accepted<T>(
    comm: &SimpleCommunicator,
    place: CallPlace,
    result: Result<T, MpiError>,
) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            comm.context.raise(place, comm.info.id, error);
            None
        }
    }
}

fn send_tag(tag: Tag) -> Result<i32, MpiError> {
    let negative = || MpiError::new(ErrorClass::Tag, format!("tag {tag} is negative"));
    (tag >= 0).then_some(tag).ok_or_else(negative)
}

pub(super) fn receive_tag(tag: Tag) -> Result<Option<i32>, MpiError> {
    if tag == ANY_TAG { Ok(None) } else { send_tag(tag).map(Some) }
}

/// The arguments of a send, checked.
pub(super) struct Sending<'a, B: ?Sized> {
    comm: CommId,
    dest: Option<u32>,
    tag: i32,
    mode: Mode,
    buffer: &'a B,
    kind: Kind,
    count: usize,
}

impl<'a, B: Buffer + ?Sized> Sending<'a, B> {
    #[inline]
    fn new(
        comm: &SimpleCommunicator,
        to: Rank,
        mode: Mode,
        buffer: &'a B,
        tag: Tag,
    ) -> Result<Self, MpiError> {
        let (tag, dest) = (send_tag(tag)?, world_of(to));
        let (kind, count) = described(buffer)?;
        Ok(Self { comm: comm.info.id, dest, tag, mode, buffer, kind, count })
    }

    /// Builds the kernel's arguments of the send.
    // Where they wait for the kernel, if the caller passes a function to it: they are large, and
    // moving them while they are being written costs more than the rest of the call.
    #[inline(always)]
    fn outgoing(&self) -> Outgoing {
        Outgoing {
            comm: self.comm,
            dest: self.dest,
            tag: self.tag,
            mode: self.mode,
            payload: Packed::message_of(self.buffer, &self.kind, self.count),
            signature: self.kind.signature(self.count as u64),
            layout: self.kind.gaps(),
        }
    }
}

/// Builds the kernel's arguments of a send.
#[inline]
pub(super) fn outgoing<B: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    to: Rank,
    mode: Mode,
    buffer: &B,
    tag: Tag,
) -> Result<Outgoing, MpiError> {
    Ok(Sending::new(comm, to, mode, buffer, tag)?.outgoing())
}

/// The arguments of a receive, checked.
pub(super) struct Receiving {
    comm: CommId,
    source: call::Source,
    tag: Option<i32>,
    kind: Kind,
    count: u64,
}

impl Receiving {
    #[inline(always)]
    fn new<B: BufferMut + ?Sized>(
        comm: &SimpleCommunicator,
        from: Rank,
        buffer: &B,
        tag: Tag,
    ) -> Result<Self, MpiError> {
        let (kind, count) = receivable(buffer)?;
        let (source, tag) = (source_of(from), receive_tag(tag)?);
        Ok(Self { comm: comm.info.id, source, tag, kind, count })
    }

    /// Builds the kernel's arguments of the receive.
    // Where they wait for the kernel, like those of a send.
    #[inline(always)]
    fn incoming(&self) -> Incoming {
        let Room { bytes, signature, gaps } = Room::of(&self.kind, self.count);
        let Self { comm, source, tag, .. } = *self;
        Incoming { comm, source, tag, capacity: bytes, signature, layout: gaps }
    }
}

/// Builds the kernel's arguments of a receive.
pub(super) fn incoming<B: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    from: Rank,
    buffer: &B,
    tag: Tag,
) -> Result<Incoming, MpiError> {
    Ok(Receiving::new(comm, from, buffer, tag)?.incoming())
}

/// Returns the status and the data of a completed call.
pub(super) fn completed(context: &Context, reply: Option<Reply>) -> (Status, Option<Payload>) {
    let completion = match reply {
        Some(Reply::Received(received)) => {
            return (Status(received.status()), Some(received.payload));
        }
        reply => reply.and_then(Reply::completion),
    };
    let Some(completion) = completion else { return (Status::empty(), None) };
    if let Some(failure) = completion.error {
        context.failed(*failure);
    }
    (Status(completion.status), completion.payload)
}

/// Copies the data that a completed call received into the buffer.
pub(super) fn taken<B: BufferMut + ?Sized>(
    context: &Context,
    reply: Option<Reply>,
    buffer: &mut B,
) -> Status {
    let mut completion = match reply {
        Some(Reply::Received(received)) => {
            fill(buffer, received.payload.as_slice());
            return Status(received.status());
        }
        reply => match reply.and_then(Reply::completion) {
            Some(completion) => completion,
            None => return Status::empty(),
        },
    };
    if let Some(payload) = &completion.payload {
        fill(buffer, payload.as_slice());
    }
    if let Some(failure) = completion.error.take() {
        context.failed(*failure);
    }
    Status(completion.status)
}
