//! The calls on requests except waits and tests: starting them, reading their state and freeing
//! them (MPI sections 3.7 and 3.9); generalized requests (section 13.2).

use crate::kernel::{
    MpiKernel, Sched,
    request::polling::Sought,
    request::{
        books::{Idle, Unstarted},
        table::{Kind, Owner, Pattern, Request, State},
    },
    transport::receive::FREE,
};
use crate::{
    call::{CommId, Completion, Outgoing, Payload, Reply, RequestId, Source},
    error::{ErrorClass, MpiError},
    finding::CallSite,
    object::status::Status,
};

/// Most requests that are kept because they were never started.
const UNSTARTED_MAX: usize = 1024;

impl MpiKernel {
    /// Creates a persistent request, which is inactive at first.
    pub(in crate::kernel) fn init_persistent(&mut self, rank: u32, kind: Kind, s: &mut Sched) {
        let request = self.new_request(rank, Owner::Program, kind);
        self.requests[request].state = State::Inactive;
        self.requests[request].persistent = true;
        let id = self.request_id(request);
        let cost = self.settings.costs.init;
        let now = s.now();
        self.answer(rank, now, cost, Reply::Request(id), s);
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
            self.requests[index].started = true;
            match &self.requests[index].kind {
                Kind::Send(_) => {
                    if !self.start_persistent_send(rank, index, payload, s) {
                        return;
                    }
                }
                Kind::Collective(_) => self.start_persistent_collective(rank, index, payload, s),
                Kind::Partitioned { .. } => self.start_partitioned(rank, index, s),
                Kind::Receive(_)
                | Kind::Generalized
                | Kind::Flush
                | Kind::OneSided { .. }
                | Kind::File => {
                    self.charge(rank, self.settings.costs.start);
                    self.activate_receive(index, s);
                }
            }
        }
        let at = self.ranks[rank as usize].busy_until;
        s.reply(self.ranks[rank as usize].process, at, Reply::Done);
    }

    /// Answers whether a start has made the request active.
    pub(crate) fn tell_active(&mut self, rank: u32, id: RequestId, s: &mut Sched) {
        let active =
            self.live(id).is_some_and(|index| self.requests[index].state != State::Inactive);
        let reply = if active { Reply::Done } else { Reply::NotYet };
        self.answer(rank, s.now(), FREE, reply, s);
    }

    /// Executes `MPI_Request_get_status`: like a test, but the request stays.
    pub(crate) fn get_status(&mut self, rank: u32, id: RequestId, s: &mut Sched) {
        if self.refuses_test(&[id]) {
            self.failed_poll(rank, Sought::Requests(&[id]), s);
            return;
        }
        let found = self.live(id).map(|index| &self.requests[index]);
        match found.map(|r| (r.state, r.status.clone())) {
            Some((State::Active, _)) => self.failed_poll(rank, Sought::Requests(&[id]), s),
            Some((State::Complete, status)) => {
                if let Some(Kind::File) = self.live(id).map(|index| &self.requests[index].kind) {
                    self.files.told_complete(rank, id);
                }
                self.answer_status(rank, status, s);
            }
            Some((State::Inactive, _)) | None => self.answer_status(rank, Status::empty(), s),
        }
    }

    /// Like `get_status`, and hands over the data: the program may use them from now on, though the
    /// request stays.
    pub(crate) fn get_status_and_data(&mut self, rank: u32, id: RequestId, s: &mut Sched) {
        let complete = self.live(id).filter(|index| self.requests[*index].state == State::Complete);
        let Some(index) = complete else {
            self.get_status(rank, id, s);
            return;
        };
        if self.refuses_test(&[id]) {
            self.failed_poll(rank, Sought::Requests(&[id]), s);
            return;
        }
        let received = matches!(self.requests[index].kind, Kind::Receive(_));
        let price = if received { self.price(index) } else { FREE };
        if let Kind::File = self.requests[index].kind {
            self.files.told_complete(rank, id);
        }
        let request = &mut self.requests[index];
        let status = request.status.clone();
        let payload = request.payload.take();
        let completion = Completion { payload, ..Completion::of(status) };
        let now = s.now();
        self.answer(rank, now, price, Reply::Completed(Box::new(completion)), s);
    }

    /// Executes `MPI_Grequest_start`.
    pub(crate) fn start_generalized(&mut self, rank: u32, s: &mut Sched) {
        let request = self.new_request(rank, Owner::Program, Kind::Generalized);
        let id = self.request_id(request);
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Request(id), s);
    }

    /// Executes `MPI_Grequest_complete`.
    pub(crate) fn complete_generalized(&mut self, rank: u32, id: RequestId, s: &mut Sched) {
        if let Some(index) = self.live(id) {
            self.complete(index, s);
        }
        self.done(rank, s);
    }

    /// Ends a freed request that is complete; received data are kept until the program asks for
    /// them.
    pub(in crate::kernel) fn end_freed(&mut self, index: u32) {
        let id = self.request_id(index);
        self.forget_partitioned(index);
        let request = &mut self.requests[index];
        if let (Kind::Receive(_) | Kind::File, Some(payload)) =
            (&request.kind, request.payload.take())
        {
            self.ranks[request.rank as usize].rest.late.push((id, payload));
        }
        self.requests.free(index);
    }

    /// Answers with the data of freed receives that have arrived since the last such call.
    pub(crate) fn take_late(&mut self, rank: u32, s: &mut Sched) {
        let late = std::mem::take(&mut self.ranks[rank as usize].rest.late);
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Late(late), s);
    }

    /// Keeps what a request would have done that is freed without ever having been started.
    fn keep_unstarted(&mut self, index: u32) {
        if self.books.unstarted.len() < UNSTARTED_MAX
            && let Some(unstarted) = self.unstarted_request(&self.requests[index])
        {
            self.books.unstarted.push(unstarted);
        }
    }

    /// Returns the persistent requests of sends and receives that were never started, those that were
    /// freed first.
    pub(in crate::kernel) fn unstarted_requests(&self) -> Vec<Unstarted> {
        let made = self.requests.iter();
        let made = made.filter_map(|(_, request)| self.unstarted_request(request));
        self.books.unstarted.iter().cloned().chain(made).collect()
    }

    fn unstarted_request(&self, request: &Request) -> Option<Unstarted> {
        if !request.persistent || request.started {
            return None;
        }
        let rank = request.rank;
        let operation = match &request.kind {
            Kind::Send(template) => {
                let Outgoing { comm, dest, tag, .. } = **template.as_ref()?;
                Idle::Send {
                    target: self.comms.world_rank(comm, dest?, rank),
                    context: comm.0 * 2,
                    source: self.comms.rank_in(comm, rank),
                    tag,
                }
            }
            Kind::Receive(incoming) if incoming.source != Source::Null => {
                Idle::Receive(Pattern::of(incoming.comm, incoming.source, incoming.tag))
            }
            Kind::Receive(_)
            | Kind::Collective(_)
            | Kind::Generalized
            | Kind::Flush
            | Kind::OneSided { .. }
            | Kind::File
            | Kind::Partitioned { .. } => return None,
        };
        let place = CallSite::new(rank, request.call, request.site.known(), String::new());
        Some(Unstarted { place, operation })
    }

    pub(crate) fn free_request(&mut self, rank: u32, id: RequestId, s: &mut Sched) {
        if let Some(index) = self.live(id) {
            self.ranks[rank as usize].open_requests -= 1;
            let made = &self.requests[index];
            if made.state != State::Inactive {
                self.ranks[rank as usize].rest.freed.push((id, made.call, made.site));
                self.books.freed_active = true;
            }
            match self.requests[index].state {
                State::Active => {
                    self.requests[index].owner = Owner::Freed;
                    self.requests[index].persistent = false;
                }
                State::Complete => self.end_freed(index),
                State::Inactive => {
                    self.keep_unstarted(index);
                    self.forget_partitioned(index);
                    self.requests.free(index);
                }
            }
        } else {
            let error = MpiError::new(ErrorClass::Request, "the request is null");
            self.raise(rank, CommId::WORLD, error, s);
            return;
        }
        let cost = self.settings.costs.request_free;
        let now = s.now();
        self.answer(rank, now, cost, Reply::Done, s);
    }
}
