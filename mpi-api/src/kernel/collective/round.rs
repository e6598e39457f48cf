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
    execution::{Execution, OwnOperation, Reducing},
    trial::{Fault, LARGEST, Made, Trial},
};
use crate::{
    call::{Incoming, Layout, Mode, Outgoing, Payload, Source},
    check::{combining, portability},
    collective::{Buffer, Region, Schedule, Step},
    finding::CallPlace,
    object::signature::{Primitive, Signature},
    settings::Races,
    trace::Protocol,
};

impl MpiKernel {
    /// Runs rounds until one has to wait for messages or processor time.
    pub(crate) fn next_round(&mut self, index: u32, s: &mut Sched) {
        self.run_rounds(index, true, s);
    }

    /// Like [`MpiKernel::next_round`]; `begins` is false if the messages of the present round are done.
    // The only caller of both halves of a round, which are inlined here.
    fn run_rounds(&mut self, index: u32, mut begins: bool, s: &mut Sched) {
        let schedule = Rc::clone(&self.collectives.executions[index].schedule);
        while (!begins || self.begin_round(index, &schedule, s))
            && self.end_round(index, &schedule, s)
        {
            begins = true;
        }
    }

    /// Starts the messages of the next round, or leaves the collective after the last one. True
    /// when the round has no messages left to wait for.
    fn begin_round(&mut self, index: u32, schedule: &Schedule, s: &mut Sched) -> bool {
        let e = &mut self.collectives.executions[index];
        let Some(end) = schedule.round_ends.get(e.round) else {
            self.leave_collective(index, s);
            return false;
        };
        let mut next = e.next_step;
        let steps = &schedule.steps[next..*end as usize];
        e.starting = true;
        let (me, size) = (e.me, e.members.size());
        let rank = |peer: u32| schedule.peers.rank(peer, me, size);
        for step in steps {
            match *step {
                Step::Send { to, from } => self.step_send(index, rank(to), from, s),
                Step::Receive { from, into } => self.step_receive(index, rank(from), into, s),
                Step::CombineLeft { .. }
                | Step::CombineRight { .. }
                | Step::CombineInOrder { .. }
                | Step::Copy { .. } => break,
            }
            next += 1;
        }
        let e = &mut self.collectives.executions[index];
        e.next_step = next;
        e.starting = false;
        e.outstanding == 0
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

    #[inline]
    fn step_send(&mut self, index: u32, to: u32, from: Region, s: &mut Sched) {
        if !self.shortcuts.free_rounds {
            let costs = &self.settings.costs;
            let cost = costs.send + costs.send_per_byte.time_for(from.bytes);
            self.work(index, SimTime::ZERO, cost);
        }
        if !self.send_packet(index, (to, from), s) {
            self.send_general(index, (to, from), s);
        }
    }

    /// Sends a region to a member as a general message.
    fn send_general(&mut self, index: u32, (to, from): (u32, Region), s: &mut Sched) {
        let e = &mut self.collectives.executions[index];
        let (tag, at) = (e.tag, e.busy_until);
        e.outstanding += 1;
        let (rank, comm, me) = (e.rank, e.comm, e.me);
        let ends = Ends { target: e.members.world_rank(to), source_rank: me };
        let outgoing = Outgoing {
            comm,
            dest: Some(to),
            tag,
            mode: Mode::Standard,
            payload: e.payload(from),
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
    #[inline]
    fn after_step(&mut self, index: u32, s: &mut Sched) {
        let e = &self.collectives.executions[index];
        if e.outstanding == 0 && !e.starting {
            self.finish_round(index, s);
        }
    }

    /// Ends a round whose messages are done, and continues with the next one.
    pub(super) fn finish_round(&mut self, index: u32, s: &mut Sched) {
        self.run_rounds(index, false, s);
    }

    /// Assigns a region to the message of a member in this round, which may have been sent already.
    #[inline]
    fn step_receive(&mut self, index: u32, from: u32, into: Region, s: &mut Sched) {
        let e = &mut self.collectives.executions[index];
        e.outstanding += 1;
        let queues = &mut self.ranks[e.rank as usize].queues;
        if !queues.has_unexpected() {
            e.awaited.push(from, into);
            return;
        }
        let pattern = Pattern { context: internal_context(e.comm), source: from, tag: e.tag };
        match queues.first_unexpected(pattern, &self.messages) {
            Some(message) => {
                queues.take(message, &mut self.messages);
                self.join(message, index, into, true, s);
            }
            None => e.awaited.push(from, into),
        }
    }

    /// Handles a message of a collective at its receiver, which may not have reached its round yet.
    pub(crate) fn admit_internal(&mut self, message: u32, s: &mut Sched) {
        let m = &mut self.messages[message];
        m.arrived = s.now();
        let (target, source) = (m.target, m.source_rank);
        let state = &mut self.ranks[target as usize];
        let into = state.executing.get(&(m.context, m.tag)).and_then(|index| {
            Some((*index, self.collectives.executions[*index].awaited.take(source)?))
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
        let e = &mut self.collectives.executions[index];
        if !e.fill(into, &payload) {
            self.report_blocks(index, source, (payload.bytes(), into.bytes), s);
            return;
        }
        self.step_filled(index, into.bytes, copies, s);
    }

    /// Books the work of a receiver whose region has been filled. Where that costs nothing, no price
    /// is computed.
    #[inline]
    pub(super) fn step_filled(&mut self, index: u32, bytes: u64, copies: bool, s: &mut Sched) {
        let e = &mut self.collectives.executions[index];
        e.outstanding -= 1;
        if self.shortcuts.free_rounds {
            e.busy_until = e.busy_until.max(s.now());
        } else {
            let cost = self.settings.costs.receive + self.taking(bytes, Layout::Dense, copies);
            self.work(index, s.now(), cost);
        }
        self.after_step(index, s);
    }

    /// Executes the combines and copies of a round whose messages are done. True when the next
    /// round may begin at once, false when an event will begin it or the run has ended.
    fn end_round(&mut self, index: u32, schedule: &Schedule, s: &mut Sched) -> bool {
        let e = &mut self.collectives.executions[index];
        e.busy_until = e.busy_until.max(e.sent_until);
        let end = schedule.round_ends[e.round] as usize;
        for step in &schedule.steps[e.next_step..end] {
            let (from, into, is_left) = match step {
                Step::Send { .. } | Step::Receive { .. } => continue,
                Step::Copy { from, into } => {
                    self.copy(index, *from, *into);
                    continue;
                }
                Step::CombineLeft { from, into } => (from, into, true),
                Step::CombineRight { from, into } => (from, into, false),
                Step::CombineInOrder { from, into, bit } => {
                    (from, into, self.collectives.executions[index].me & bit != 0)
                }
            };
            if !self.combine(index, (from, into), is_left, s) {
                return false;
            }
        }
        let e = &mut self.collectives.executions[index];
        e.next_step = end;
        e.round += 1;
        if e.busy_until > s.now() {
            s.schedule(e.busy_until, Event::Round(index));
            return false;
        }
        true
    }

    fn copy(&mut self, index: u32, from: Region, into: Region) {
        let e = &mut self.collectives.executions[index];
        if e.absent || from.buffer == Buffer::Input && e.in_place {
            return;
        }
        let (from, into) = e.buffers.two(from, into, &mut self.collectives.operand);
        into.copy_from_slice(from);
    }

    /// Reduces `from` into `into`; `is_left` says that `from` is the left operand. The operation may
    /// be the program's: its errors end the run, and the result is false.
    fn combine(
        &mut self,
        index: u32,
        (from, into): (&Region, &Region),
        is_left: bool,
        s: &mut Sched,
    ) -> bool {
        if !self.shortcuts.free_rounds {
            let cost = self.settings.costs.reduce.time_for(into.bytes);
            self.work(index, SimTime::ZERO, cost);
        }
        let Execution { buffers, reduction, absent, .. } = &mut self.collectives.executions[index];
        if *absent {
            return true;
        }
        let Some(Reducing { op, apply, symmetric, own }) = reduction else { return true };
        if let Some(own) = own {
            let own = own.clone();
            let operands = if is_left { (*from, *into) } else { (*into, *from) };
            return self.combine_by(own, index, operands, *into, s);
        }
        let spare = &mut self.collectives.operand;
        if is_left || *symmetric {
            let (operand, result) = buffers.two(*from, *into, spare);
            apply(op, operand, result);
        } else {
            spare.clear();
            spare.extend_from_slice(buffers.region(*from));
            apply(op, buffers.region(*into), spare);
            buffers.region_mut(*into).copy_from_slice(spare);
        }
        true
    }

    /// Like [`MpiKernel::combine`], with a function of the program.
    fn combine_by(
        &mut self,
        OwnOperation { function, comparable }: OwnOperation,
        index: u32,
        (left, right): (Region, Region),
        into: Region,
        s: &mut Sched,
    ) -> bool {
        let e = &self.collectives.executions[index];
        let process = self.ranks[e.rank as usize].process;
        let [left, mut combined] = [left, right].map(|region| e.buffers.region(region).to_vec());
        let tried = comparable.filter(|_| self.tries([&left, &combined]));
        let tried = tried.map(|how| (how, self.made_before(index)));
        let called = s.guarded(process, move || match tried {
            Some((how, before)) => {
                let made = Made::new(&function, how, [left, combined]);
                (made.result().to_vec(), Some(Trial::new(&function, how, made, before)))
            }
            None => {
                function(&left, &mut combined);
                (combined, None)
            }
        });
        let Some((result, trial)) = called else { return false };
        self.collectives.executions[index].buffers.region_mut(into).copy_from_slice(&result);
        if let Some(trial) = trial {
            self.judge(index, trial);
        }
        true
    }

    /// Reports whether a function is to be called in other ways with these operands, which only executions of a check do.
    /// It has no effect on what is simulated.
    fn tries(&self, [left, right]: [&[u8]; 2]) -> bool {
        let is_wanted =
            self.settings.races == Races::Causal || self.settings.environment.notes_portability;
        is_wanted && self.collectives.trials > 0 && left.len() <= LARGEST && left != right
    }

    /// Returns what the function of a collective operation has made before on this rank, if it was tried.
    fn made_before(&mut self, index: u32) -> Option<Made> {
        let e = &self.collectives.executions[index];
        self.collectives.made.remove(&(e.rank, e.instance))
    }

    /// Tells what is wrong with the function of a collective operation.
    fn judge(&mut self, index: u32, trial: Trial) {
        let e = &self.collectives.executions[index];
        let (rank, instance) = (e.rank, e.instance);
        self.collectives.trials -= 1;
        let fault = trial.fault();
        self.collectives.made.insert((rank, instance), trial.made);
        let Some(fault) = fault else { return };
        let site = self.collectives.entered(instance).site_of(rank);
        let place = CallPlace::at(site, self.collectives.executions[index].kind.name());
        let finding = match fault {
            Fault::NotCommutative(element) => combining::not_commutative(rank, place, element),
            Fault::NotAssociative(element) => combining::not_associative(rank, place, element),
            Fault::OnlyFirst(elements) => combining::only_first(rank, place, elements),
            Fault::Coupled(element) => portability::coupled_elements(rank, place, element),
        };
        self.tell(finding);
    }
}
