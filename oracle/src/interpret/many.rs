//! Many-to-one communication: bursts, and a server with its clients.

use mpi_api::{
    call::{Completion, Incoming, MessageCall, Outgoing, RequestId, Source},
    object::signature::{Primitive, Signature},
};

use super::Rank;
use crate::{
    plan::{How, Id, Look, Plan, Service, Style},
    values::{Place, Record, Slot},
};

impl Rank<'_> {
    pub(super) fn bytes_to(&self, comm: Id, dest: u32, tag: i32, data: Vec<u8>) -> Outgoing {
        let signature = Signature::of(Primitive::Byte, data.len() as u64);
        let (dest, payload) = (Some(dest), data.into());
        Outgoing { dest, tag, payload, signature, ..self.null_outgoing(comm) }
    }

    /// Records the packed data of a receive.
    fn arrived(&self, place: Place, completion: Completion) {
        let bytes = completion.payload.map_or(Vec::new(), |data| data.as_slice().to_vec());
        let status = completion.status;
        let status = Some((status.source, status.tag, status.bytes));
        self.record(place, Record { bytes, status });
    }

    /// Runs a whole burst in one step.
    pub(super) fn burst(&mut self, id: Id) {
        let burst = &self.plan.bursts[id];
        if self.plan.rank_in(burst.comm, self.me) != Some(burst.to) {
            self.flood(id);
        } else if burst.receive == Style::Immediate {
            self.post(id);
            self.drain(id, How::All);
        } else {
            for at in 0..burst.from.len() {
                let completion = self.look_and_receive(burst.look, self.any_of(id));
                self.arrived((self.me, Slot::Burst(id), at as u32), completion);
            }
        }
    }

    /// Returns the arguments of one receive of a burst.
    fn any_of(&self, id: Id) -> Incoming {
        let burst = &self.plan.bursts[id];
        let tag = (!burst.any_tag).then(|| burst.tags[0]);
        self.bytes_from(burst.comm, Source::Any, tag, burst.bytes)
    }

    pub(super) fn post(&mut self, id: Id) {
        let burst = &self.plan.bursts[id];
        if self.plan.rank_in(burst.comm, self.me) == Some(burst.to) {
            let posted = burst.from.iter().map(|_| MessageCall::StartReceive(self.any_of(id)));
            let list: Vec<RequestId> = posted.map(|one| self.request(one)).collect();
            self.posted.insert(id, list);
        }
    }

    pub(super) fn flood(&self, id: Id) {
        let burst = &self.plan.bursts[id];
        let Some(rank) = self.plan.rank_in(burst.comm, self.me) else { return };
        let mut list = Vec::new();
        for at in (0..burst.from.len()).filter(|at| burst.from[*at] == rank) {
            let data = self.plan.burst_data(id, at);
            let send = self.bytes_to(burst.comm, burst.to, burst.tags[at], data);
            if burst.send == Style::Immediate {
                list.push(self.request(MessageCall::StartSend(send)));
            } else {
                self.call(MessageCall::Send(send));
            }
        }
        self.finish(&list, How::All);
    }

    pub(super) fn drain(&mut self, id: Id, how: How) {
        let Some(list) = self.posted.remove(&id) else { return };
        for (at, completion) in self.finish(&list, how) {
            self.arrived((self.me, Slot::Burst(id), at as u32), completion);
        }
    }

    pub(super) fn serve(&self, service: &Service) {
        let Service { comm, server, bytes, tag, .. } = *service;
        let Some(rank) = self.plan.rank_in(comm, self.me) else { return };
        let receive = |source, tag, look: Look| {
            self.look_and_receive(look, self.bytes_from(comm, source, Some(tag), bytes))
        };
        if rank == server {
            for at in 0..service.clients.len() {
                let question = receive(Source::Any, tag, service.look);
                let client = question.status.source.expect("somebody asks");
                let text = question.payload.as_ref().expect("a question").as_slice();
                let answer = Plan::answer(text);
                self.call(MessageCall::Send(self.bytes_to(comm, client, tag + 1, answer)));
                self.arrived((self.me, Slot::Question(self.step), at as u32), question);
            }
            return;
        }
        let mine = service.clients.iter().filter(|client| **client == rank).count();
        for at in 0..mine {
            let question = self.plan.question(service, rank, at);
            self.call(MessageCall::Send(self.bytes_to(comm, server, tag, question)));
            let answer = receive(Source::Rank(server), tag + 1, Look::Straight);
            self.arrived((self.me, Slot::Answer(self.step), at as u32), answer);
        }
    }
}
