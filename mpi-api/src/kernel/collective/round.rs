//! The rounds of an executing schedule: sends and receives first, then combines and copies.

use std::rc::Rc;

use sim_core::{SimDuration, SimTime};

use super::{
    super::{
        Event, MpiKernel, Sched,
        communicator::table::Ends,
        request::completion::Blocked,
        request::table::{Kind, Owner, Pattern, internal_context},
        transport::message::Phase,
        transport::protocol::receiver_copies,
        transport::receive::delivered,
    },
    execution::{Execution, Reducing},
};
use crate::{
    call::{Incoming, Layout, Mode, Outgoing, Payload, Source},
    collective::{Buffer, Region, Step},
    object::{
        op::UserFunction,
        signature::{Primitive, Signature},
    },
    trace::Protocol,
};

impl MpiKernel {
    /// Runs rounds until one has to wait for messages or processor time.
    pub(crate) fn next_round(&mut self, index: u32, s: &mut Sched) {
        loop {
            let e = &self.collectives.executions[index];
            if e.round == e.schedule.round_ends.len() {
                self.leave_collective(index, s);
                return;
            }
            self.begin_round(index, s);
            if self.collectives.executions[index].outstanding > 0 {
                return;
            }
            if !self.end_round(index, s) {
                return;
            }
        }
    }

    fn begin_round(&mut self, index: u32, s: &mut Sched) {
        let e = &mut self.collectives.executions[index];
        let schedule = Rc::clone(&e.schedule);
        e.starting = true;
        let end = schedule.round_ends[e.round] as usize;
        let (me, size) = (e.me, e.members.size());
        let rank = |peer: u32| schedule.peers.rank(peer, me, size);
        for step in &schedule.steps[e.first_step..end] {
            match *step {
                Step::Send { to, from } => self.step_send(index, rank(to), from, s),
                Step::Receive { from, into } => self.step_receive(index, rank(from), into, s),
                Step::CombineLeft { .. } | Step::CombineRight { .. } | Step::Copy { .. } => {}
            }
        }
        self.collectives.executions[index].starting = false;
    }

    /// Books processor time for the collective from `start` on, or from the end of earlier work for
    /// it. A rank that is blocked in the collective does nothing else; for others the time is
    /// recorded when the rank waits for the request.
    #[inline]
    pub(super) fn work(&mut self, index: u32, start: SimTime, cost: SimDuration) {
        let e = &self.collectives.executions[index];
        let (rank, start) = (e.rank, e.busy_until.max(start));
        let cost = if cost > SimDuration::ZERO { self.with_noise(rank, start, cost) } else { cost };
        self.collectives.executions[index].busy_until = start + cost;
        if cost > SimDuration::ZERO {
            self.account(index, start, cost);
        }
    }

    /// Records the times of processor work that began at `start`.
    fn account(&mut self, index: u32, start: SimTime, cost: SimDuration) {
        let e = &mut self.collectives.executions[index];
        if !e.is_blocking() {
            e.background += cost;
            return;
        }
        let rank = e.rank;
        let waits = |blocked: &Blocked| matches!(blocked, Blocked::Collective(e) if *e == index);
        let before = self.wake_whom(rank, waits);
        self.wait_until(rank, start);
        self.book(rank, cost);
        self.switch_back(rank, before);
    }

    fn step_send(&mut self, index: u32, to: u32, from: Region, s: &mut Sched) {
        let cost =
            self.settings.costs.send + self.settings.costs.send_per_byte.time_for(from.bytes);
        if cost > SimDuration::ZERO {
            self.work(index, SimTime::ZERO, cost);
        }
        let at = self.collectives.executions[index].busy_until;
        if self.send_packet(index, (to, from), at, s) {
            return;
        }
        let e = &mut self.collectives.executions[index];
        let tag = e.tag;
        e.outstanding += 1;
        let (rank, comm, me) = (e.rank, e.comm, e.me);
        let ends = Ends { target: e.members.world_rank(to), source_rank: me };
        let outgoing = Outgoing {
            comm,
            dest: Some(to),
            tag,
            mode: Mode::Standard,
            payload: Payload::from_slice(e.buffers.region(from)),
            signature: Signature::of(Primitive::Packed, from.bytes),
            layout: Layout::Dense,
        };
        let request = self.launch_internal(index, (rank, ends), outgoing, at, s);
        if let Some(request) = request {
            self.collectives.executions[index].pending.push(request);
        }
    }

