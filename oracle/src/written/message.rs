//! Messages between two ranks, and the completion of requests, as statements.

use mpi_api::call::Mode;

use super::{
    routine::Writer,
    statement::{Arg, Array, Statement},
};
use crate::{
    plan::{How, Id, Look, Message, Part, Style},
    values::{Record, Slot},
};

/// Arguments of a call: buffer, count and datatype.
pub(super) type Triple = [Arg; 3];

impl Writer<'_> {
    pub(super) fn message(&self, id: Id) -> &Message {
        &self.plan.messages[id]
    }

    /// Returns the datatype of a part, constructing it at its first use.
    pub(super) fn datatype(&mut self, part: Part) -> Arg {
        if let Some(known) = self.known.get(&part) {
            return known.clone();
        }
        let (layout, key) = match part {
            Part::Sent(id) => (&self.plan.messages[id].sent_from, 2 * id as u64),
            Part::Received(id) => (&self.plan.messages[id].received_into, 2 * id as u64 + 1),
            Part::Taken(_) => unreachable!("collectives have basic types"),
        };
        let made = self.element(layout, key);
        self.known.insert(part, made.clone());
        made
    }

    /// Frees the datatype of a part directly after a call that uses it, in some cases.
    pub(super) fn forget_type(&mut self, part: Part, style: Style) {
        if let Some(Arg::Entry(Array::Types, at)) = self.known.get(&part)
            && self.plan.forgets_type(part, style)
        {
            let at = *at;
            self.known.remove(&part);
            self.free_type(at);
        }
    }

    /// Adds a send buffer with the data of one round.
    pub(super) fn outgoing(&mut self, id: Id, round: u32) -> Triple {
        let message = self.message(id);
        let (origin, length) = message.sent_from.memory();
        let count = message.sent_from.elements as i64;
        // A buffer whose request was freed may be read until the end.
        let name = match message.send {
            Style::Forgotten => format!("s{id}_{round}"),
            Style::Blocking | Style::Immediate | Style::Persistent => format!("s{id}"),
        };
        let place = self.origin(&name, origin, length);
        self.fill_memory(&name, origin, length, [id as u64, u64::from(round), 1]);
        [place, Arg::Int(count), self.datatype(Part::Sent(id))]
    }

    /// Adds a receive buffer for one round.
    pub(super) fn incoming(&mut self, id: Id, round: u32) -> Triple {
        let layout = &self.message(id).received_into;
        let (origin, length) = layout.memory();
        let count = layout.elements as i64;
        let name = format!("r{id}");
        let place = self.origin(&name, origin, length);
        self.fill_memory(&name, origin, length, [id as u64, u64::from(round), 2]);
        [place, Arg::Int(count), self.datatype(Part::Received(id))]
    }

    /// Declares memory for a layout. Returns the address of displacement 0, which may lie before
    /// the data.
    pub(super) fn origin(&mut self, name: &str, origin: usize, length: usize) -> Arg {
        let front = front(origin);
        self.buffer(name, front + length);
        Arg::Buffer(name.into(), front.wrapping_add(origin))
    }

    /// Adds the initialisation of a layout's memory.
    pub(super) fn fill_memory(&mut self, name: &str, origin: usize, length: usize, key: [u64; 3]) {
        let [a, b, c] = key;
        let place = Arg::Buffer(name.into(), front(origin));
        self.fill(&place, length, [self.plan.seed, a, b, c]);
    }

    /// Returns destination or source, tag and communicator.
    pub(super) fn envelope(&self, part: Part) -> [Arg; 3] {
        let (Part::Sent(id) | Part::Received(id) | Part::Taken(id)) = part;
        let message = self.message(id);
        let sent = matches!(part, Part::Sent(_));
        let rank = match (sent, message.any_source) {
            (true, _) => Arg::Int(i64::from(message.to)),
            (false, true) => Arg::Word("MPI_ANY_SOURCE"),
            (false, false) => Arg::Int(i64::from(message.from)),
        };
        let any_tag = !sent && message.any_tag;
        let tag = if any_tag { Arg::Word("MPI_ANY_TAG") } else { Arg::Int(i64::from(message.tag)) };
        [rank, tag, Arg::Entry(Array::Comms, message.comm)]
    }

    /// Adds a call of a function with counts, in its normal or its large count form.
    pub(super) fn counted(&mut self, name: &str, args: Vec<Arg>, key: &[u64]) {
        let suffix = if self.wide(key) { "_c" } else { "" };
        self.call(&format!("{name}{suffix}"), args);
    }

    /// Adds the send call for this mode and style, with a request if there is one.
    pub(super) fn send(&mut self, id: Id, style: Style, data: Triple, request: Option<usize>) {
        let letter = match self.message(id).mode {
            Mode::Standard => "",
            Mode::Buffered => "b",
            Mode::Synchronous => "s",
            Mode::Ready => "r",
        };
        let lower = format!("{letter}send");
        let capital = lower[..1].to_uppercase() + &lower[1..];
        let name = match style {
            Style::Blocking => capital,
            Style::Immediate | Style::Forgotten => format!("I{lower}"),
            Style::Persistent => format!("{capital}_init"),
        };
        let mut args = data.to_vec();
        args.extend(self.envelope(Part::Sent(id)));
        args.extend(request.map(|at| Arg::Place(Array::Requests, at)));
        self.counted(&name, args, &[1, id as u64]);
        self.forget_type(Part::Sent(id), style);
    }

    pub(super) fn begin_send(&mut self, id: Id, round: u32) {
        let style = self.message(id).send;
        let part = Part::Sent(id);
        match style {
            Style::Blocking => {
                let data = self.outgoing(id, round);
                self.send(id, style, data, None);
            }
            Style::Immediate | Style::Forgotten => {
                let data = self.outgoing(id, round);
                let at = self.entry(part);
                self.send(id, style, data, Some(at));
                if style == Style::Forgotten {
                    self.requests.remove(&part);
                    self.call("Request_free", vec![Arg::Place(Array::Requests, at)]);
                }
            }
            Style::Persistent => {
                let made = self.requests.contains_key(&part);
                let at = self.entry(part);
                if made {
                    self.refill(id, round);
                } else {
                    let data = self.outgoing(id, round);
                    self.send(id, style, data, Some(at));
                }
                self.call("Start", vec![Arg::Place(Array::Requests, at)]);
            }
        }
    }

    /// Puts the data of another round into the same buffer.
    pub(super) fn refill(&mut self, id: Id, round: u32) {
        let (origin, length) = self.message(id).sent_from.memory();
        self.fill_memory(&format!("s{id}"), origin, length, [id as u64, u64::from(round), 1]);
    }

    /// Prepares the same buffer for another round.
    pub(super) fn refresh(&mut self, id: Id, round: u32) {
        let (origin, length) = self.message(id).received_into.memory();
        self.fill_memory(&format!("r{id}"), origin, length, [id as u64, u64::from(round), 2]);
    }

    /// Returns the entry for the request of a part.
    pub(super) fn entry(&mut self, part: Part) -> usize {
        if let Some(at) = self.requests.get(&part) {
            return *at;
        }
        let at = self.new_requests(1);
        self.requests.insert(part, at);
        at
    }

    pub(super) fn whole_send(&mut self, id: Id) {
        for round in 0..self.message(id).rounds {
            self.begin_send(id, round);
            if let Some(at) = self.requests.get(&Part::Sent(id)) {
                let request = Arg::Place(Array::Requests, *at);
                self.call("Wait", vec![request, Arg::Word("MPI_STATUS_IGNORE")]);
            }
        }
        self.drop_request(Part::Sent(id));
    }

    pub(super) fn begin_receive(&mut self, id: Id, round: u32) {
        let (style, look) = (self.message(id).receive, self.message(id).look);
        let part = Part::Received(id);
        match style {
            Style::Blocking => {
                let data = self.incoming(id, round);
                let envelope = self.envelope(part);
                self.look_and_receive(look, data, envelope, &[1, id as u64]);
                self.forget_type(part, style);
                self.received(id, round, 0);
            }
            Style::Immediate | Style::Forgotten => {
                let at = self.entry(part);
                self.post_receive(Style::Immediate, id, round, at);
            }
            Style::Persistent => {
                let made = self.requests.contains_key(&part);
                let at = self.entry(part);
                if made {
                    self.refresh(id, round);
                } else {
                    self.post_receive(Style::Persistent, id, round, at);
                }
                self.call("Start", vec![Arg::Place(Array::Requests, at)]);
            }
        }
    }

    /// Adds the call that creates a receive request.
    pub(super) fn post_receive(&mut self, style: Style, id: Id, round: u32, at: usize) {
        let part = Part::Received(id);
        let name = if style == Style::Persistent { "Recv_init" } else { "Irecv" };
        let mut args = self.incoming(id, round).to_vec();
        args.extend(self.envelope(part));
        args.push(Arg::Place(Array::Requests, at));
        self.counted(name, args, &[2, id as u64]);
        self.forget_type(part, style);
    }

    pub(super) fn whole_receive(&mut self, id: Id) {
        for round in 0..self.message(id).rounds {
            self.begin_receive(id, round);
            if let Some(at) = self.requests.get(&Part::Received(id)) {
                let request = Arg::Place(Array::Requests, *at);
                self.call("Wait", vec![request, Arg::Place(Array::Statuses, 0)]);
                self.received(id, round, 0);
            }
        }
        self.drop_request(Part::Received(id));
    }

    /// Adds a blocking receive with the first status, preceded by the probe that the plan asks for.
    pub(super) fn look_and_receive(
        &mut self,
        look: Look,
        data: Triple,
        envelope: [Arg; 3],
        key: &[u64],
    ) {
        let mut args = data.to_vec();
        args.extend(envelope);
        args.push(Arg::Place(Array::Statuses, 0));
        match look {
            Look::Straight => self.counted("Recv", args, key),
            Look::Probe => self.helper("probe_receive", args),
            Look::Poll => self.helper("poll_receive", args),
            Look::Matched => self.helper("matched_receive", args),
            Look::PollMatched => self.helper("poll_matched_receive", args),
        }
    }

    /// Adds the comparison of a received message with the expected one.
    pub(super) fn received(&mut self, id: Id, round: u32, status: usize) {
        let Some(Record { bytes, status: Some((source, tag, length)) }) =
            self.expected.record((self.me, Slot::Message(id), round)).cloned()
        else {
            return;
        };
        let envelope = [source.map_or(0, i64::from), tag.map_or(0, i64::from), length as i64];
        self.check_status(status, envelope.map(Arg::Int));
        let name = self.received_name(id);
        let front = front(self.message(id).received_into.memory().0);
        self.check(&Arg::Buffer(name, front), &bytes);
    }

    /// Returns the name of the buffer that receives a message.
    fn received_name(&self, id: Id) -> String {
        let replaced = format!("both{}", self.step);
        let known = |name: &String| self.routine.buffers.iter().any(|one| one.name == *name);
        if known(&replaced) { replaced } else { format!("r{id}") }
    }

    /// Adds the check of source, tag and byte count of a status.
    pub(super) fn check_status(&mut self, status: usize, envelope: [Arg; 3]) {
        let mut args = vec![Arg::Int(self.step as i64), Arg::Place(Array::Statuses, status)];
        args.extend(envelope);
        self.helper("check_status", args);
    }

    /// Removes a request; a persistent one is freed.
    pub(super) fn drop_request(&mut self, part: Part) {
        let Some(at) = self.requests.remove(&part) else { return };
        if self.is_persistent(part) {
            self.call("Request_free", vec![Arg::Place(Array::Requests, at)]);
        }
    }

    fn is_persistent(&self, part: Part) -> bool {
        let style = match part {
            Part::Sent(id) => self.message(id).send,
            Part::Received(id) => self.message(id).receive,
            Part::Taken(id) => self.plan.collectives[id].style,
        };
        style == Style::Persistent
    }

    pub(super) fn complete(&mut self, parts: &[Part], how: How) {
        // Operations that the fault leaves out were never started.
        let parts: Vec<Part> =
            parts.iter().copied().filter(|part| self.requests.contains_key(part)).collect();
        for (to, part) in parts.iter().enumerate() {
            let from = self.requests[part];
            self.push(Statement::Copy((Array::Waiting, to), (Array::Requests, from)));
        }
        self.finish(Array::Waiting, 0, parts.len(), how);
        for (at, part) in parts.into_iter().enumerate() {
            match part {
                Part::Sent(_) => {}
                Part::Received(id) => self.received(id, 0, at),
                Part::Taken(id) => self.taken(id, 0),
            }
            self.requests.remove(&part);
            if self.is_persistent(part) {
                self.call("Request_free", vec![Arg::Place(Array::Waiting, at)]);
            }
        }
    }

    /// Adds the completion of consecutive requests; the status of each has its index.
    pub(super) fn finish(&mut self, array: Array, first: usize, count: usize, how: How) {
        let number = Arg::Int(count as i64);
        if count == 0 {
            return;
        }
        self.routine.needs.push((Array::Statuses, count));
        let args = vec![number, Arg::Place(array, first), Arg::Place(Array::Statuses, 0)];
        match how {
            How::Each => {
                for at in 0..count {
                    let status = Arg::Place(Array::Statuses, at);
                    self.call("Wait", vec![Arg::Place(array, first + at), status]);
                }
            }
            How::All => self.call("Waitall", args),
            How::Any => self.helper("wait_any", args),
            How::Some => self.helper("wait_some", args),
            How::TestAll => {
                let [number, requests, statuses] = args.try_into().expect("three");
                let args = vec![number, requests, Arg::Flag, statuses];
                self.push(Statement::Until("Testall".into(), args));
            }
            How::TestAny => self.helper("test_any", args),
            How::TestSome => self.helper("test_some", args),
            How::Status => self.helper("ask_all", args),
        }
    }
}

/// Returns the number of bytes before the data of a layout whose displacements are all positive:
/// the address that they count from belongs to the buffer too.
pub(super) fn front(origin: usize) -> usize {
    (origin as i64).min(0).unsigned_abs() as usize
}
