//! Attached buffers.

use super::CommId;

/// Whose buffered sends go into an attached buffer (MPI section 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferOwner {
    /// All of the process that have no other.
    Process,
    /// Those on one communicator.
    Comm(CommId),
    /// Those on communicators of one session that have none of their own.
    Session(u32),
}

/// A buffer to attach.
#[derive(Clone, Copy, Debug)]
pub struct Buffer {
    /// Whose messages go there.
    pub owner: BufferOwner,
    /// Its size.
    pub bytes: u64,
    /// Bytes that a message takes beside its data.
    pub overhead: u64,
}

impl Buffer {
    /// The buffer of the process.
    pub fn of_process(bytes: u64) -> Self {
        let overhead = crate::kernel::buffer::BSEND_OVERHEAD;
        Self { owner: BufferOwner::Process, bytes, overhead }
    }
}
