//! The rounds of an executing schedule: sends and receives first, then combines and copies.

use sim_core::SimTime;

use super::super::{
    Event, MpiKernel, Sched,
    request::{Kind, Owner, Pattern},
};
use crate::{
    call::{Incoming, Layout, Mode, Outgoing, Payload, Reduction, Source},
    collective::{Region, Step},
    object::{
        op::Op,
        signature::{Primitive, Signature},
    },
};

impl MpiKernel {
    /// Runs rounds until one has to wait for messages or processor time.
    pub(crate) fn next_round(&mut self, index: u32, s: &mut Sched) {
        loop {
            let e = &self.executions[index];
            if e.round == e.schedule.round_ends.len() {
                self.leave_collective(index, s);
                return;
            }
            self.begin_round(index, s);
            if self.executions[index].outstanding > 0 {
                return;
            }
            if !self.end_round(index, s) {
                return;
            }
        }
    }

    fn round_steps(&self, index: u32) -> std::ops::Range<usize> {
        let e = &self.executions[index];
        let start = if e.round == 0 { 0 } else { e.schedule.round_ends[e.round - 1] as usize };
        start..e.schedule.round_ends[e.round] as usize
    }

    fn begin_round(&mut self, index: u32, s: &mut Sched) {
        let steps = self.round_steps(index);
        let messages = self.executions[index].schedule.steps[steps.clone()]
            .iter()
            .filter(|step| matches!(step, Step::Send { .. } | Step::Receive { .. }))
            .count();
        self.executions[index].outstanding = messages;
        self.executions[index].starting = true;
        for position in steps {
            match self.executions[index].schedule.steps[position] {
                Step::Send { to, from } => self.step_send(index, to, from, s),
                Step::Receive { from, into } => self.step_receive(index, from, into, s),
                Step::CombineLeft { .. } | Step::CombineRight { .. } | Step::Copy { .. } => {}
            }
        }
        self.executions[index].starting = false;
    }

    fn step_send(&mut self, index: u32, to: u32, from: Region, s: &mut Sched) {
        let tag = self.executions[index].instance.tag();
        let cost =
            self.settings.costs.send + self.settings.costs.send_per_byte.time_for(from.bytes);
        let e = &mut self.executions[index];
        e.busy_until += cost;
        let (rank, comm, me, at) = (e.rank, e.comm, e.me, e.busy_until);
        let target = e.members.world_rank(to);
        let outgoing = Outgoing {
            comm,
            dest: Some(to),
            tag,
            mode: Mode::Standard,
            payload: Payload::from_slice(e.region(from)),
            signature: Signature::of(Primitive::Packed, from.bytes),
            layout: Layout::Dense,
        };
        let request = self.launch_internal(index, (rank, target, me), outgoing, at, s);
        self.executions[index].pending.extend(request);
    }

    /// The network takes an eager message of the round at `accepted`: the round lasts that long.
    pub(crate) fn step_sent(&mut self, index: u32, accepted: SimTime, s: &mut Sched) {
        let e = &mut self.executions[index];
        e.outstanding -= 1;
        e.sent_until = e.sent_until.max(accepted);
        self.after_step(index, s);
    }

    /// Goes on with the next round if this one has had its messages.
    fn after_step(&mut self, index: u32, s: &mut Sched) {
        let e = &self.executions[index];
        if e.outstanding == 0 && !e.starting && self.end_round(index, s) {
            self.next_round(index, s);
        }
    }

    fn step_receive(&mut self, index: u32, from: u32, into: Region, s: &mut Sched) {
        let tag = self.executions[index].instance.tag();
        let (rank, comm) = (self.executions[index].rank, self.executions[index].comm);
        let incoming = Incoming {
            comm,
            source: Source::Rank(from),
            tag: Some(tag),
            capacity: into.bytes,
            signature: Signature::of(Primitive::Packed, into.bytes),
            layout: Layout::Dense,
        };
        let kind = Kind::Receive(incoming);
        let request = self.new_request(rank, Owner::Collective(index), kind);
        let e = &mut self.executions[index];
        e.pending.push(request);
        e.places.push((request, into));
        let pattern = Pattern { context: comm.0 * 2 + 1, source: from, tag };
        self.enqueue_receive(rank, request, pattern, s);
    }

