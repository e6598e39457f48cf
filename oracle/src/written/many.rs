//! Many-to-one communication as statements: bursts, and a server with its clients.

use super::{
    message::Triple,
    routine::{Writer, hash},
    statement::{Arg, Array},
};
use crate::{
    plan::{Fault, How, Id, Look, Service, Style},
    values::Slot,
};

impl Writer<'_> {
    /// Declares the messages that the following calls of `arrived` may find, in this order for each
    /// source.
    fn expect(&mut self, slot: Slot) {
        if self.is_stolen() {
            return;
        }
        let messages = self.expected.gathered(slot).to_vec();
        self.helper("expect_nothing", Vec::new());
        for (source, tag, data) in messages {
            let envelope = [i64::from(source), i64::from(tag), data.len() as i64].map(Arg::Int);
            self.helper("expect", [&envelope[..], &[Arg::Hash(hash(&data))]].concat());
        }
    }

    /// Adds the comparison of a message received with `MPI_ANY_SOURCE`.
    fn arrived(&mut self, status: usize, buffer: Arg) {
        if self.is_stolen() {
            return;
        }
        let step = Arg::Int(self.step as i64);
        self.helper("arrived", vec![step, Arg::Place(Array::Statuses, status), buffer]);
    }

    /// Returns whether a wildcard receive may take a message that is meant for another receive.
    fn is_stolen(&self) -> bool {
        self.plan.fault == Some(Fault::Stolen)
    }

    /// Adds a whole burst in one step.
    pub(super) fn burst(&mut self, id: Id) {
        let burst = &self.plan.bursts[id];
        if self.plan.rank_in(burst.comm, self.me) != Some(burst.to) {
            self.flood(id);
        } else if burst.receive == Style::Immediate {
            self.post(id);
            self.drain(id, How::All);
        } else {
            self.expect(Slot::Burst(id));
            for at in 0..burst.from.len() {
                let room = self.room_for(id, at);
                let from = self.any_of(id);
                self.look_and_receive(burst.look, room.clone(), from, &[20, id as u64]);
                self.arrived(0, room[0].clone());
            }
        }
    }

    /// Adds a receive buffer for one message of a burst.
    fn room_for(&mut self, id: Id, at: usize) -> Triple {
        let bytes = self.plan.bursts[id].bytes;
        let buffer = self.buffer(&format!("burst{id}_{at}"), bytes.max(1) as usize);
        [buffer, Arg::Int(bytes as i64), Arg::Word("MPI_BYTE")]
    }

    /// Returns source, tag and communicator of one receive of a burst.
    fn any_of(&self, id: Id) -> [Arg; 3] {
        let burst = &self.plan.bursts[id];
        let tag = Arg::Int(i64::from(burst.tags[0]));
        let tag = if burst.any_tag { Arg::Word("MPI_ANY_TAG") } else { tag };
        [Arg::Word("MPI_ANY_SOURCE"), tag, Arg::Entry(Array::Comms, burst.comm)]
    }

    pub(super) fn post(&mut self, id: Id) {
        let burst = &self.plan.bursts[id];
        if self.plan.rank_in(burst.comm, self.me) != Some(burst.to) {
            return;
        }
        let first = self.new_requests(burst.from.len());
        for at in 0..burst.from.len() {
            let mut args = self.room_for(id, at).to_vec();
            args.extend(self.any_of(id));
            args.push(Arg::Place(Array::Requests, first + at));
            self.counted("Irecv", args, &[21, id as u64]);
        }
        self.posted.insert(id, first);
    }

    pub(super) fn flood(&mut self, id: Id) {
        let burst = &self.plan.bursts[id];
        let Some(rank) = self.plan.rank_in(burst.comm, self.me) else { return };
        let mine: Vec<usize> = (0..burst.from.len()).filter(|at| burst.from[*at] == rank).collect();
        let first = self.new_requests(mine.len());
        for (number, at) in mine.iter().enumerate() {
            let buffer = self.buffer(&format!("flood{id}_{at}"), burst.bytes.max(1) as usize);
            let key = [self.plan.seed, id as u64, *at as u64, 3];
            self.fill(&buffer, burst.bytes as usize, key);
            let mut args = vec![buffer, Arg::Int(burst.bytes as i64), Arg::Word("MPI_BYTE")];
            let ends = [i64::from(burst.to), i64::from(burst.tags[*at])].map(Arg::Int);
            args.extend(ends);
            args.push(Arg::Entry(Array::Comms, burst.comm));
            if burst.send == Style::Immediate {
                args.push(Arg::Place(Array::Requests, first + number));
                self.counted("Isend", args, &[22, id as u64]);
            } else {
                self.counted("Send", args, &[22, id as u64]);
            }
        }
        if burst.send == Style::Immediate {
            self.finish(Array::Requests, first, mine.len(), How::All);
        }
    }

    pub(super) fn drain(&mut self, id: Id, how: How) {
        let Some(first) = self.posted.remove(&id) else { return };
        let count = self.plan.bursts[id].from.len();
        self.finish(Array::Requests, first, count, how);
        self.expect(Slot::Burst(id));
        for at in 0..count {
            self.arrived(at, Arg::Buffer(format!("burst{id}_{at}"), 0));
        }
    }

    pub(super) fn serve(&mut self, service: &Service) {
        let Some(rank) = self.plan.rank_in(service.comm, self.me) else { return };
        let comm = Arg::Entry(Array::Comms, service.comm);
        let count = Arg::Int(service.bytes as i64);
        let byte = Arg::Word("MPI_BYTE");
        let (asked, answered) = (Arg::Int(service.tag.into()), Arg::Int((service.tag + 1).into()));
        let question = self.buffer(&format!("question{}", self.step), service.bytes as usize);
        let answer = self.buffer(&format!("answer{}", self.step), service.bytes as usize);
        let questions = [question.clone(), count.clone(), byte.clone()];
        let answers = [answer.clone(), count.clone(), byte];
        if rank == service.server {
            self.expect(Slot::Question(self.step));
            for _ in &service.clients {
                let from = [Arg::Word("MPI_ANY_SOURCE"), asked.clone(), comm.clone()];
                self.look_and_receive(service.look, questions.clone(), from, &[30]);
                self.arrived(0, question.clone());
                self.helper("answer", vec![question.clone(), answer.clone(), count.clone()]);
                let to = [Arg::Source(0), answered.clone(), comm.clone()];
                self.counted("Send", [&answers[..], &to].concat(), &[31]);
            }
            return;
        }
        let mine = service.clients.iter().filter(|client| **client == rank).count();
        for at in 0..mine {
            let key = [self.plan.seed, service.tag as u64, u64::from(rank), at as u64];
            let mut args = vec![question.clone(), count.clone()];
            args.extend(key.map(|part| Arg::Int(part as i64)));
            self.helper("ask", args);
            let server = Arg::Int(service.server.into());
            let to = [server.clone(), asked.clone(), comm.clone()];
            self.counted("Send", [&questions[..], &to].concat(), &[32]);
            let from = [server.clone(), answered.clone(), comm.clone()];
            self.look_and_receive(Look::Straight, answers.clone(), from, &[33]);
            self.check_status(0, [server, answered.clone(), count.clone()]);
            let place = (self.me, Slot::Answer(self.step), at as u32);
            if let Some(record) = self.expected.record(place).cloned() {
                self.check(&answer, &record.bytes);
            }
        }
    }
}
