//! Probes (MPI section 3.8), which report the message that a receive at this point would get,
//! without receiving it; and matched probes, which take the message so that no other receive can.

use crate::kernel::{
    MpiKernel, Sched,
    request::books::Taken,
    request::completion::{Blocked, ProbeKind},
    request::polling::Sought,
    request::table::{ANY_SOURCE, Kind, Owner, Pattern, State},
    transport::message::NONE,
    transport::protocol::receiver_copies,
    transport::receive::FREE,
};
use crate::{
    call::{CommId, Completion, Incoming, MatchedId, ProbeCall, Reply, Source},
    error::{ErrorClass, MpiError},
    object::status::Status,
};

impl MatchedId {
    /// The handle `MPI_MESSAGE_NO_PROC`.
    pub const NO_PROC: Self = Self(u64::MAX);
}

/// Most probes in a row that find the same message without time passing.
const FOUND_AGAIN_MAX: u32 = 16;

impl MpiKernel {
    /// Executes a probe or a receive of a matched message.
    pub(in crate::kernel) fn probe_call(&mut self, rank: u32, call: ProbeCall, s: &mut Sched) {
        match call {
            ProbeCall::Blocking(comm, source, tag) => {
                self.probe(rank, (comm, source, tag), ProbeKind::Plain, s);
            }
            ProbeCall::Immediate(comm, source, tag) => {
                self.immediate_probe(rank, (comm, source, tag), ProbeKind::Plain, s);
            }
            ProbeCall::Matched(comm, source, tag) => {
                self.probe(rank, (comm, source, tag), ProbeKind::Matched, s);
            }
            ProbeCall::ImmediateMatched(comm, source, tag) => {
                self.immediate_probe(rank, (comm, source, tag), ProbeKind::Matched, s);
            }
            ProbeCall::Receive(id, incoming) => {
                self.receive_matched(rank, id, incoming, Owner::Blocking, s);
            }
            ProbeCall::StartReceive(id, incoming) => {
                self.receive_matched(rank, id, incoming, Owner::Program, s);
            }
        }
    }

    pub(crate) fn probe(
        &mut self,
        rank: u32,
        (comm, source, tag): (CommId, Source, Option<i32>),
        kind: ProbeKind,
        s: &mut Sched,
    ) {
        if self.answer_null(rank, source, kind, s) || !self.has_source(rank, comm, source, s) {
            return;
        }
        let pattern = Pattern::of(comm, source, tag);
        self.ranks[rank as usize].blocked = Some(Blocked::Probe { pattern, kind });
        self.answer_probe(rank, s);
    }

    pub(crate) fn immediate_probe(
        &mut self,
        rank: u32,
        (comm, source, tag): (CommId, Source, Option<i32>),
        kind: ProbeKind,
        s: &mut Sched,
    ) {
        if self.answer_null(rank, source, kind, s) || !self.has_source(rank, comm, source, s) {
            return;
        }
        let pattern = Pattern::of(comm, source, tag);
        if self.refuses_probe(rank, pattern) {
            self.failed_poll(rank, Sought::Message(pattern), s);
            return;
        }
        let found = if self.exploration.chooser.defers() && pattern.source == ANY_SOURCE {
            self.chosen_for_poll(rank, pattern)
        } else {
            self.pick_unexpected(rank, pattern)
        };
        match found {
            Some(message) => self.found(rank, message, kind, s),
            None => self.failed_poll(rank, Sought::Message(pattern), s),
        }
    }

    /// Answers a probe of the null process, which succeeds at once; false for other sources.
    fn answer_null(&mut self, rank: u32, source: Source, kind: ProbeKind, s: &mut Sched) -> bool {
        if source != Source::Null {
            return false;
        }
        let status = Status::null_process();
        match kind {
            ProbeKind::Plain => self.answer_status(rank, status, s),
            ProbeKind::Matched => {
                self.answer_found(rank, Reply::Matched(MatchedId::NO_PROC, status), s);
            }
        }
        true
    }

    /// Lets the threads that are blocked in a probe continue if a message is there.
    pub(crate) fn answer_probe(&mut self, rank: u32, s: &mut Sched) {
        if self.has_threads() {
            self.each_thread(rank, |kernel| {
                kernel.answer_own_probe(rank, s);
                false
            });
        } else {
            self.answer_own_probe(rank, s);
        }
    }

