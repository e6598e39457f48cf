//! Completion of requests, which unblocks the ranks that wait for them (MPI section 3.7).

use sim_core::{SimDuration, SimTime};

use crate::call::{Reply, RequestId};
use crate::kernel::request::completion::Blocked;
use crate::kernel::{
    Event, MpiKernel, Sched,
    request::table::{Kind, Owner, Request, State},
    transport::message::NONE,
    transport::receive::{FREE, received_bytes},
};

impl MpiKernel {
    /// Completes a request at `time`, now or later.
    pub(crate) fn complete_at(&mut self, request: u32, time: SimTime, s: &mut Sched) {
        if time <= s.now() {
            self.complete(request, s);
        } else {
            s.schedule(time, Event::Complete(request));
            self.released_posting(request, time, s);
        }
    }

    /// Completes a request now: its waiting thread or collective may continue.
    pub(crate) fn complete(&mut self, request: u32, s: &mut Sched) {
        let completed = &mut self.requests[request];
        completed.state = State::Complete;
        let rank = completed.rank;
        match completed.owner {
            Owner::Freed => self.end_freed(request),
            Owner::Collective(execution) => self.step_done(execution, request, s),
            Owner::Part(whole) => self.part_done(whole, s),
            Owner::Blocking | Owner::Program => {
                if self.has_threads() {
                    self.wake_thread(request, s);
                } else {
                    self.resume_polls(rank, s);
                    self.wake(rank, request, s);
                }
            }
        }
    }

    /// Lets the thread that waits for a complete request continue.
    #[inline]
    pub(crate) fn wake(&mut self, rank: u32, request: u32, s: &mut Sched) {
        let state = &mut self.ranks[rank as usize];
        if std::mem::take(&mut self.requests[request].awaited) {
            state.missing -= 1;
        }
        if !state.may_wake() {
            return;
        }
        self.end_posting(rank, request, s.now(), s);
        self.try_wake(rank, s);
    }

    /// Blocks the rank until all of these requests are complete.
    pub(crate) fn block_on(&mut self, rank: u32, requests: [u32; 2], s: &mut Sched) {
        self.ranks[rank as usize].blocked = Some(Blocked::Call(requests));
        self.try_wake(rank, s);
    }

    /// Blocks the rank in a nonblocking send until the network takes the message.
    pub(crate) fn posting(&mut self, rank: u32, request: u32) {
        self.ranks[rank as usize].blocked = Some(Blocked::Posting(request));
    }

    /// Records that the network takes the message of a nonblocking send at `time`, now or later.
    pub(crate) fn released_posting(&mut self, request: u32, time: SimTime, s: &mut Sched) {
        if self.has_threads() {
            self.end_threads_posting(request, time, s);
        } else {
            let rank = self.requests[request].rank;
            self.end_posting(rank, request, time, s);
        }
    }

    /// Makes a rank's nonblocking send return its request at `time`.
    #[inline]
    pub(crate) fn end_posting(&mut self, rank: u32, request: u32, time: SimTime, s: &mut Sched) {
        if matches!(self.ranks[rank as usize].blocked, Some(Blocked::Posting(r)) if r == request) {
            self.ranks[rank as usize].blocked = None;
            let id = self.request_id(request);
            self.answer(rank, time, FREE, Reply::Request(id), s);
        }
    }

    /// Lets a blocked rank continue if its condition holds.
    pub(crate) fn try_wake(&mut self, rank: u32, s: &mut Sched) {
        let state = &mut self.ranks[rank as usize];
        if !state.may_wake() || !matches!(state.blocked, Some(Blocked::Wait(..) | Blocked::Call(_)))
        {
            return;
        }
        match state.blocked.take() {
            Some(Blocked::Call(requests)) => self.try_end_call(rank, requests, s),
            Some(Blocked::Wait(list, how)) => {
                if !self.try_end_wait(rank, &list, how, true, s) {
                    self.ranks[rank as usize].blocked = Some(Blocked::Wait(list, how));
                }
            }
            other => self.ranks[rank as usize].blocked = other,
        }
    }

    fn try_end_call(&mut self, rank: u32, requests: [u32; 2], s: &mut Sched) {
        let pending = |r: &u32| *r != NONE && self.requests[*r].state != State::Complete;
        if requests.iter().any(pending) {
            self.ranks[rank as usize].blocked = Some(Blocked::Call(requests));
            return;
        }
        let mut cost = SimDuration::ZERO;
        let mut reply = Reply::Done;
        for index in requests.into_iter().filter(|index| *index != NONE) {
            let request = &self.requests[index];
            if let Kind::Receive(incoming) = &request.kind {
                if request.payload.is_some() {
                    let bytes = received_bytes(request);
                    let taking = self.taking(bytes, incoming.layout, request.copies);
                    cost += self.settings.costs.receive + taking;
                }
                reply = Reply::Completed(Box::new(self.requests[index].completion()));
            } else if let Kind::File = request.kind {
                self.note_file_wait(rank, s.now());
                reply = Reply::Completed(Box::new(self.requests[index].completion()));
            }
            self.requests.free(index);
        }
        let now = s.now();
        self.answer(rank, now, cost, reply, s);
    }

    /// Returns a request that has not been collected or freed.
    #[inline(always)]
    pub(crate) fn live_request(&self, id: RequestId) -> Option<&Request> {
        self.requests.get(id.index).filter(|request| request.generation == id.generation)
    }

    /// Like [`Self::live_request`], to be changed.
    #[inline(always)]
    pub(crate) fn live_request_mut(&mut self, id: RequestId) -> Option<&mut Request> {
        self.requests.get_mut(id.index).filter(|request| request.generation == id.generation)
    }

    /// Returns the slot of a request that has not been collected or freed.
    pub(crate) fn live(&self, id: RequestId) -> Option<u32> {
        self.live_request(id).map(|_| id.index)
    }
}
