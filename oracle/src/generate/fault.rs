//! Faults that make a safe plan depend on buffering, or deadlock.

use mpi_api::{call::Mode, object::signature::Primitive};

use super::Builder;
use crate::plan::{Burst, Fault, Id, Kind, Look, Maker, Part, Step, Style, Together};

impl Builder {
    /// Adds one fault to the plan at the current step.
    pub(super) fn plant(&mut self, number: u64) {
        match number % 9 {
            0 => self.cycle(Together::SendFirst, Mode::Standard, Fault::SendCycle),
            1 => self.across_barrier(),
            2 => self.cycle(Together::SendFirst, Mode::Synchronous, Fault::SynchronousCycle),
            3 => self.cycle(Together::ReceiveFirst, Mode::Standard, Fault::ReceiveCycle),
            4 => self.missing(),
            5 => self.stolen(),
            6 => self.crossed(),
            7 => self.short(),
            _ => self.mistyped(),
        }
    }

    fn two_ranks(&mut self) -> (u32, u32) {
        let from = self.rank();
        let others = u64::from(self.plan.ranks) - 1;
        let to = (from + 1 + self.below(others) as u32) % self.plan.ranks;
        (from, to)
    }

    /// Adds a message on the world communicator with a tag that no other message has.
    fn own_message(&mut self, from: u32, to: u32) -> Id {
        let id = self.message(0, 0, from, to);
        self.plan.messages[id].any_source = false;
        self.single_out(id);
        id
    }

    /// Adds messages around a cycle of some of the ranks, in any order.
    fn cycle(&mut self, how: Together, mode: Mode, fault: Fault) {
        let mut ranks: Vec<u32> = (0..self.plan.ranks).collect();
        self.shuffle(&mut ranks);
        let length = self.range(1, ranks.len() as u64 + 1) as usize;
        let mut list = Vec::new();
        for at in 0..length {
            let id = self.own_message(ranks[at], ranks[(at + 1) % length]);
            self.plan.messages[id].mode = mode;
            list.push(id);
        }
        self.push(Step::Exchange(list.clone(), how));
        self.blame(fault, list);
    }

    fn across_barrier(&mut self) {
        let (from, to) = self.two_ranks();
        let id = self.own_message(from, to);
        let barrier = self.plain_collective(0, Kind::Barrier, Style::Blocking);
        self.push(Step::Send(id));
        self.push(Step::Collective(barrier));
        self.push(Step::Receive(id));
        self.plan.planted_collectives = vec![barrier];
        self.blame(Fault::AcrossBarrier, vec![id]);
    }

    fn missing(&mut self) {
        let (from, to) = self.two_ranks();
        let id = self.own_message(from, to);
        self.push(Step::Meet(id));
        self.blame(Fault::Missing(id), vec![id]);
    }

    /// Adds two collectives on two communicators, of which one rank calls the second one first. The
    /// program may still complete if they do not synchronise.
    fn crossed(&mut self) {
        let kind = self.pick(&[Kind::Barrier, Kind::Broadcast, Kind::Reduce, Kind::Allreduce]);
        let comms = [0, 0].map(|parent| self.made(Maker::Duplicate(parent)));
        let [one, two] = comms.map(|comm| self.plain_collective(comm, kind, Style::Blocking));
        let rank = self.rank();
        self.push(Step::Crossed(one, two, rank));
        comms.into_iter().for_each(|comm| self.retire(comm));
        self.plan.planted_collectives = vec![one, two];
        self.blame(Fault::Crossed, Vec::new());
    }

    /// Adds a receive whose buffer is one unit too small.
    fn short(&mut self) {
        let (from, to) = self.two_ranks();
        let id = self.own_message(from, to);
        let types = self.plan.messages[id].types.clone();
        let units = self.plan.messages[id].units.max(1);
        let (sent_from, received_into) =
            (self.layout(&types, units, true), self.layout(&types, units - 1, false));
        let message = &mut self.plan.messages[id];
        (message.units, message.sent_from) = (units, sent_from);
        message.received_into = received_into;
        self.push(Step::Meet(id));
        self.blame(Fault::Short, vec![id]);
    }

    /// Adds a receive with another basic type of the same size as the one sent.
    fn mistyped(&mut self) {
        let (from, to) = self.two_ranks();
        let id = self.own_message(from, to);
        let units = self.plan.messages[id].units.max(1);
        let pairs = [
            (Primitive::Int32, Primitive::Float32),
            (Primitive::Float64, Primitive::Int64),
            (Primitive::UInt8, Primitive::Byte),
        ];
        let (sent, received) = self.pick(&pairs);
        let (sent_from, received_into) =
            (self.layout(&[sent], units, true), self.layout(&[received], units, false));
        let message = &mut self.plan.messages[id];
        (message.types, message.units) = (vec![sent], units);
        (message.sent_from, message.received_into) = (sent_from, received_into);
        self.push(Step::Meet(id));
        self.blame(Fault::Mistyped, vec![id]);
    }

    /// Adds a wildcard receive and a named receive for one sender's message; another sender also
    /// has a message.
    fn stolen(&mut self) {
        let (from, to) = self.two_ranks();
        let third = (0..self.plan.ranks).find(|rank| *rank != from && *rank != to);
        let Some(other) = third else {
            self.missing();
            return;
        };
        let comm = self.made(Maker::Duplicate(0));
        let id = self.message(comm, 0, from, to);
        let bytes = self.below(20);
        let types = vec![Primitive::Byte];
        let layout = self.layout(&types, bytes, false);
        let message = &mut self.plan.messages[id];
        (message.types, message.units) = (types, bytes);
        (message.sent_from, message.received_into) = (layout.clone(), layout);
        (message.send, message.any_source, message.any_tag) = (Style::Immediate, false, false);
        self.single_out(id);
        let tag = self.plan.messages[id].tag;
        self.push(Step::Send(id));
        self.open.push((from, Part::Sent(id)));
        self.plan.bursts.push(Burst {
            comm,
            to,
            from: vec![other],
            tags: vec![tag],
            any_tag: false,
            bytes,
            send: Style::Blocking,
            receive: Style::Blocking,
            look: Look::Straight,
        });
        self.push(Step::Burst(self.plan.bursts.len() - 1));
        self.push(Step::Receive(id));
        self.retire(comm);
        self.blame(Fault::Stolen, vec![id]);
    }
}