    /// One message of the round is done.
    pub(crate) fn step_done(&mut self, index: u32, request: u32, s: &mut Sched) {
        let r = &mut self.requests[request];
        let (payload, source, was_unexpected) =
            (r.payload.take(), r.status.source, r.was_unexpected);
        self.requests.free(request);
        let now = s.now();
        let e = &mut self.executions[index];
        e.pending.retain(|pending| *pending != request);
        e.outstanding -= 1;
        e.busy_until = e.busy_until.max(now);
        if let Some(payload) = payload {
            let bytes = payload.as_slice().len() as u64;
            let place = e.places.iter().position(|(id, _)| *id == request);
            let (_, into) = e.places.swap_remove(place.expect("a receive has its place"));
            if bytes != into.bytes {
                let source = source.map(|member| e.members.world_rank(member));
                let rank = e.rank;
                self.report_blocks(rank, source.unwrap_or(rank), (bytes, into.bytes), s);
                return;
            }
            e.region_mut(into).copy_from_slice(payload.as_slice());
            let cost =
                self.settings.costs.receive + self.taking(bytes, Layout::Dense, was_unexpected);
            self.executions[index].busy_until += cost;
        }
        self.after_step(index, s);
    }

    /// Combines and copies of a round whose messages are done. True when the next round may
    /// begin at once, false when an event will begin it or the run has ended.
    fn end_round(&mut self, index: u32, s: &mut Sched) -> bool {
        let e = &mut self.executions[index];
        e.busy_until = e.busy_until.max(e.sent_until);
        for position in self.round_steps(index) {
            let step = self.executions[index].schedule.steps[position];
            if !self.local_step(index, step, s) {
                return false;
            }
        }
        let e = &mut self.executions[index];
        e.round += 1;
        if e.busy_until > s.now() {
            let at = e.busy_until;
            s.schedule(at, Event::Round(index));
            return false;
        }
        true
    }

    /// False when the run has ended instead.
    fn local_step(&mut self, index: u32, step: Step, s: &mut Sched) -> bool {
        let e = &mut self.executions[index];
        match step {
            Step::Send { .. } | Step::Receive { .. } => true,
            Step::Copy { from, into } => {
                let bytes = e.region(from).to_vec();
                e.region_mut(into).copy_from_slice(&bytes);
                true
            }
            Step::CombineLeft { from, into } => self.combine(index, (from, into), into, s),
            Step::CombineRight { from, into } => self.combine(index, (into, from), into, s),
        }
    }

    /// Reduces two operands. The operation may be the program's: what it does wrong ends the run.
    fn combine(
        &mut self,
        index: u32,
        (left, right): (Region, Region),
        into: Region,
        s: &mut Sched,
    ) -> bool {
        let e = &mut self.executions[index];
        e.busy_until += self.settings.costs.reduce.time_for(into.bytes);
        let Some(Reduction { op, primitive, .. }) = e.reduction.clone() else { return true };
        let mut combined = std::mem::take(&mut self.operand);
        combined.clear();
        combined.extend_from_slice(e.region(right));
        if let Op::User { function, .. } = op {
            let process = self.ranks[e.rank as usize].process;
            let left = e.region(left).to_vec();
            let called = s.guarded(process, move || {
                function(&left, &mut combined);
                combined
            });
            let Some(result) = called else { return false };
            combined = result;
        } else {
            op.apply(primitive, e.region(left), &mut combined);
        }
        self.executions[index].region_mut(into).copy_from_slice(&combined);
        self.operand = combined;
        true
    }
}
