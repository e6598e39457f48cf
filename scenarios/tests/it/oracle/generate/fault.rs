//! Faults: what makes a safe plan lean on buffering, or deadlock.

use mpi_api::{call::Mode, object::signature::Primitive};

use super::Builder;
use crate::oracle::plan::{Burst, Fault, Id, Kind, Look, Maker, Part, Step, Style, Together};

impl Builder {
    /// Puts one fault into the plan, here.
    pub(super) fn plant(&mut self, number: u64) {
        match number % 6 {
            0 => self.cycle(Together::SendFirst, Mode::Standard, Fault::SendCycle),
            1 => self.across_barrier(),
            2 => self.cycle(Together::SendFirst, Mode::Synchronous, Fault::SynchronousCycle),
            3 => self.cycle(Together::ReceiveFirst, Mode::Standard, Fault::ReceiveCycle),
            4 => self.missing(),
            _ => self.stolen(),
        }
    }

    fn two_ranks(&mut self) -> (u32, u32) {
        let from = self.rank();
        let others = u64::from(self.plan.ranks) - 1;
        let to = (from + 1 + self.below(others) as u32) % self.plan.ranks;
        (from, to)
    }

    /// A message of the world with a tag of its own.
    fn own_message(&mut self, from: u32, to: u32) -> Id {
        let id = self.message(0, 0, from, to);
        self.plan.messages[id].any_source = false;
        self.single_out(id);
        id
    }

    /// Some of the ranks around a cycle, in any order.
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
        self.plan.planted_barrier = Some(barrier);
        self.blame(Fault::AcrossBarrier, vec![id]);
    }

    fn missing(&mut self) {
        let (from, to) = self.two_ranks();
        let id = self.own_message(from, to);
        self.push(Step::Meet(id));
        self.blame(Fault::Missing(id), vec![id]);
    }

    /// A wildcard and a named receive want one sender's message; another sender has one too.
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
        self.push(Step::Burst(Burst {
            comm,
            to,
            from: vec![other],
            tags: vec![tag],
            any_tag: false,
            bytes,
            send: Style::Blocking,
            receive: Style::Blocking,
            look: Look::Straight,
        }));
        self.push(Step::Receive(id));
        self.retire(comm);
        self.blame(Fault::Stolen, vec![id]);
    }
}
