//! Completion: what a blocked rank waits for, and the wait and test families (MPI section 3.7).

use sim_core::{SimDuration, SimTime};

use super::{
    Event, MpiKernel, Sched,
    message::NONE,
    receive::{FREE, received_bytes},
    request::{Kind, Owner, Pattern, State},
};
use crate::{
    call::{BufferOwner, Completing, Completion, Payload, Reply, RequestId},
    error::{ErrorClass, MpiError},
    object::status::Status,
};

/// Why a rank does not run.
#[derive(Debug)]
pub(crate) enum Blocked {
    /// In a blocking send, receive or both: all of these but `NONE`.
    Call([u32; 2]),
    /// In a nonblocking send, until the network takes the message: then it gets its request.
    Posting(u32),
    /// In a wait over a list of its requests.
    Wait(Vec<RequestId>, Completing),
    /// In a blocking probe.
    Probe {
        /// What it accepts.
        pattern: Pattern,
        /// Whether it takes the message.
        take: bool,
    },
    /// In a collective.
    Collective(u32),
    /// Until this attached buffer is idle.
    Detach(BufferOwner),
    /// Until this thread of its rank has ended.
    Join(u32),
}

/// Failed polls in a row, with nothing under way in between, after which nothing will ever come.
const IDLE_POLLS_MAX: u64 = 500_000;

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

    /// A request is complete: whoever waits for it may go on.
    pub(crate) fn complete(&mut self, request: u32, s: &mut Sched) {
        self.requests[request].state = State::Complete;
        let rank = self.requests[request].rank;
        match self.requests[request].owner {
            Owner::Freed => self.end_freed(request),
            Owner::Collective(execution) => self.step_done(execution, request, s),
            Owner::Part(whole) => self.part_done(whole, s),
            Owner::Blocking | Owner::Program => {
                if self.has_threads() {
                    self.wake_thread(request, s);
                } else {
                    self.wake(rank, request, s);
                }
            }
        }
    }

    /// The thread that waits for a complete request may go on.
    #[inline]
    pub(crate) fn wake(&mut self, rank: u32, request: u32, s: &mut Sched) {
        if std::mem::take(&mut self.requests[request].awaited) {
            self.ranks[rank as usize].missing -= 1;
        }
        self.end_posting(rank, request, s.now(), s);
        self.try_wake(rank, s);
    }

    /// The rank waits until all of these have completed.
    pub(crate) fn block_on(&mut self, rank: u32, requests: [u32; 2], s: &mut Sched) {
        self.ranks[rank as usize].blocked = Some(Blocked::Call(requests));
        self.try_wake(rank, s);
    }

    /// The rank is inside a nonblocking send until the network takes the message.
    pub(crate) fn posting(&mut self, rank: u32, request: u32) {
        self.ranks[rank as usize].blocked = Some(Blocked::Posting(request));
    }

    /// The network has taken (or will take at `time`) a message whose nonblocking send waits.
    pub(crate) fn released_posting(&mut self, request: u32, time: SimTime, s: &mut Sched) {
        if self.has_threads() {
            self.end_threads_posting(request, time, s);
        } else {
            let rank = self.requests[request].rank;
            self.end_posting(rank, request, time, s);
        }
    }

    /// A rank that is inside a nonblocking send gets its request.
    #[inline]
    pub(crate) fn end_posting(&mut self, rank: u32, request: u32, time: SimTime, s: &mut Sched) {
        if matches!(self.ranks[rank as usize].blocked, Some(Blocked::Posting(r)) if r == request) {
            self.ranks[rank as usize].blocked = None;
            let id = self.request_id(request);
            self.answer(rank, time, FREE, Reply::Request(id), s);
        }
    }

    /// Lets a blocked rank go on if what it waits for is there.
    pub(crate) fn try_wake(&mut self, rank: u32, s: &mut Sched) {
        match self.ranks[rank as usize].blocked.take() {
            Some(Blocked::Call(requests)) => self.try_end_call(rank, requests, s),
            Some(Blocked::Wait(list, Completing::All)) if self.ranks[rank as usize].missing > 0 => {
                self.ranks[rank as usize].blocked = Some(Blocked::Wait(list, Completing::All));
            }
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
                    let taking = self.taking(bytes, incoming.layout, request.was_unexpected);
                    cost += self.settings.costs.receive + taking;
                }
                reply = Reply::Completed(Box::new(self.requests[index].completion()));
            }
            self.requests.free(index);
        }
        let now = s.now();
        self.answer(rank, now, cost, reply, s);
    }

    /// The slot of a request that has not been collected or freed.
    pub(crate) fn live(&self, id: RequestId) -> Option<u32> {
        let request = self.requests.get(id.index)?;
        (request.generation == id.generation).then_some(id.index)
    }

    /// Positions of the list's active requests, and of those that are complete.
    pub(crate) fn survey(&self, list: &[RequestId]) -> (usize, Vec<usize>) {
        let mut active = 0;
        let mut complete = Vec::new();
        for (position, id) in list.iter().enumerate() {
            let Some(index) = self.live(*id) else { continue };
            match self.requests[index].state {
                State::Inactive => {}
                State::Active => active += 1,
                State::Complete => {
                    active += 1;
                    complete.push(position);
                }
            }
        }
        (active, complete)
    }

    pub(crate) fn wait(&mut self, rank: u32, list: Vec<RequestId>, how: Completing, s: &mut Sched) {
        if self.has_threads() && self.awaited_twice(rank, &list, s) {
            return;
        }
        if self.try_end_wait(rank, &list, how, true, s) {
            return;
        }
        // Counted once, so that a completion among thousands costs no walk over the list.
        let mut missing = 0;
        for id in &list {
            let Some(index) = self.live(*id) else { continue };
            let request = &mut self.requests[index];
            if request.state == State::Active && !request.awaited {
                request.awaited = true;
                missing += 1;
            }
        }
        let state = &mut self.ranks[rank as usize];
        state.missing = missing;
        state.blocked = Some(Blocked::Wait(list, how));
    }

    /// The wait is over: what has not completed is awaited no more.
    fn forget(&mut self, rank: u32, list: &[RequestId]) {
        if std::mem::take(&mut self.ranks[rank as usize].missing) == 0 {
            return;
        }
        for id in list {
            if let Some(index) = self.live(*id) {
                self.requests[index].awaited = false;
            }
        }
    }

    fn try_end_wait(
        &mut self,
        rank: u32,
        list: &[RequestId],
        how: Completing,
        blocking: bool,
        s: &mut Sched,
    ) -> bool {
        let (active, complete) = self.survey(list);
        let now = s.now();
        if active == 0 {
            let empty = if how == Completing::All {
                Reply::Completions(Vec::new())
            } else {
                Reply::Undefined
            };
            self.answer(rank, now, FREE, empty, s);
            return true;
        }
        let enough = match how {
            Completing::All => complete.len() == active,
            // What completes later is a legal choice too.
            Completing::Any | Completing::Some if blocking && self.defers(rank) => {
                complete.len() == active
            }
            Completing::Any | Completing::Some => !complete.is_empty(),
        };
        if !enough {
            return false;
        }
        self.forget(rank, list);
        self.hand_over(rank, list, complete, how, s);
        true
    }

    /// Whether free choices of the rank wait until all is at rest. Several threads of one rank
    /// take theirs at once: only the one whose call is in progress is in sight.
    pub(crate) fn defers(&self, rank: u32) -> bool {
        self.chooser.defers() && self.ranks[rank as usize].threads.is_none()
    }

    /// A wait for any or some that was deferred takes what is complete.
    pub(crate) fn end_wait_with_choice(&mut self, rank: u32, s: &mut Sched) {
        let waiting = self.ranks[rank as usize].blocked.take();
        if let Some(Blocked::Wait(list, how)) = waiting {
            let (_, complete) = self.survey(&list);
            self.forget(rank, &list);
            self.hand_over(rank, &list, complete, how, s);
        }
    }

    /// Which complete requests a call gives: a wait for any one of them; one for some, where orders
    /// are explored, any single one or all.
    fn chosen(&mut self, rank: u32, complete: Vec<usize>, how: Completing) -> Vec<usize> {
        let count = complete.len();
        let alternatives = match how {
            Completing::Any => count,
            Completing::Some if count > 1 && self.defers(rank) => count + 1,
            Completing::Some | Completing::All => return complete,
        };
        let by = self.ranks[rank as usize].chooses(rank);
        let taken = self.chooser.choose(alternatives, by);
        complete.get(taken).map_or_else(|| complete.clone(), |position| vec![*position])
    }

    fn hand_over(
        &mut self,
        rank: u32,
        list: &[RequestId],
        complete: Vec<usize>,
        how: Completing,
        s: &mut Sched,
    ) {
        let complete = self.chosen(rank, complete, how);
        let mut cost = SimDuration::ZERO;
        let mut completions = Vec::with_capacity(complete.len());
        for position in complete {
            // A list may name a request twice, which is gone the second time.
            let Some(index) = self.live(list[position]) else { continue };
            let (price, completion) = self.collect(index);
            cost += price;
            completions.push((position, completion));
        }
        let now = s.now();
        self.answer(rank, now, cost, Reply::Completions(completions), s);
    }

    /// What it costs the rank to take the result of a complete request.
    fn price(&self, index: u32) -> SimDuration {
        let request = &self.requests[index];
        let costs = &self.settings.costs;
        match &request.kind {
            Kind::Send(_) => costs.wait_send,
            Kind::Receive(_) if request.payload.is_none() => FREE,
            Kind::Receive(incoming) => {
                let bytes = received_bytes(request);
                costs.wait_receive + self.taking(bytes, incoming.layout, request.was_unexpected)
            }
            Kind::Partitioned { .. } => costs.wait_send,
            Kind::Collective(_) | Kind::Generalized | Kind::Flush => FREE,
        }
    }

    /// Takes the result out of a complete request; a persistent one becomes inactive.
    fn collect(&mut self, index: u32) -> (SimDuration, Completion) {
        let price = self.price(index);
        let request = &mut self.requests[index];
        let completion = request.completion();
        if request.persistent {
            request.state = State::Inactive;
            request.status = Status::empty();
            request.was_unexpected = false;
        } else {
            let rank = self.requests.remove(index).rank;
            self.ranks[rank as usize].open_requests -= 1;
        }
        (price, completion)
    }

    pub(crate) fn test(&mut self, rank: u32, list: &[RequestId], how: Completing, s: &mut Sched) {
        if self.has_threads() && self.awaited_twice(rank, list, s) {
            return;
        }
        if self.refuses_test(list) || !self.try_end_wait(rank, list, how, false, s) {
            self.failed_poll(rank, s);
        }
    }

    /// A test or probe found nothing: simulated time advances all the same.
    pub(crate) fn failed_poll(&mut self, rank: u32, s: &mut Sched) {
        // Whoever computes, and whatever travels, may still bring what is polled for.
        let at_rest = s.pending() == self.polling;
        self.idle_polls = if at_rest { self.idle_polls + 1 } else { 0 };
        self.ranks[rank as usize].polling = true;
        self.polling += 1;
        let round = 4 * self.ranks.len() as u64 + 64;
        if at_rest && self.idle_polls.is_multiple_of(round) && self.resolve_wildcard(s) {
            self.idle_polls = 0;
        }
        self.ranks[rank as usize].rest.polls += 1;
        if self.idle_polls > IDLE_POLLS_MAX + round {
            self.report_livelock(s);
            return;
        }
        let cost = self.settings.costs.poll.max(SimDuration::from_ps(1));
        let now = s.now();
        self.answer(rank, now, cost, Reply::NotYet, s);
    }

    /// A thread may compute in small steps until another has done something: wildcards that wait
    /// for everything to come to rest must not wait for that.
    pub(crate) fn idle_computing(&mut self, rank: u32, s: &mut Sched) {
        self.idle_polls += 1;
        self.ranks[rank as usize].polling = true;
        self.polling += 1;
        let round = 4 * self.ranks.len() as u64 + 64;
        if self.idle_polls.is_multiple_of(round) {
            self.resolve_wildcard(s);
        }
    }

    pub(crate) fn start(
        &mut self,
        rank: u32,
        list: Vec<(RequestId, Option<Payload>)>,
        s: &mut Sched,
    ) {
        for (id, payload) in list {
            let Some(index) = self.live(id) else { continue };
            if self.requests[index].state != State::Inactive || !self.requests[index].persistent {
                self.report_misuse(rank, index, "started while it is active", s);
                return;
            }
            let state = &self.ranks[rank as usize];
            self.requests[index].call = state.call;
            self.requests[index].site = state.site;
            match &self.requests[index].kind {
                Kind::Send(_) => {
                    if !self.start_persistent_send(rank, index, payload, s) {
                        return;
                    }
                }
                Kind::Collective(_) => self.start_persistent_collective(rank, index, payload, s),
                Kind::Partitioned { .. } => self.start_partitioned(rank, index, s),
                Kind::Receive(_) | Kind::Generalized | Kind::Flush => {
                    self.charge(rank, self.settings.costs.start);
                    self.activate_receive(index, s);
                }
            }
        }
        let at = self.ranks[rank as usize].busy_until;
        s.reply(self.ranks[rank as usize].process, at, Reply::Done);
    }

    /// `MPI_Request_get_status`: like a test, but the request stays.
    pub(crate) fn get_status(&mut self, rank: u32, id: RequestId, s: &mut Sched) {
        if self.refuses_test(&[id]) {
            self.failed_poll(rank, s);
            return;
        }
        let found = self.live(id).map(|index| &self.requests[index]);
        match found.map(|r| (r.state, r.status.clone())) {
            Some((State::Active, _)) => self.failed_poll(rank, s),
            Some((State::Complete, status)) => self.answer_status(rank, status, s),
            Some((State::Inactive, _)) | None => self.answer_status(rank, Status::empty(), s),
        }
    }

    /// As `get_status`, and hands over the data: the program may use them from now on, though the
    /// request stays.
    pub(crate) fn get_status_and_data(&mut self, rank: u32, id: RequestId, s: &mut Sched) {
        let complete = self.live(id).filter(|index| self.requests[*index].state == State::Complete);
        let Some(index) = complete else {
            self.get_status(rank, id, s);
            return;
        };
        if self.refuses_test(&[id]) {
            self.failed_poll(rank, s);
            return;
        }
        let received = matches!(self.requests[index].kind, Kind::Receive(_));
        let price = if received { self.price(index) } else { FREE };
        let request = &mut self.requests[index];
        let status = request.status.clone();
        let payload = request.payload.take();
        let completion = Completion { payload, ..Completion::of(status) };
        let now = s.now();
        self.answer(rank, now, price, Reply::Completed(Box::new(completion)), s);
    }

    /// `MPI_Grequest_start`.
    pub(crate) fn start_generalized(&mut self, rank: u32, s: &mut Sched) {
        let request = self.new_request(rank, Owner::Program, Kind::Generalized);
        let id = self.request_id(request);
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Request(id), s);
    }

    /// `MPI_Grequest_complete`.
    pub(crate) fn complete_generalized(&mut self, rank: u32, id: RequestId, s: &mut Sched) {
        if let Some(index) = self.live(id) {
            self.complete(index, s);
        }
        self.done(rank, s);
    }

    /// A request that was freed is complete; what it received is kept until it is asked for.
    fn end_freed(&mut self, index: u32) {
        let id = self.request_id(index);
        self.forget_partitioned(index);
        let request = self.requests.remove(index);
        if let (Kind::Receive(_), Some(payload)) = (&request.kind, request.payload) {
            self.ranks[request.rank as usize].rest.late.push((id, payload));
        }
    }

    /// What freed receives have brought since this was last asked.
    pub(crate) fn take_late(&mut self, rank: u32, s: &mut Sched) {
        let late = std::mem::take(&mut self.ranks[rank as usize].rest.late);
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Late(late), s);
    }

    pub(crate) fn free_request(&mut self, rank: u32, id: RequestId, s: &mut Sched) {
        if let Some(index) = self.live(id) {
            self.ranks[rank as usize].open_requests -= 1;
            let made = &self.requests[index];
            if made.state != State::Inactive {
                self.ranks[rank as usize].rest.freed.push((id, made.call, made.site));
                self.freed_active = true;
            }
            match self.requests[index].state {
                State::Active => {
                    self.requests[index].owner = Owner::Freed;
                    self.requests[index].persistent = false;
                }
                State::Complete => self.end_freed(index),
                State::Inactive => {
                    self.forget_partitioned(index);
                    self.requests.free(index);
                }
            }
        } else {
            let error = MpiError::new(ErrorClass::Request, "the request is null");
            self.raise(rank, crate::call::CommId::WORLD, error, s);
            return;
        }
        let cost = self.settings.costs.request_free;
        let now = s.now();
        self.answer(rank, now, cost, Reply::Done, s);
    }
}
