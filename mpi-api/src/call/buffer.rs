//! Attached buffers of buffered-mode sends (MPI section 3.6).

use super::CommId;

/// The buffered sends that use an attached buffer (MPI section 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferOwner {
    /// All sends of the process for which no other buffer is attached.
    Process,
    /// Sends on one communicator.
    Comm(CommId),
    /// Sends on communicators of one session that have no buffer themselves.
    Session(u32),
}

/// A buffer to be attached.
#[derive(Clone, Copy, Debug)]
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
        let overhead = crate::kernel::buffer::BSEND_OVERHEAD;
        Self { owner: BufferOwner::Process, bytes, overhead }
    }
}
