//! Messages between two ranks.

use mpi_api::{
    call::{
        Completing, Completion, Incoming, MatchedId, MessageCall, Outgoing, Payload, ProbeCall,
        Reply, RequestCall, RequestId, Source,
    },
    object::status::Status,
};

use super::{Rank, datatype};
use crate::{
    plan::{Id, Look, Message, Part, Style},
    values::Slot,
};

impl Rank<'_> {
    fn message(&self, id: Id) -> &Message {
        &self.plan.messages[id]
    }

    pub(super) fn outgoing(&self, id: Id, round: u32) -> Outgoing {
        self.need_type(Part::Sent(id));
        let message = self.message(id);
        let memory = self.plan.sent_memory(id, round);
        let (data, signature, layout) = datatype::pack(&message.sent_from, &memory);
        Outgoing {
            comm: self.comm(message.comm),
            dest: Some(message.to),
            tag: message.tag,
            mode: message.mode,
            payload: data.into(),
            signature,
            layout,
        }
    }

    pub(super) fn incoming(&self, id: Id) -> Incoming {
        self.need_type(Part::Received(id));
        let message = self.message(id);
        let (capacity, signature, layout) = datatype::room(&message.received_into);
        let source = if message.any_source { Source::Any } else { Source::Rank(message.from) };
        let tag = (!message.any_tag).then_some(message.tag);
        let comm = self.comm(message.comm);
        Incoming { comm, source, tag, capacity, signature, layout }
    }

    /// Returns the current data of a persistent send.
    pub(super) fn data(&self, id: Id, round: u32) -> Option<Payload> {
        Some(self.outgoing(id, round).payload)
    }

    pub(super) fn init_send(&self, id: Id) -> RequestId {
        let outgoing = Outgoing { payload: Payload::EMPTY, ..self.outgoing(id, 0) };
        let request = self.request(MessageCall::InitSend(outgoing));
        self.forget_type(Part::Sent(id), Style::Persistent);
        request
    }

    pub(super) fn start_send(&self, id: Id, round: u32) -> RequestId {
        let request = self.request(MessageCall::StartSend(self.outgoing(id, round)));
        self.forget_type(Part::Sent(id), Style::Immediate);
        request
    }

    pub(super) fn init_receive(&self, id: Id) -> RequestId {
        let request = self.request(MessageCall::InitReceive(self.incoming(id)));
        self.forget_type(Part::Received(id), Style::Persistent);
        request
    }

    pub(super) fn start_receive(&self, id: Id) -> RequestId {
        let request = self.request(MessageCall::StartReceive(self.incoming(id)));
        self.forget_type(Part::Received(id), Style::Immediate);
        request
    }

    pub(super) fn begin_send(&mut self, id: Id, round: u32) {
        let request = match self.message(id).send {
            Style::Blocking => {
                self.call(MessageCall::Send(self.outgoing(id, round)));
                self.forget_type(Part::Sent(id), Style::Blocking);
                return;
            }
            Style::Immediate => self.start_send(id, round),
            Style::Forgotten => {
                let request = self.start_send(id, round);
                self.call(RequestCall::Free(request));
                return;
            }
            Style::Persistent => {
                let known = self.requests.get(&Part::Sent(id)).copied();
                let request = known.unwrap_or_else(|| self.init_send(id));
                self.call(RequestCall::Start(vec![(request, self.data(id, round))]));
                request
            }
        };
        self.requests.insert(Part::Sent(id), request);
    }

    pub(super) fn whole_send(&mut self, id: Id) {
        for round in 0..self.message(id).rounds {
            self.begin_send(id, round);
            if let Some(request) = self.requests.get(&Part::Sent(id)) {
                self.wait(*request);
            }
        }
        self.drop_request(Part::Sent(id));
    }

    pub(super) fn begin_receive(&mut self, id: Id, round: u32) {
        let request = match self.message(id).receive {
            Style::Blocking => {
                let incoming = self.incoming(id);
                let completion = self.look_and_receive(self.message(id).look, incoming);
                self.forget_type(Part::Received(id), Style::Blocking);
                self.received(id, round, &completion);
                return;
            }
            Style::Immediate | Style::Forgotten => self.start_receive(id),
            Style::Persistent => {
                let known = self.requests.get(&Part::Received(id)).copied();
                let request = known.unwrap_or_else(|| self.init_receive(id));
                self.call(RequestCall::Start(vec![(request, None)]));
                request
            }
        };
        self.requests.insert(Part::Received(id), request);
    }

    pub(super) fn whole_receive(&mut self, id: Id) {
        for round in 0..self.message(id).rounds {
            self.begin_receive(id, round);
            if let Some(request) = self.requests.get(&Part::Received(id)) {
                let completion = self.wait(*request);
                self.received(id, round, &completion);
            }
        }
        self.drop_request(Part::Received(id));
    }

    /// Makes a blocking receive, preceded by the probe that the plan asks for.
    pub(super) fn look_and_receive(&self, look: Look, incoming: Incoming) -> Completion {
        let (comm, source, tag) = (incoming.comm, incoming.source, incoming.tag);
        match look {
            Look::Straight => self.completed(MessageCall::Receive(incoming)),
            Look::Probe => {
                let seen = self.completed(ProbeCall::Blocking(comm, source, tag)).status;
                self.receive_seen(&seen, incoming)
            }
            Look::Poll => loop {
                match self.call(ProbeCall::Immediate(comm, source, tag)) {
                    Reply::NotYet => {}
                    Reply::Completed(seen) => break self.receive_seen(&seen.status, incoming),
                    other => panic!("{other:?}"),
                }
            },
            Look::Matched => match self.call(ProbeCall::Matched(comm, source, tag)) {
                Reply::Matched(id, seen) => {
                    same(&seen, self.completed(ProbeCall::Receive(id, incoming)))
                }
                other => panic!("{other:?}"),
            },
            Look::PollMatched => loop {
                match self.call(ProbeCall::ImmediateMatched(comm, source, tag)) {
                    Reply::NotYet => {}
                    Reply::Matched(id, seen) => break self.later(id, &seen, incoming),
                    other => panic!("{other:?}"),
                }
            },
        }
    }

    fn later(&self, id: MatchedId, seen: &Status, incoming: Incoming) -> Completion {
        let request = self.request(ProbeCall::StartReceive(id, incoming));
        same(seen, self.wait(request))
    }

    /// Receives the message that a probe reported.
    fn receive_seen(&self, seen: &Status, incoming: Incoming) -> Completion {
        let source = seen.source.map_or(Source::Null, Source::Rank);
        let exactly = Incoming { source, tag: seen.tag, ..incoming };
        same(seen, self.completed(MessageCall::Receive(exactly)))
    }

    pub(super) fn received(&self, id: Id, round: u32, completion: &Completion) {
        let layout = &self.message(id).received_into;
        let memory = self.plan.fresh_memory(id, round, layout);
        self.store((self.me, Slot::Message(id), round), layout, memory, completion);
    }

    pub(super) fn wait(&self, request: RequestId) -> Completion {
        match self.call(RequestCall::Wait(vec![request], Completing::All)) {
            Reply::Completions(mut list) if list.len() == 1 => list.swap_remove(0).1,
            other => panic!("{other:?} instead of one completion"),
        }
    }

    /// Removes a request; a persistent one is freed.
    pub(super) fn drop_request(&mut self, part: Part) {
        let Some(request) = self.requests.remove(&part) else { return };
        let style = match part {
            Part::Sent(id) => self.message(id).send,
            Part::Received(id) => self.message(id).receive,
            Part::Taken(id) => self.plan.collectives[id].style,
        };
        if style == Style::Persistent {
            self.call(RequestCall::Free(request));
        }
    }
}

/// Checks that the status of a completion equals that of the probe.
fn same(seen: &Status, completion: Completion) -> Completion {
    assert_eq!(*seen, completion.status, "the probe saw another message");
    completion
}
