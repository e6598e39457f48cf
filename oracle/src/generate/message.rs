//! Random messages between two ranks, and several messages at once.

use mpi_api::call::Mode;

use super::{Builder, Feature, Half};
use crate::plan::{Id, Look, Message, Part, Step, Style, Together};

impl Builder {
    fn style(&mut self) -> Style {
        match (self.on(Feature::Immediate), self.on(Feature::Persistent)) {
            (false, false) => Style::Blocking,
            (true, false) => self.pick(&[Style::Blocking, Style::Immediate]),
            (false, true) => self.pick(&[Style::Blocking, Style::Persistent]),
            (true, true) => self.pick(&[Style::Blocking, Style::Immediate, Style::Persistent]),
        }
    }

    /// Returns a style that does not block.
    fn begun(&mut self) -> Style {
        if self.on(Feature::Persistent) && self.one_in(2) {
            Style::Persistent
        } else {
            Style::Immediate
        }
    }

    /// Returns a style of sending.
    fn send_style(&mut self) -> Style {
        if self.on(Feature::Forgotten) && self.one_in(5) { Style::Forgotten } else { self.style() }
    }

    fn mode(&mut self) -> Mode {
        if self.on(Feature::Modes) {
            self.pick(&[Mode::Standard, Mode::Standard, Mode::Buffered, Mode::Synchronous])
        } else {
            Mode::Standard
        }
    }

    /// Adds a standard-mode message between two ranks of a communicator, blocking on both sides.
    pub(super) fn message(&mut self, comm: Id, side: usize, from: u32, to: u32) -> Id {
        let types = self.types();
        let units = self.units();
        let sent_from = self.layout(&types, units, true);
        let more = if self.one_in(3) { self.below(4) } else { 0 };
        let received_into = self.layout(&types, units + more, false);
        let wild = self.on(Feature::Wildcards);
        let message = Message {
            comm,
            side,
            from,
            to,
            tag: self.below(3) as i32,
            rounds: 1,
            types,
            units,
            mode: Mode::Standard,
            send: Style::Blocking,
            sent_from,
            receive: Style::Blocking,
            look: Look::Straight,
            received_into,
            any_source: wild && self.one_in(3),
            any_tag: wild && self.one_in(3),
            proof: None,
        };
        self.plan.messages.push(message);
        self.plan.messages.len() - 1
    }

    /// Returns side, sender and receiver in a communicator. They are different processes unless
    /// `own` is set.
    fn pair(&mut self, own: bool) -> Option<(Id, usize, u32, u32)> {
        let live = self.live.clone();
        let id = if self.one_in(3) { self.pick(&live) } else { 0 };
        let comm = self.plan.comms[id].clone();
        let side = if comm.other.is_some() { self.below(2) as usize } else { 0 };
        let from = self.below(comm.side(side).len() as u64) as u32;
        let to = self.below(comm.facing(side).len() as u64) as u32;
        let same = comm.side(side)[from as usize] == comm.facing(side)[to as usize];
        (!same || own && self.on(Feature::SelfMessages)).then_some((id, side, from, to))
    }

    /// Adds a message with both halves in one step.
    pub(super) fn meet(&mut self) {
        let Some((comm, side, from, to)) = self.pair(false) else { return };
        let id = self.message(comm, side, from, to);
        let (send, receive) = (self.send_style(), self.style());
        let (mode, look) = (self.mode(), self.look());
        let rounds = self.range(1, 4) as u32;
        let message = &mut self.plan.messages[id];
        (message.send, message.receive, message.mode, message.look) = (send, receive, mode, look);
        if send != Style::Blocking || receive != Style::Blocking {
            message.rounds = rounds;
        }
        self.push(Step::Meet(id));
    }

    /// Adds one half of a message; the other half follows some steps later.
    pub(super) fn first_half(&mut self) {
        let Some((comm, side, from, to)) = self.pair(true) else { return };
        let id = self.message(comm, side, from, to);
        let send_first = self.one_in(2);
        let mode = self.mode();
        let (first, second) = (self.begun(), self.style());
        let look = self.look();
        let alone = mode == Mode::Buffered && self.one_in(2);
        let forgotten = self.on(Feature::Forgotten) && self.one_in(5);
        let later = self.send_style();
        let message = &mut self.plan.messages[id];
        message.mode = mode;
        if send_first {
            message.send = match (alone, forgotten) {
                (true, _) => Style::Blocking,
                (_, true) => Style::Forgotten,
                _ => first,
            };
            (message.receive, message.look) = (second, look);
        } else {
            (message.receive, message.send) = (first, later);
        }
        self.half(id, send_first);
        self.halves.push(Half { id, send: !send_first });
    }

