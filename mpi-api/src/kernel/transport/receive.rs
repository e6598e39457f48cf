//! Receives, and the matching of an envelope with a receive.

use sim_core::SimDuration;

use crate::kernel::{
    Event, MpiKernel, Sched,
    collective::key::Key,
    request::table::{ANY_SOURCE, Kind, Owner, Pattern, Request, State},
    transport::message::{Message, NONE, Phase, Sender},
    transport::protocol::receiver_copies,
};
use crate::{
    call::{CommId, EventKind, Incoming, Payload, Reply, Source},
    error::{ErrorClass, MpiError},
    object::{signature::Signature, status::Status},
    policy::Policy,
    trace::{Protocol, Record},
};

impl MpiKernel {
    #[inline(always)]
    pub(crate) fn blocking_receive(&mut self, rank: u32, incoming: &mut Incoming, s: &mut Sched) {
        if self.receive_directly(rank, incoming, s) {
            return;
        }
        if let Some(request) = self.post(rank, incoming, Owner::Blocking, s) {
            self.block_on(rank, [request, NONE], s);
        }
    }

    pub(crate) fn start_receive(&mut self, rank: u32, incoming: &mut Incoming, s: &mut Sched) {
        let cost = self.settings.costs.post_receive;
        if let Some(request) = self.post(rank, incoming, Owner::Program, s) {
            let id = self.request_id(request);
            let now = s.now();
            self.answer(rank, now, cost, Reply::Request(id), s);
        }
    }

    pub(crate) fn init_receive(&mut self, rank: u32, incoming: &mut Incoming, s: &mut Sched) {
        if self.has_source(rank, incoming.comm, incoming.source, s) {
            self.init_persistent(rank, Kind::Receive(incoming.taken()), s);
        }
    }

    /// Posts a receive. Returns `None` when its arguments were wrong and the call is answered.
    pub(crate) fn post(
        &mut self,
        rank: u32,
        incoming: &mut Incoming,
        owner: Owner,
        s: &mut Sched,
    ) -> Option<u32> {
        if !self.is_source(rank, incoming)
            && !self.has_source(rank, incoming.comm, incoming.source, s)
        {
            return None;
        }
        let request = self.new_request(rank, owner, Kind::Receive(incoming.taken()));
        self.activate_receive(request, s);
        Some(request)
    }

    /// Makes a receive active: matches a message that is there, or appends it to the posted queue.
    pub(crate) fn activate_receive(&mut self, request: u32, s: &mut Sched) {
        let r = &mut self.requests[request];
        let rank = r.rank;
        r.state = State::Active;
        let incoming = r.incoming().expect("a receive");
        if incoming.source == Source::Null {
            r.state = State::Complete;
            r.status = Status::null_process();
            return;
        }
        let pattern = Pattern::of(incoming.comm, incoming.source, incoming.tag);
        self.enqueue_receive(rank, request, pattern, s);
    }

    pub(crate) fn enqueue_receive(
        &mut self,
        rank: u32,
        request: u32,
        pattern: Pattern,
        s: &mut Sched,
    ) {
        if self.history.is_some() {
            self.follow_receive(rank, request);
        }
        if self.has_threads() {
            self.note_posted(rank, request, pattern);
        }
        let state = &mut self.ranks[rank as usize];
        self.requests[request].order = state.posted;
        state.posted += 1;
        if self.exploration.chooser.defers() {
            state.queues.post(pattern, request, &mut self.requests);
            self.rematch(rank, s);
            return;
        }
        // Most receives find no message at all.
        let found =
            if state.queues.has_unexpected() { self.pick_unexpected(rank, pattern) } else { None };
        match found {
            Some(message) => {
                self.ranks[rank as usize].queues.take(message, &mut self.messages);
                let protocol = self.messages[message].protocol;
                self.requests[request].copies = receiver_copies(protocol, true);
                self.match_pair(message, request, s);
            }
            None => {
                self.ranks[rank as usize].queues.post(pattern, request, &mut self.requests);
            }
        }
    }

    /// Returns the unexpected message that a receive takes: the earliest one, or, for any source,
    /// the first one of a chosen sender.
    pub(crate) fn pick_unexpected(&mut self, rank: u32, pattern: Pattern) -> Option<u32> {
        if self.exploration.chooser.defers() {
            return self.pick_unclaimed(rank, pattern);
        }
        let queues = &self.ranks[rank as usize].queues;
        let first = queues.first_unexpected(pattern, &self.messages)?;
        if pattern.source != ANY_SOURCE || self.exploration.chooser.takes_first() {
            return Some(first);
        }
        let heads = queues.heads(pattern, &self.messages, |_| true);
        let by = self.ranks[rank as usize].chooses(rank);
        Some(self.exploration.chooser.choose_message(&heads, &self.messages, by))
    }

    /// Handles an envelope at its receiver. Envelopes of one sender are admitted in the order sent.
    pub(crate) fn arrive(&mut self, message: u32, s: &mut Sched) {
        if let Some((source, target)) = self.admit_in_turn(message, s) {
            self.admit_early(source, target, s);
        }
    }

