//! Executes collective schedules, round by round, in the background of each rank.
//!
//! A send costs the machine's send overhead and a receive its receive overhead, one after the
//! other on the rank's processor; so on a network without contention the closed forms of Thakur,
//! Rabenseifner and Gropp (2005) hold with alpha = o_s + L + o_r.

use sim_core::SimTime;

use super::{
    Event, MpiKernel, Sched,
    communicator::Instance,
    completion::Blocked,
    receive::FREE,
    request::{Kind, Owner, Pattern},
};
use crate::{
    call::{CollectiveCall, CollectiveKind, CommId, Incoming, Layout, Payload, Reply, Source},
    collective::{Buffer, Region, Schedule, Shape, Step},
    object::{
        cart::Cart,
        op::Op,
        signature::{Primitive, Signature},
    },
    settings::Synchronisation,
};

/// One rank's part in a collective operation that is under way.
pub(crate) struct Execution {
    pub(crate) rank: u32,
    pub(crate) comm: CommId,
    pub(crate) kind: CollectiveKind,
    pub(crate) instance: (u32, u32),
    /// Requests of the present round that have not completed.
    pub(crate) pending: Vec<u32>,
    /// Waits at the gate for the others to enter.
    pub(crate) gated: bool,
    me: u32,
    schedule: Schedule,
    round: usize,
    input: Vec<u8>,
    output: Vec<u8>,
    scratch: Vec<u8>,
    reduction: Option<(Op, Primitive)>,
    /// Where the receives of the present round put their data.
    places: Vec<(u32, Region)>,
    outstanding: usize,
    /// The round is being started: a completion does not end it yet.
    starting: bool,
    busy_until: SimTime,
    color: Option<u32>,
}

/// The api's spelling of a collective.
pub(crate) fn kind_name(kind: CollectiveKind) -> &'static str {
    match kind {
        CollectiveKind::Barrier => "barrier",
        CollectiveKind::Broadcast => "broadcast",
        CollectiveKind::Gather => "gather",
        CollectiveKind::Scatter => "scatter",
        CollectiveKind::Allgather => "all_gather",
        CollectiveKind::Alltoall => "all_to_all",
        CollectiveKind::Reduce => "reduce",
        CollectiveKind::Allreduce => "all_reduce",
        CollectiveKind::ReduceScatter => "reduce_scatter",
        CollectiveKind::Scan => "scan",
        CollectiveKind::Exscan => "exclusive_scan",
        CollectiveKind::CommDup => "duplicate",
        CollectiveKind::CommSplit => "split",
        CollectiveKind::CommFree => "free_communicator",
        CollectiveKind::Finalize => "finalize",
    }
}

impl MpiKernel {
    /// One rank enters a collective operation.
    pub(crate) fn enter_collective(
        &mut self,
        rank: u32,
        call: CollectiveCall,
        split: Option<(Option<u32>, i32, Option<Cart>)>,
        s: &mut Sched,
    ) {
        let size = self.comms.size(call.comm);
        let me = self.comms.rank_in(call.comm, rank);
        let instance = (call.comm.0, self.next_collective(rank, call.comm));
        if call.comm != CommId::SELF && self.enter_instance(rank, instance, &call, s) {
            return;
        }
        if let Some(shared) = self.instances.get_mut(&instance) {
            shared.entered += 1;
            if let Some((color, key, cart)) = &split {
                shared.splits.push((me, *color, *key));
                shared.cart = cart.clone().or(shared.cart.take());
            }
        }
        let schedule = self.schedule_for(&call, me, size);
        let execution = Execution {
            rank,
            comm: call.comm,
            kind: call.kind,
            instance,
            pending: Vec::new(),
            gated: false,
            me,
            round: 0,
            output: vec![0; schedule.output_bytes as usize],
            scratch: vec![0; schedule.scratch_bytes as usize],
            schedule,
            input: call.input,
            reduction: call.reduction,
            places: Vec::new(),
            outstanding: 0,
            starting: false,
            busy_until: s.now(),
            color: split.as_ref().map_or(Some(0), |split| split.0),
        };
        let index = self.executions.insert(execution);
        self.ranks[rank as usize].blocked = Some(Blocked::Collective(index));
        let all_needed = self.settings.synchronisation == Synchronisation::Full
            || matches!(self.executions[index].kind, CollectiveKind::CommSplit);
        self.pass_gate(index, size, all_needed, s);
    }