    fn half(&mut self, id: Id, send: bool) {
        let message = &self.plan.messages[id];
        let (from, to) = self.plan.ends(message);
        let (rank, part, style) = if send {
            (from, Part::Sent(id), message.send)
        } else {
            (to, Part::Received(id), message.receive)
        };
        if !matches!(style, Style::Blocking | Style::Forgotten) {
            self.open.push((rank, part));
        }
        self.push(if send { Step::Send(id) } else { Step::Receive(id) });
    }

    pub(super) fn second_half(&mut self, half: Half) {
        self.half(half.id, half.send);
    }

    /// Adds a ready-mode message: the receive is posted, the sender is notified, then it sends.
    pub(super) fn ready(&mut self) {
        let Some((comm, side, from, to)) = self.pair(false) else { return };
        let other = if self.plan.comms[comm].other.is_some() { 1 - side } else { side };
        let id = self.message(comm, side, from, to);
        let proof = self.message(comm, other, to, from);
        let (begun, style) = (self.begun(), self.send_style());
        let message = &mut self.plan.messages[id];
        (message.mode, message.receive, message.send) = (Mode::Ready, begun, style);
        message.proof = Some(proof);
        self.half(id, false);
        self.push(Step::Meet(proof));
        self.half(id, true);
    }

    /// Adds several messages in one step.
    pub(super) fn exchange(&mut self) {
        let how = self.pick(&[
            Together::SendReceive,
            Together::SendReceive,
            Together::Replace,
            Together::Immediate,
            Together::Persistent,
            Together::SendFirst,
            Together::ReceiveFirst,
        ]);
        let live = self.live.clone();
        let candidates: Vec<Id> = live
            .into_iter()
            .filter(|id| *id == 0 || self.plan.comms[*id].other.is_none() && *id > 0)
            .collect();
        let comm = if self.one_in(3) { self.pick(&candidates) } else { 0 };
        let edges = self.edges(comm, how);
        let list: Vec<Id> =
            edges.into_iter().map(|(from, to)| self.message(comm, 0, from, to)).collect();
        let rounds = if how == Together::Persistent { self.range(1, 4) as u32 } else { 1 };
        let mixed = matches!(how, Together::Immediate | Together::Persistent);
        for id in &list {
            let mode = if mixed { self.mode() } else { Mode::Standard };
            let message = &mut self.plan.messages[*id];
            (message.rounds, message.mode) = (rounds, mode);
        }
        if let (Together::Replace, Some(first)) = (how, list.first()) {
            self.same_buffers(*first, &list);
        }
        if !list.is_empty() {
            self.push(Step::Exchange(list, how));
        }
    }

    /// Gives a buffer that is both sent and received one layout without overlaps.
    fn same_buffers(&mut self, first: Id, list: &[Id]) {
        let (types, units) = {
            let message = &self.plan.messages[first];
            (message.types.clone(), message.units)
        };
        let layout = self.layout(&types, units, false);
        for id in list {
            let message = &mut self.plan.messages[*id];
            (message.types, message.units) = (types.clone(), units);
            (message.sent_from, message.received_into) = (layout.clone(), layout.clone());
        }
    }

    /// Returns sender and receiver of each message.
    fn edges(&mut self, comm: Id, how: Together) -> Vec<(u32, u32)> {
        let size = self.plan.comms[comm].group.len() as u32;
        let shift = self.below(u64::from(size)) as u32;
        let chain = matches!(how, Together::SendFirst | Together::ReceiveFirst);
        if matches!(how, Together::Immediate | Together::Persistent) {
            let count = self.range(1, u64::from(size) + 2);
            let mut rank = || self.below(u64::from(size)) as u32;
            return (0..count).map(|_| (rank(), rank())).collect();
        }
        if chain || self.one_in(2) {
            // A chain has open ends.
            let by = shift.max(u32::from(chain));
            return (0..size).map(|from| (from, from + by)).filter(|edge| edge.1 < size).collect();
        }
        if self.one_in(2) {
            return (0..size).map(|from| (from, (from + shift) % size)).collect();
        }
        let mut targets: Vec<u32> = (0..size).collect();
        self.shuffle(&mut targets);
        (0..size).zip(targets).collect()
    }
}