    /// Admits envelopes that arrived before their turn and are next now.
    #[cold]
    pub(in crate::kernel) fn admit_early(&mut self, source: u32, target: u32, s: &mut Sched) {
        while let Some(next) = self.next_early(source, target) {
            self.admit_in_turn(next, s);
        }
    }

    fn next_early(&mut self, source: u32, target: u32) -> Option<u32> {
        let state = &mut self.ranks[target as usize];
        let expected = state.expected.get(&source)?;
        let messages = &self.messages;
        let at = state
            .early
            .iter()
            .position(|i| messages[*i].source == source && messages[*i].sequence == *expected)?;
        Some(state.early.swap_remove(at))
    }

    /// Admits an envelope that no receive of a blocking call takes straight away.
    #[inline(never)]
    pub(super) fn admit(&mut self, message: u32, s: &mut Sched) {
        let m = &mut self.messages[message];
        let target = m.target;
        if m.context % 2 == 1 {
            self.admit_internal(message, s);
            return;
        }
        m.arrived = s.now();
        if m.cancelled {
            self.drop_message(message);
            return;
        }
        if self.ranks[target as usize].direct.awaits(&self.messages[message]) {
            // The message does not fit.
            self.post_as_request(target);
        }
        // Choices are deferred, and ranks listen, in attentive runs only.
        let deferred = self.attentive && self.is_deferred(message);
        let queues = &self.ranks[target as usize].queues;
        let found = queues.first_posted(&self.messages[message], &self.requests);
        match found {
            Some((request, pattern)) if !(deferred && pattern.source == ANY_SOURCE) => {
                let queues = &mut self.ranks[target as usize].queues;
                queues.unpost(pattern, request, &mut self.requests);
                if !self.fill_posted(message, request, s) {
                    self.match_pair(message, request, s);
                }
            }
            _ => {
                self.messages[message].phase = Phase::Unexpected;
                self.ranks[target as usize].queues.keep(message, &mut self.messages);
                if self.attentive {
                    self.hear(message, EventKind::Unexpected, s);
                }
                self.answer_probe(target, s);
            }
        }
    }

    /// Reports whether matches of messages wait until nothing else can happen; this message may have come too late
    /// for one.
    #[cold]
    fn is_deferred(&mut self, message: u32) -> bool {
        let deferred = self.exploration.chooser.defers();
        if deferred {
            self.notice_late(message);
        }
        deferred
    }

    /// Tells the sink of a traced run, and the receiver if it listens, that a message has found its receive.
    #[cold]
    fn tell_match(&mut self, message: u32, request: u32, s: &Sched) {
        if let Some(sink) = &mut self.journal.sink {
            let (m, r) = (&self.messages[message], &self.requests[request]);
            if m.context.is_multiple_of(2) {
                let (source, target, send, ordinal) = (m.source, m.target, m.site, m.ordinal);
                let (call, receive) = (r.call, r.site);
                sink.record(Record::Pair { source, target, ordinal, send, call, receive });
            }
        }
        if self.has_threads() {
            self.note_taken(message, request);
        }
        self.hear_match(message, s);
    }

    /// Matches a message with a receive.
    pub(crate) fn match_pair(&mut self, message: u32, request: u32, s: &mut Sched) {
        s.record(self.messages[message].id);
        if self.attentive {
            self.tell_match(message, request, s);
        }
        if self.check_match(message, request, s) {
            return;
        }
        if self.history.is_some() {
            self.follow_match(message, request);
        }
        self.release_pool(message, s);
        self.release_attached(message, s);
        let m = &mut self.messages[message];
        m.phase = Phase::Matched;
        m.receive_request = request;
        m.in_line = false;
        let (source, target) = (m.source, m.target);
        let protocol = m.protocol;
        self.requests[request].message = message;
        match protocol {
            Protocol::Eager => self.deliver(message, s),
            Protocol::Rendezvous => {
                if let Some(sink) = &mut self.journal.sink {
                    let (id, sent, arrived) = (m.id, m.injected, m.arrived);
                    sink.record(Record::Handshake { id, sent, arrived, ready: s.now() });
                    if s.now() > arrived {
                        self.observe_release(message, s.now());
                    }
                }
                self.transfer(target, source, 0, Event::Clear(message), s);
            }
        }
    }

    /// Handles the arrival of the data of a rendezvous at the receiver.
    pub(crate) fn data_arrived(&mut self, message: u32, s: &mut Sched) {
        let m = &mut self.messages[message];
        m.arrived = s.now();
        if let Sender::Request(request) = std::mem::replace(&mut m.sender, Sender::Gone) {
            self.complete(request, s);
        }
        self.deliver(message, s);
    }