    fn answer_own_probe(&mut self, rank: u32, s: &mut Sched) {
        let Some(Blocked::Probe { pattern, kind }) = self.ranks[rank as usize].blocked else {
            return;
        };
        if self.defers(rank) && pattern.source == ANY_SOURCE {
            return;
        }
        let Some(message) = self.pick_unexpected(rank, pattern) else { return };
        self.ranks[rank as usize].blocked = None;
        self.end_wait_of_probe(rank, message, kind, s);
    }

    /// Ends a deferred probe with this message.
    pub(crate) fn end_probe_with(&mut self, rank: u32, message: u32, s: &mut Sched) {
        if let Some(Blocked::Probe { kind, .. }) = self.ranks[rank as usize].blocked.take() {
            self.end_wait_of_probe(rank, message, kind, s);
        }
    }

    fn end_wait_of_probe(&mut self, rank: u32, message: u32, kind: ProbeKind, s: &mut Sched) {
        if self.journal.sink.is_some() {
            self.observe_probed(rank, message);
        }
        self.found(rank, message, kind, s);
    }

    pub(crate) fn found(&mut self, rank: u32, message: u32, kind: ProbeKind, s: &mut Sched) {
        if self.history.is_some() {
            self.follow_probe(rank, message);
        }
        let m = &self.messages[message];
        let found = m.signature.uniform();
        let status = Status { found, ..Status::message(m.source_rank, m.tag, m.bytes()) };
        let id = MatchedId(m.id);
        if kind == ProbeKind::Matched {
            self.ranks[rank as usize].queues.take(message, &mut self.messages);
            let by = self.ranks[rank as usize].call_place();
            self.books.taken.insert(id, Taken { message, by });
            self.answer_found(rank, Reply::Matched(id, status), s);
            return;
        }
        if self.has_threads() {
            self.note_probed(rank, message);
        }
        let (last, times) = &mut self.ranks[rank as usize].rest.found;
        *times = if *last == id.0 { times.saturating_add(1) } else { 0 };
        *last = id.0;
        let reply = Reply::Completed(Box::new(Completion::of(status)));
        if self.finds_again(rank) {
            self.found_again(rank, reply, s);
        } else {
            self.answer_found(rank, reply, s);
        }
    }

    /// Reports whether the probes of a rank have found the same message many times in a row.
    pub(super) fn finds_again(&self, rank: u32) -> bool {
        self.ranks[rank as usize].rest.found.1 > FOUND_AGAIN_MAX
    }

    fn answer_found(&mut self, rank: u32, reply: Reply, s: &mut Sched) {
        let now = s.now();
        self.answer(rank, now, FREE, reply, s);
    }

    pub(crate) fn answer_status(&mut self, rank: u32, status: Status, s: &mut Sched) {
        self.answer_found(rank, Reply::Completed(Box::new(Completion::of(status))), s);
    }

    /// Executes `MPI_Mrecv` and `MPI_Imrecv`.
    pub(crate) fn receive_matched(
        &mut self,
        rank: u32,
        id: MatchedId,
        incoming: Incoming,
        owner: Owner,
        s: &mut Sched,
    ) {
        let message = self.books.taken.remove(&id).map(|taken| taken.message);
        if message.is_none() && id != MatchedId::NO_PROC {
            let error = MpiError::new(ErrorClass::Request, "the matched message was received");
            self.raise(rank, incoming.comm, error, s);
            return;
        }
        let request = self.new_request(rank, owner, Kind::Receive(incoming));
        let r = &mut self.requests[request];
        match message {
            Some(message) => {
                r.copies = receiver_copies(self.messages[message].protocol, true);
                self.match_pair(message, request, s);
            }
            None => {
                r.state = State::Complete;
                r.status = Status::null_process();
            }
        }
        if owner == Owner::Blocking {
            self.block_on(rank, [request, NONE], s);
        } else {
            let id = self.request_id(request);
            let cost = self.settings.costs.post_receive;
            let now = s.now();
            self.answer(rank, now, cost, Reply::Request(id), s);
        }
    }
}
