//! Sends and receives (MPI sections 3.2 to 3.11).

use serde::{Deserialize, Serialize};

use super::{CommId, Payload};
use crate::object::signature::Signature;

/// A call that sends or receives a message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum MessageCall {
    /// A blocking send.
    Send(Outgoing),
    /// A blocking receive; replies `Received` or `Completed`.
    Receive(Incoming),
    /// `MPI_Sendrecv`; replies `Received` or `Completed` with the receive's status.
    SendReceive(Outgoing, Incoming),
    /// A nonblocking send; replies `Request`.
    StartSend(Outgoing),
    /// A nonblocking send for which the caller waits at its end only: replies `Done` if the message was sent
    /// at once and waiting for it would cost nothing, so that no request is needed, and otherwise `Request`.
    StartDetachedSend(Outgoing),
    /// A nonblocking receive; replies `Request`.
    StartReceive(Incoming),
    /// `MPI_Isendrecv`; replies `Request`, which completes when both send and receive have
    /// completed.
    StartSendReceive(Outgoing, Box<Incoming>),
    /// Creates a persistent send, with an empty payload; replies `Request`.
    InitSend(Outgoing),
    /// Creates a persistent receive; replies `Request`.
    InitReceive(Incoming),
}

/// The send modes of MPI section 3.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mode {
    /// The system may buffer the message or wait for the receive.
    Standard,
    /// The message goes into the attached buffer.
    Buffered,
    /// The send completes only after the matching receive has started.
    Synchronous,
    /// The matching receive must have been posted already.
    Ready,
}

/// Whether the data are contiguous in the program's memory: strided data cost packing time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Layout {
    /// One contiguous run of bytes.
    Dense,
    /// A derived datatype with gaps.
    Strided,
}

/// The arguments of a send.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outgoing {
    /// The communicator.
    pub comm: CommId,
    /// Destination rank in the communicator; `None` is `MPI_PROC_NULL`.
    pub dest: Option<u32>,
    /// The tag, not negative.
    pub tag: i32,
    /// The send mode.
    pub mode: Mode,
    /// The data, packed.
    pub payload: Payload,
    /// Type signature of the data, checked at the match.
    pub signature: Signature,
    /// Layout of the data in the program: whether packing costs time.
    pub layout: Layout,
}

/// The source that a receive or probe accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// One rank of the communicator.
    Rank(u32),
    /// `MPI_ANY_SOURCE`.
    Any,
    /// `MPI_PROC_NULL`.
    Null,
}

/// The arguments of a receive.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Incoming {
    /// The communicator.
    pub comm: CommId,
    /// Accepted source.
    pub source: Source,
    /// Accepted tag; `None` is `MPI_ANY_TAG`.
    pub tag: Option<i32>,
    /// Size of the receive buffer in packed bytes.
    pub capacity: u64,
    /// Type signature of the receive buffer, checked at the match.
    pub signature: Signature,
    /// Layout of the receive buffer: whether unpacking costs time.
    pub layout: Layout,
}

impl Outgoing {
    /// Reports whether this value owns no heap memory (any more), so that it need not be dropped.
    #[inline]
    pub(crate) fn is_spent(&self) -> bool {
        !matches!(self.payload, Payload::Heap(_)) && self.signature.owns_nothing()
    }
}

impl MessageCall {
    /// Returns the send of this call, if it has one.
    pub fn outgoing(&self) -> Option<&Outgoing> {
        match self {
            Self::Send(send)
            | Self::SendReceive(send, _)
            | Self::StartSend(send)
            | Self::StartDetachedSend(send)
            | Self::StartSendReceive(send, _)
            | Self::InitSend(send) => Some(send),
            Self::Receive(_) | Self::StartReceive(_) | Self::InitReceive(_) => None,
        }
    }

    /// Returns the receive of this call, if it has one.
    pub fn incoming(&self) -> Option<&Incoming> {
        match self {
            Self::Receive(receive)
            | Self::SendReceive(_, receive)
            | Self::StartReceive(receive)
            | Self::InitReceive(receive) => Some(receive),
            Self::StartSendReceive(_, receive) => Some(receive),
            Self::Send(_) | Self::StartSend(_) | Self::StartDetachedSend(_) | Self::InitSend(_) => {
                None
            }
        }
    }

    /// Returns the receive of this call for changes, if it has one.
    pub fn incoming_mut(&mut self) -> Option<&mut Incoming> {
        match self {
            Self::Receive(receive)
            | Self::SendReceive(_, receive)
            | Self::StartReceive(receive)
            | Self::InitReceive(receive) => Some(receive),
            Self::StartSendReceive(_, receive) => Some(receive),
            Self::Send(_) | Self::StartSend(_) | Self::StartDetachedSend(_) | Self::InitSend(_) => {
                None
            }
        }
    }
}

impl Incoming {
    /// Reports whether messages of several sources or tags match this receive.
    pub fn has_wildcard(&self) -> bool {
        self.source == Source::Any || self.tag.is_none()
    }

    /// Reports whether this value owns no heap memory (any more), so that it need not be dropped.
    #[inline]
    pub(crate) fn is_spent(&self) -> bool {
        self.signature.owns_nothing()
    }

    /// Returns the value and leaves one that owns nothing.
    pub(crate) fn taken(&mut self) -> Self {
        let Self { comm, source, tag, capacity, layout, .. } = *self;
        let signature = std::mem::replace(&mut self.signature, Signature::EMPTY);
        Self { comm, source, tag, capacity, signature, layout }
    }
}
