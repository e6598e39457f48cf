//! [`Buffers`]: the attached buffers of a rank.

use crate::call::{BufferOwner, CommId, Site};
use crate::kernel::transport::buffer::Attached;

/// The attached buffers of one rank.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    pub(super) list: Vec<Attached>,
    /// Communicators that belong to a session, each with its session.
    pub(super) sessions: Vec<(CommId, u32)>,
    /// Places of calls already warned about: their messages fit only without the whole overhead.
    pub(super) warned: Vec<Site>,
    /// Requests that complete when a buffer has transmitted everything up to a message.
    pub(super) flushes: Vec<Flush>,
}

#[derive(Debug)]
pub(super) struct Flush {
    pub(super) owner: BufferOwner,
    pub(super) last: u64,
    pub(super) request: u32,
}

impl Buffers {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Attached> {
        self.list.iter()
    }

    pub(super) fn get(&self, owner: BufferOwner) -> Option<&Attached> {
        self.list.iter().find(|attached| attached.buffer.owner == owner)
    }

    /// Returns the buffer for a message: that of its communicator, else that of its session, else
    /// that of the process.
    pub(super) fn for_message(&mut self, comm: CommId) -> Option<&mut Attached> {
        let session = self.sessions.iter().find(|(known, _)| *known == comm);
        let session = session.map(|(_, session)| BufferOwner::Session(*session));
        let owners = [Some(BufferOwner::Comm(comm)), session, Some(BufferOwner::Process)];
        let owner = owners.into_iter().flatten().find(|owner| self.get(*owner).is_some())?;
        self.list.iter_mut().find(|attached| attached.buffer.owner == owner)
    }
}