    /// Gives the data to the receive: the receive completes and the message is removed.
    fn deliver(&mut self, message: u32, s: &mut Sched) {
        if let Some(sink) = &mut self.journal.sink {
            sink.record(delivered(&self.messages[message], s.now()));
            self.observe_received(message);
        }
        let m = &mut self.messages[message];
        let (request, bytes) = (m.receive_request, m.bytes());
        let payload = std::mem::replace(&mut m.payload, Payload::EMPTY);
        let status = Status::message(m.source_rank, m.tag, bytes);
        if self.settings.environment.representations.is_some() {
            self.deliver_converted(message, payload, status, s);
            return;
        }
        self.messages.free(message);
        let r = &mut self.requests[request];
        r.message = NONE;
        r.status = status;
        r.payload = Some(payload);
        if r.error.is_some() {
            let room = r.incoming().map_or(0, |incoming| incoming.capacity).min(bytes);
            let kept = r.payload.take().map(|payload| payload.first(room));
            r.status.bytes = room;
            r.payload = kept;
        }
        self.complete(request, s);
    }

    /// Checks types and size of a message against its receive. True when that ended the run.
    fn check_match(&mut self, message: u32, request: u32, s: &mut Sched) -> bool {
        let m = &self.messages[message];
        if m.context % 2 == 1 {
            return false;
        }
        let Some(incoming) = self.requests[request].incoming() else { return false };
        if m.bytes() > incoming.capacity {
            let comm = incoming.comm;
            return !self.returns_truncation(message, request, comm)
                && self.report_truncation(message, request, s);
        }
        if let Err(mismatch) = incoming.signature.receive_matches(&m.signature)
            && !self.represents_alike(&incoming.signature, &m.signature)
        {
            let comm = incoming.comm;
            return !self.returns_type_mismatch(request, comm, &mismatch)
                && self.report_type_mismatch(message, request, &mismatch, s);
        }
        false
    }
}

impl MpiKernel {
    /// Reports whether types with the same representation match under different names.
    pub(crate) fn matches_representations(&self) -> bool {
        self.settings.environment.matches_representations()
    }

    /// Reports whether a receive takes a message because their types have the same representation.
    pub(crate) fn represents_alike(&self, wanted: &Signature, sent: &Signature) -> bool {
        self.matches_representations()
            && wanted.representation().receive_matches(&sent.representation()).is_ok()
    }

    /// Records an error of a receive for the program; false if its error handler ends the run
    /// instead.
    fn returns(&mut self, request: u32, comm: CommId, error: MpiError) -> bool {
        let rank = self.requests[request].rank;
        let failure = self.failure(rank, comm, error).ok();
        self.requests[request].error = failure;
        self.requests[request].error.is_some()
    }

    /// Like [`Self::returns`], for a truncation.
    fn returns_truncation(&mut self, message: u32, request: u32, comm: CommId) -> bool {
        let bytes = self.messages[message].bytes();
        let room = self.requests[request].incoming().map_or(0, |incoming| incoming.capacity);
        let text = format!("a message of {bytes} bytes for a buffer of {room} bytes");
        self.returns(request, comm, MpiError::new(ErrorClass::Truncate, text))
    }

    /// Like [`Self::returns`], for types that differ.
    fn returns_type_mismatch(&mut self, request: u32, comm: CommId, mismatch: &str) -> bool {
        self.types_may_differ()
            && self.returns(request, comm, MpiError::new(ErrorClass::Type, mismatch))
    }

    /// Reports whether types that differ are an error of the call alone, if the program receives
    /// errors itself.
    fn types_may_differ(&self) -> bool {
        let environment = &self.settings.environment;
        environment.policies.differs(Policy::TypesUnderErrorsReturn)
            && environment.representations.is_none()
    }

    /// Reports whether a program receives the error itself that types differ between the ranks of a
    /// collective: this rank's call fails when it ends. The data are still moved, so both sides
    /// must have the same number of bytes.
    pub(crate) fn returns_unlike_types(
        &mut self,
        (rank, key, comm): (u32, Key, CommId),
        mine: &Signature,
        theirs: &Signature,
    ) -> bool {
        if !self.types_may_differ() || mine.bytes() != theirs.bytes() {
            return false;
        }
        let text = format!("this rank has {mine} where another one has {theirs}");
        let failure = self.failure(rank, comm, MpiError::new(ErrorClass::Type, text)).ok();
        let Some((failure, shared)) = failure.zip(self.collectives.instance_mut(key)) else {
            return false;
        };
        shared.failing.push((rank, failure));
        true
    }
}

/// Returns the trace record of a message whose data are given to its receiver.
pub(crate) fn delivered(m: &Message, now: sim_core::SimTime) -> Record {
    Record::Message {
        id: m.id,
        source: m.source,
        target: m.target,
        tag: m.traced_tag(),
        bytes: m.bytes(),
        protocol: m.protocol,
        posted: m.posted,
        injected: m.injected,
        arrived: m.arrived,
        matched: now,
    }
}

/// Returns the number of bytes that a completed receive delivers.
pub(crate) fn received_bytes(request: &Request) -> u64 {
    request.payload.as_ref().map_or(0, |payload| payload.bytes())
}

/// The price of a call that costs no processor time.
pub(crate) const FREE: SimDuration = SimDuration::ZERO;
