//! What sends and receives ask for.

use super::{CommId, Payload};
use crate::object::signature::Signature;

/// The send modes of MPI section 3.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The system may buffer the message or wait for the receive.
    Standard,
    /// The message goes into the attached buffer.
    Buffered,
    /// Completes only after the matching receive has started.
    Synchronous,
    /// The receive must have been posted already.
    Ready,
}

/// How the data lie in the program's memory: strided data cost packing time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One run of bytes.
    Dense,
    /// A derived datatype with gaps.
    Strided,
}

/// What a send asks for.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Communicator.
    pub comm: CommId,
    /// Destination rank in it; `None` is `MPI_PROC_NULL`.
    pub dest: Option<u32>,
    /// Tag, not negative.
    pub tag: i32,
    /// Send mode.
    pub mode: Mode,
    /// The data.
    pub payload: Payload,
    /// Types of the data, for matching.
    pub signature: Signature,
    /// Whether packing costs time.
    pub layout: Layout,
}

/// Whom a receive or probe accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// One rank of the communicator.
    Rank(u32),
    /// `MPI_ANY_SOURCE`.
    Any,
    /// `MPI_PROC_NULL`.
    Null,
}

/// What a receive asks for.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// Communicator.
    pub comm: CommId,
    /// Accepted source.
    pub source: Source,
    /// Accepted tag; `None` is `MPI_ANY_TAG`.
    pub tag: Option<i32>,
    /// Room for this many bytes.
    pub capacity: u64,
    /// Types of the room, for matching.
    pub signature: Signature,
    /// Whether unpacking costs time.
    pub layout: Layout,
}

impl Outgoing {
    /// Whether it owns nothing (any more), so that it need not be dropped.
    #[inline]
    pub(crate) fn is_spent(&self) -> bool {
        matches!(self.payload, Payload::Small(..)) && self.signature.owns_nothing()
    }
}

impl Incoming {
    /// Whether it owns nothing (any more), so that it need not be dropped.
    #[inline]
    pub(crate) fn is_spent(&self) -> bool {
        self.signature.owns_nothing()
    }

    /// Moves all it owns out.
    pub(crate) fn taken(&mut self) -> Self {
        let Self { comm, source, tag, capacity, layout, .. } = *self;
        let signature = std::mem::replace(&mut self.signature, Signature::EMPTY);
        Self { comm, source, tag, capacity, signature, layout }
    }
}

/// One side of a partitioned communication (MPI section 4.2).
#[derive(Clone, Debug)]
pub struct Partitioned {
    /// Whether it sends.
    pub sends: bool,
    /// Communicator.
    pub comm: CommId,
    /// Rank of the other side; `None` is `MPI_PROC_NULL`.
    pub peer: Option<u32>,
    /// Tag, not negative.
    pub tag: i32,
    /// How many parts this side sees.
    pub partitions: u64,
    /// Bytes of one part.
    pub bytes: u64,
    /// Types of all parts together.
    pub signature: Signature,
    /// Whether taking a part out of its place costs time.
    pub layout: Layout,
}
