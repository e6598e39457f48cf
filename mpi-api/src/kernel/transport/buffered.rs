//! Buffered mode: choosing the attached buffer of a message, and waiting until a buffer is empty
//! (MPI section 3.6).

use crate::kernel::transport::attached::Buffers;
use crate::kernel::transport::attached::Flush;
use crate::kernel::{
    MpiKernel, Sched,
    request::completion::Blocked,
    request::table::{Kind, Owner},
    transport::buffer::{Attached, Placed},
    transport::message::Message,
    transport::receive::FREE,
};
use crate::{
    call::{Buffer, BufferCall, BufferOwner, CommId, Reply},
    check,
    error::{ErrorClass, MpiError},
    policy::Policy,
};

impl MpiKernel {
    /// Executes a call about attached buffers.
    pub(in crate::kernel) fn buffer_call(&mut self, rank: u32, call: BufferCall, s: &mut Sched) {
        match call {
            BufferCall::Attach(buffer) => self.attach(rank, buffer, s),
            BufferCall::Detach(owner) => self.detach(rank, owner, s),
            BufferCall::StartFlush(owner) => self.start_flush(rank, owner, s),
            BufferCall::JoinSession(comm, session) => self.join_session(rank, comm, session, s),
        }
    }

    /// Raises an error of a buffer. Errors of a buffer that belongs to no communicator go to the
    /// error handler of the world.
    fn raise_for(&mut self, rank: u32, owner: BufferOwner, text: &str, s: &mut Sched) {
        let comm = match owner {
            BufferOwner::Comm(comm) => comm,
            BufferOwner::Process | BufferOwner::Session(_) => CommId::WORLD,
        };
        self.raise(rank, comm, MpiError::new(ErrorClass::Buffer, text), s);
    }

    pub(crate) fn attach(&mut self, rank: u32, buffer: Buffer, s: &mut Sched) {
        if self.settings.environment.policies.differs(Policy::BufferedMode) {
            let text = "the policy has no buffered mode";
            self.raise(rank, CommId::WORLD, MpiError::new(ErrorClass::Other, text), s);
            return;
        }
        let state = &mut self.ranks[rank as usize];
        if state.rest.buffers.get(buffer.owner).is_some() {
            self.raise_for(rank, buffer.owner, "a buffer is attached already", s);
            return;
        }
        let attached = Attached::new(buffer, state.site);
        state.rest.buffers.list.push(attached);
        self.done(rank, s);
    }

    pub(crate) fn detach(&mut self, rank: u32, owner: BufferOwner, s: &mut Sched) {
        if self.settings.environment.policies.differs(Policy::BufferReleaseName) {
            self.ranks[rank as usize].call = "free_buffer";
        }
        if self.ranks[rank as usize].rest.buffers.get(owner).is_none() {
            // As if a buffer of no bytes were attached (MPI 3.6).
            return self.answer(rank, s.now(), FREE, Reply::Detached(0), s);
        }
        self.ranks[rank as usize].blocked = Some(Blocked::Detach(owner));
        self.try_detach(rank, s);
    }

    fn try_detach(&mut self, rank: u32, s: &mut Sched) {
        let before = self.wake_whom(rank, |blocked| matches!(blocked, Blocked::Detach(_)));
        self.try_end_detach(rank, s);
        self.switch_back(rank, before);
    }

    fn try_end_detach(&mut self, rank: u32, s: &mut Sched) {
        let state = &mut self.ranks[rank as usize];
        let Some(Blocked::Detach(owner)) = state.blocked else { return };
        let list = &mut state.rest.buffers.list;
        let idle = |attached: &Attached| attached.buffer.owner == owner && attached.is_idle();
        if let Some(at) = list.iter().position(idle) {
            let attached = list.remove(at);
            state.blocked = None;
            let now = s.now();
            self.answer(rank, now, FREE, Reply::Detached(attached.buffer.bytes), s);
        }
    }

    /// Executes `MPI_Buffer_iflush` and the like: the request completes when everything that is in
    /// the buffer now has been transmitted, or at once if there is no buffer.
    pub(crate) fn start_flush(&mut self, rank: u32, owner: BufferOwner, s: &mut Sched) {
        let request = self.new_request(rank, Owner::Program, Kind::Flush);
        let buffers = &mut self.ranks[rank as usize].rest.buffers;
        match buffers.get(owner).and_then(Attached::last_pending) {
            Some(last) => buffers.flushes.push(Flush { owner, last, request }),
            None => self.complete(request, s),
        }
        let id = self.request_id(request);
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Request(id), s);
    }

    /// Lets buffered sends on the communicator use the buffer of a session.
    pub(crate) fn join_session(&mut self, rank: u32, comm: CommId, session: u32, s: &mut Sched) {
        self.ranks[rank as usize].rest.buffers.sessions.push((comm, session));
        self.done(rank, s);
    }

    /// Puts a buffered send into the attached buffer. False when the run has ended instead.
    pub(crate) fn place_attached(
        &mut self,
        rank: u32,
        message: u64,
        bytes: u64,
        comm: CommId,
        s: &mut Sched,
    ) -> bool {
        let attached = self.ranks[rank as usize].rest.buffers.for_message(comm);
        let text = match attached.map(|attached| (attached.place(message, bytes), attached)) {
            Some((Placed::Fits, _)) => return true,
            Some((Placed::Barely, attached)) => {
                let buffer = attached.buffer;
                self.warn_of_overhead(rank, bytes, buffer);
                return true;
            }
            Some((Placed::Not, attached)) => format!(
                "{bytes} bytes do not fit into what is left of {} bytes",
                attached.buffer.bytes
            ),
            None => "no buffer is attached".into(),
        };
        self.raise(rank, comm, MpiError::new(ErrorClass::Buffer, text), s);
        false
    }

    /// Warns that a message fits into a buffer that is too small by the standard's rule, once for
    /// each source line.
    fn warn_of_overhead(&mut self, rank: u32, bytes: u64, buffer: Buffer) {
        let state = &mut self.ranks[rank as usize];
        let ignored = self.settings.environment.policies.differs(Policy::BufferedOverhead);
        if ignored || state.rest.buffers.warned.contains(&state.site) {
            return;
        }
        state.rest.buffers.warned.push(state.site);
        let label = check::buffer_overflow::label(bytes, buffer.bytes);
        let place = self.present_site(rank, label);
        self.journal.findings.add(check::buffer_overflow::overhead(place, buffer.overhead));
    }

    /// Records that a message has left the attached buffer.
    #[inline]
    pub(crate) fn release_attached(&mut self, message: u32, s: &mut Sched) {
        let Message { source, id, attached, .. } = self.messages[message];
        if attached {
            self.leave_attached(source, id, s);
        }
    }

    /// Records that the message of this number has left the attached buffer of its sender.
    #[cold]
    pub(in crate::kernel) fn leave_attached(&mut self, rank: u32, id: u64, s: &mut Sched) {
        self.ranks[rank as usize].rest.buffers.list.iter_mut().for_each(|buffer| buffer.done(id));
        self.end_flushes(rank, s);
        self.try_detach(rank, s);
    }

    fn end_flushes(&mut self, rank: u32, s: &mut Sched) {
        loop {
            let Buffers { list, flushes, .. } = &mut self.ranks[rank as usize].rest.buffers;
            let over = |flush: &Flush| {
                let mine = list.iter().find(|attached| attached.buffer.owner == flush.owner);
                mine.is_none_or(|attached| attached.is_idle_up_to(flush.last))
            };
            let Some(at) = flushes.iter().position(over) else { return };
            let request = flushes.remove(at).request;
            self.complete(request, s);
        }
    }
}