    fn schedule_for(&self, call: &CollectiveCall, me: u32, size: u32) -> Schedule {
        if size == 1 && call.comm == CommId::SELF && matches!(call.kind, CollectiveKind::CommDup) {
            return Schedule::default();
        }
        let shape = Shape {
            kind: call.kind,
            size,
            rank: me,
            root: call.root,
            send: call.send.clone(),
            receive: call.receive.clone(),
            element_bytes: call.reduction.as_ref().map_or(1, |(op, p)| op.element_bytes(*p)),
            commutative: call.reduction.as_ref().is_none_or(|(op, _)| op.is_commutative()),
        };
        self.settings.selector.schedule(&shape, self.settings.synchronisation).1
    }

    fn next_collective(&mut self, rank: u32, comm: CommId) -> u32 {
        let counters = &mut self.ranks[rank as usize].collectives;
        match counters.iter_mut().find(|(id, _)| *id == comm.0) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                counters.push((comm.0, 0));
                0
            }
        }
    }

    /// Compares the call with the first rank's. True when they disagree and the run has ended.
    fn enter_instance(
        &mut self,
        rank: u32,
        instance: (u32, u32),
        call: &CollectiveCall,
        s: &mut Sched,
    ) -> bool {
        let site = self.ranks[rank as usize].site;
        let op = call.reduction.as_ref().map(|(op, _)| format!("{op:?}"));
        let shared = self.instances.entry(instance).or_insert_with(|| Instance {
            first: (rank, site, call.kind, call.root, op.clone(), call.signature.clone()),
            entered: 0,
            left: 0,
            gate: Vec::new(),
            splits: Vec::new(),
            cart: None,
            made: Vec::new(),
        });
        let (first, _, kind, root, first_op, signature) = shared.first.clone();
        if first == rank {
            return false;
        }
        self.compare_calls(rank, call, (first, kind, root, first_op, signature), op, instance, s)
    }

    fn pass_gate(&mut self, index: u32, size: u32, all_needed: bool, s: &mut Sched) {
        let instance = self.executions[index].instance;
        let waits = match self.instances.get_mut(&instance) {
            Some(shared) if all_needed && shared.entered < size => {
                shared.gate.push(index);
                true
            }
            _ => false,
        };
        if waits {
            self.executions[index].gated = true;
            return;
        }
        let held = self
            .instances
            .get_mut(&instance)
            .map(|shared| std::mem::take(&mut shared.gate))
            .unwrap_or_default();
        for execution in held.into_iter().chain([index]) {
            let now = s.now();
            let e = &mut self.executions[execution];
            e.gated = false;
            e.busy_until = e.busy_until.max(now);
            self.next_round(execution, s);
        }
    }

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

    /// Tag inside collectives: the operation's number, so that two never mix.
    fn internal_tag(&self, index: u32) -> i32 {
        (self.executions[index].instance.1 & 0x7fff_ffff) as i32
    }

    fn step_send(&mut self, index: u32, to: u32, from: Region, s: &mut Sched) {
        let tag = self.internal_tag(index);
        let cost =
            self.settings.costs.send + self.settings.costs.send_per_byte.time_for(from.bytes);
        let e = &mut self.executions[index];
        e.busy_until += cost;
        let (rank, comm, me, at) = (e.rank, e.comm, e.me, e.busy_until);
        let payload = Payload::from_slice(e.region(from));
        let target = self.comms.world_rank(comm, to, rank);
        let request = self.new_request(rank, Owner::Collective(index), Kind::Send(None));
        self.executions[index].pending.push(request);
        let context = comm.0 * 2 + 1;
        self.launch_internal((rank, target, me), (context, tag), payload, request, at, s);
    }

    fn step_receive(&mut self, index: u32, from: u32, into: Region, s: &mut Sched) {
        let tag = self.internal_tag(index);
        let (rank, comm) = (self.executions[index].rank, self.executions[index].comm);
        let incoming = Incoming {
            comm,
            source: Source::Rank(from),
            tag: Some(tag),
            capacity: into.bytes,
            signature: Signature::of(Primitive::Packed, into.bytes),
            layout: Layout::Dense,
        };
        let kind = Kind::Receive(Box::new(incoming));
        let request = self.new_request(rank, Owner::Collective(index), kind);
        let e = &mut self.executions[index];
        e.pending.push(request);
        e.places.push((request, into));
        let pattern = Pattern { context: comm.0 * 2 + 1, source: from, tag };
        self.enqueue_receive(rank, request, pattern, s);
    }

    /// One message of the round is done.
    pub(crate) fn step_done(&mut self, index: u32, request: u32, s: &mut Sched) {
        let r = self.requests.remove(request);
        let now = s.now();
        let e = &mut self.executions[index];
        e.pending.retain(|pending| *pending != request);
        e.outstanding -= 1;
        e.busy_until = e.busy_until.max(now);
        if let Some(payload) = r.payload {
            let bytes = payload.as_slice().len() as u64;
            let place = e.places.iter().position(|(id, _)| *id == request);
            let (_, into) = e.places.swap_remove(place.expect("a receive has its place"));
            e.region_mut(into).copy_from_slice(payload.as_slice());
            let cost =
                self.settings.costs.receive + self.taking(bytes, Layout::Dense, r.was_unexpected);
            self.executions[index].busy_until += cost;
        }
        let e = &self.executions[index];
        if e.outstanding == 0 && !e.starting && self.end_round(index, s) {
            self.next_round(index, s);
        }
    }

    /// Combines and copies of a round whose messages are done. True when the next round may
    /// begin at once, false when an event will begin it.
    fn end_round(&mut self, index: u32, s: &mut Sched) -> bool {
        for position in self.round_steps(index) {
            let step = self.executions[index].schedule.steps[position];
            self.local_step(index, step);
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

    fn local_step(&mut self, index: u32, step: Step) {
        let costs = &self.settings.costs;
        let e = &mut self.executions[index];
        match step {
            Step::Send { .. } | Step::Receive { .. } => {}
            Step::Copy { from, into } => {
                let bytes = e.region(from).to_vec();
                e.region_mut(into).copy_from_slice(&bytes);
            }
            Step::CombineLeft { from, into } => {
                e.busy_until += costs.reduce.time_for(from.bytes);
                let left = e.region(from).to_vec();
                if let Some((op, primitive)) = e.reduction.clone() {
                    op.apply(primitive, &left, e.region_mut(into));
                }
            }
            Step::CombineRight { from, into } => {
                e.busy_until += costs.reduce.time_for(from.bytes);
                let mut right = e.region(from).to_vec();
                if let Some((op, primitive)) = e.reduction.clone() {
                    op.apply(primitive, e.region(into), &mut right);
                }
                e.region_mut(into).copy_from_slice(&right);
            }
        }
    }

    fn leave_collective(&mut self, index: u32, s: &mut Sched) {
        let e = self.executions.remove(index);
        let overhead = e.busy_until;
        self.ranks[e.rank as usize].blocked = None;
        let reply = match e.kind {
            CollectiveKind::CommDup | CollectiveKind::CommSplit => {
                let info = self.made_comm(e.comm, e.instance, e.rank, e.color);
                Reply::Comm(info.map(Box::new))
            }
            _ => Reply::Data(e.output),
        };
        if let Some(shared) = self.instances.get_mut(&e.instance) {
            shared.left += 1;
            if shared.left == self.comms.size(e.comm) {
                self.instances.remove(&e.instance);
            }
        }
        let ready = overhead.max(s.now());
        self.answer(e.rank, ready, FREE, reply, s);
    }
}

impl Execution {
    fn region(&self, region: Region) -> &[u8] {
        let buffer = match region.buffer {
            Buffer::Input => &self.input,
            Buffer::Output => &self.output,
            Buffer::Scratch => &self.scratch,
        };
        &buffer[region.offset as usize..(region.offset + region.bytes) as usize]
    }

    fn region_mut(&mut self, region: Region) -> &mut [u8] {
        let buffer = match region.buffer {
            Buffer::Input => &mut self.input,
            Buffer::Output => &mut self.output,
            Buffer::Scratch => &mut self.scratch,
        };
        &mut buffer[region.offset as usize..(region.offset + region.bytes) as usize]
    }
}