    /// Records that the network takes an eager message of the round at `accepted`; the round lasts
    /// at least that long.
    pub(crate) fn step_sent(&mut self, index: u32, accepted: SimTime, s: &mut Sched) {
        let e = &mut self.collectives.executions[index];
        e.outstanding -= 1;
        e.sent_until = e.sent_until.max(accepted);
        self.after_step(index, s);
    }

    /// Continues with the next round if all messages of this one are done.
    fn after_step(&mut self, index: u32, s: &mut Sched) {
        let e = &self.collectives.executions[index];
        if e.outstanding == 0 && !e.starting && self.end_round(index, s) {
            self.next_round(index, s);
        }
    }

    /// Assigns a region to the message of a member in this round, which may have been sent already.
    fn step_receive(&mut self, index: u32, from: u32, into: Region, s: &mut Sched) {
        let e = &mut self.collectives.executions[index];
        e.outstanding += 1;
        let pattern = Pattern { context: internal_context(e.comm), source: from, tag: e.tag };
        let queues = &mut self.ranks[e.rank as usize].queues;
        if !queues.has_unexpected() {
            e.awaited.push_back((from, into));
            return;
        }
        match queues.first_unexpected(pattern, &self.messages) {
            Some(message) => {
                queues.take(message, &mut self.messages);
                self.join(message, index, into, true, s);
            }
            None => e.awaited.push_back((from, into)),
        }
    }

    /// Handles a message of a collective at its receiver, which may not have reached its round yet.
    pub(crate) fn admit_internal(&mut self, message: u32, s: &mut Sched) {
        let m = &mut self.messages[message];
        m.arrived = s.now();
        let (target, source) = (m.target, m.source_rank);
        let state = &mut self.ranks[target as usize];
        let into = state.executing.get(&(m.context, m.tag)).and_then(|index| {
            Some((*index, self.collectives.executions[*index].take_awaited(source)?))
        });
        match into {
            Some((index, into)) => self.join(message, index, into, false, s),
            None => self.keep_internal(message),
        }
    }

    /// Keeps a message of a collective whose receiver has not reached its round yet.
    pub(super) fn keep_internal(&mut self, message: u32) {
        let m = &mut self.messages[message];
        m.phase = Phase::Unexpected;
        self.ranks[m.target as usize].queues.keep(message, &mut self.messages);
    }

    /// Matches a message with its region in a collective.
    fn join(&mut self, message: u32, index: u32, into: Region, waited: bool, s: &mut Sched) {
        let m = &mut self.messages[message];
        if m.protocol == Protocol::Rendezvous {
            let from = m.source_rank;
            let request = self.internal_receive(index, from, into);
            self.requests[request].copies = receiver_copies(Protocol::Rendezvous, waited);
            self.match_pair(message, request, s);
            return;
        }
        s.record(m.id);
        if let Some(sink) = &mut self.journal.sink {
            sink.record(delivered(m, s.now()));
        }
        let payload = std::mem::replace(&mut m.payload, Payload::EMPTY);
        let source = m.source;
        self.messages.free(message);
        let copies = receiver_copies(Protocol::Eager, waited);
        self.step_received(index, (source, payload, copies), into, s);
    }

    /// Creates the request of a receive whose data are yet to be fetched.
    fn internal_receive(&mut self, index: u32, from: u32, into: Region) -> u32 {
        let e = &self.collectives.executions[index];
        let incoming = Incoming {
            comm: e.comm,
            source: Source::Rank(from),
            tag: Some(e.tag),
            capacity: into.bytes,
            signature: Signature::of(Primitive::Packed, into.bytes),
            layout: Layout::Dense,
        };
        let (rank, owner) = (e.rank, Owner::Collective(index));
        let request = self.new_request(rank, owner, Kind::Receive(incoming));
        let e = &mut self.collectives.executions[index];
        e.pending.push(request);
        e.places.push((request, into));
        request
    }

    /// Handles the completion of a request of the round.
    pub(crate) fn step_done(&mut self, index: u32, request: u32, s: &mut Sched) {
        let r = &mut self.requests[request];
        let (payload, source, copies) = (r.payload.take(), r.status.source, r.copies);
        self.requests.free(request);
        let e = &mut self.collectives.executions[index];
        e.pending.retain(|pending| *pending != request);
        if let Some(payload) = payload {
            let place = e.places.iter().position(|(id, _)| *id == request);
            let (_, into) = e.places.swap_remove(place.expect("a receive has its place"));
            let source = source.map_or(e.rank, |member| e.members.world_rank(member));
            self.step_received(index, (source, payload, copies), into, s);
            return;
        }
        e.outstanding -= 1;
        e.busy_until = e.busy_until.max(s.now());
        self.after_step(index, s);
    }

