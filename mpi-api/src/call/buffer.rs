//! Attached buffers of buffered-mode sends (MPI section 3.6).

use serde::{Deserialize, Serialize};

use super::CommId;

/// Space that a buffered message takes beside its data, in bytes (`MPI_BSEND_OVERHEAD` of the Rust
/// API).
pub const BSEND_OVERHEAD: u64 = 32;

/// A call about the buffers of buffered-mode sends.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum BufferCall {
    /// `MPI_Buffer_attach`, `MPI_Comm_attach_buffer` and `MPI_Session_attach_buffer`.
    Attach(Buffer),
    /// The matching detach functions; replies `Detached`.
    Detach(BufferOwner),
    /// `MPI_Buffer_iflush` and its communicator and session variants; replies `Request`, which
    /// completes when all messages that are in the buffer now have been transmitted.
    StartFlush(BufferOwner),
    /// Associates a communicator with a session: its buffered sends use the buffer of the session
    /// if there is one.
    JoinSession(CommId, u32),
}

/// The buffered sends that use an attached buffer (MPI section 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BufferOwner {
    /// All sends of the process for which no other buffer is attached.
    Process,
    /// Sends on one communicator.
    Comm(CommId),
    /// Sends on communicators of one session that have no buffer themselves.
    Session(u32),
}

/// A buffer to be attached.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Buffer {
    /// The sends whose messages are stored in the buffer.
    pub owner: BufferOwner,
    /// Size of the buffer, bytes.
    pub bytes: u64,
    /// Bytes that a message takes in addition to its data (`MPI_BSEND_OVERHEAD`).
    pub overhead: u64,
}

impl Buffer {
    /// Creates the buffer of the whole process (`MPI_Buffer_attach`).
    pub fn of_process(bytes: u64) -> Self {
        Self { owner: BufferOwner::Process, bytes, overhead: BSEND_OVERHEAD }
    }
}