    /// Handles the arrival of data of the round from this world rank; the receiver may have to copy
    /// them.
    fn step_received(
        &mut self,
        index: u32,
        (source, payload, copies): (u32, Payload, bool),
        into: Region,
        s: &mut Sched,
    ) {
        let data = payload.as_slice();
        let filled = self.collectives.executions[index].buffers.fill(into, data);
        self.step_filled(index, (source, data.len() as u64, copies), (into, filled), s);
    }

    /// Handles the arrival of data of the round from this world rank; `filled` says whether they
    /// had the size of their region and have been written to it.
    #[inline]
    pub(super) fn step_filled(
        &mut self,
        index: u32,
        (source, bytes, copies): (u32, u64, bool),
        (into, filled): (Region, bool),
        s: &mut Sched,
    ) {
        if !filled {
            let rank = self.collectives.executions[index].rank;
            self.report_blocks(rank, source, (bytes, into.bytes), s);
            return;
        }
        let cost = self.settings.costs.receive + self.taking(bytes, Layout::Dense, copies);
        self.collectives.executions[index].outstanding -= 1;
        self.work(index, s.now(), cost);
        self.after_step(index, s);
    }

    /// Executes the combines and copies of a round whose messages are done. True when the next
    /// round may begin at once, false when an event will begin it or the run has ended.
    fn end_round(&mut self, index: u32, s: &mut Sched) -> bool {
        let e = &mut self.collectives.executions[index];
        e.busy_until = e.busy_until.max(e.sent_until);
        let schedule = Rc::clone(&e.schedule);
        let end = schedule.round_ends[e.round] as usize;
        for step in &schedule.steps[e.first_step..end] {
            if !self.local_step(index, *step, s) {
                return false;
            }
        }
        let e = &mut self.collectives.executions[index];
        e.first_step = end;
        e.round += 1;
        if e.busy_until > s.now() {
            let at = e.busy_until;
            s.schedule(at, Event::Round(index));
            return false;
        }
        true
    }

    /// Executes a copy or combine step. False when the run has ended instead.
    #[inline]
    fn local_step(&mut self, index: u32, step: Step, s: &mut Sched) -> bool {
        match step {
            Step::Send { .. } | Step::Receive { .. } => true,
            Step::Copy { from, .. }
                if from.buffer == Buffer::Input && self.collectives.executions[index].in_place =>
            {
                true
            }
            Step::Copy { from, into } => {
                let buffers = &mut self.collectives.executions[index].buffers;
                let (from, into) = buffers.two(from, into, &mut self.collectives.operand);
                into.copy_from_slice(from);
                true
            }
            Step::CombineLeft { from, into } => self.combine(index, (from, into), into, s),
            Step::CombineRight { from, into } => self.combine(index, (into, from), into, s),
        }
    }

    /// Reduces two operands. The operation may be the program's: its errors end the run.
    fn combine(
        &mut self,
        index: u32,
        (left, right): (Region, Region),
        into: Region,
        s: &mut Sched,
    ) -> bool {
        let cost = self.settings.costs.reduce.time_for(into.bytes);
        if cost > SimDuration::ZERO {
            self.work(index, SimTime::ZERO, cost);
        }
        let Execution { buffers, reduction, .. } = &mut self.collectives.executions[index];
        let Some(Reducing { op, apply, symmetric, function }) = reduction else { return true };
        if let Some(function) = function {
            let function = Rc::clone(function);
            return self.combine_by(function, index, (left, right), into, s);
        }
        if into == right {
            let (left, result) = buffers.two(left, right, &mut self.collectives.operand);
            apply(op, left, result);
        } else if *symmetric {
            let (right, result) = buffers.two(right, left, &mut self.collectives.operand);
            apply(op, right, result);
        } else {
            let combined = &mut self.collectives.operand;
            combined.clear();
            combined.extend_from_slice(buffers.region(right));
            apply(op, buffers.region(left), combined);
            buffers.region_mut(into).copy_from_slice(combined);
        }
        true
    }

    /// Like [`MpiKernel::combine`], with a function of the program.
    fn combine_by(
        &mut self,
        function: UserFunction,
        index: u32,
        (left, right): (Region, Region),
        into: Region,
        s: &mut Sched,
    ) -> bool {
        let e = &self.collectives.executions[index];
        let process = self.ranks[e.rank as usize].process;
        let left = e.buffers.region(left).to_vec();
        let mut combined = e.buffers.region(right).to_vec();
        let called = s.guarded(process, move || {
            function(&left, &mut combined);
            combined
        });
        let Some(result) = called else { return false };
        self.collectives.executions[index].buffers.region_mut(into).copy_from_slice(&result);
        true
    }
}
