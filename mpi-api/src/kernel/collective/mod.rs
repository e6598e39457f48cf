//! Executes collective schedules, round by round, in the background of each rank.
//!
//! A send costs the machine's send overhead and a receive its receive overhead, one after the other
//! on the rank's processor; so on a network without contention the closed forms of Thakur,
//! Rabenseifner and Gropp (2005) hold with alpha = o_s + L + o_r.
//!
//! State: `instance` is what the ranks of one operation share, with `agreement`, `blocks`, `roles` and
//! `construction`; `execution` is the part of one rank, `packet` a message, `key` the identity of an
//! operation, `template` a persistent one. Steps: `number` gives an operation its key, `gate` lets
//! ranks in, where `agree`, `compare_blocks`, `compare_edges` and `between_groups` compare their arguments, `begin`
//! makes a rank's part, `round` and `short_path` carry it out, `making` constructs communicators, `order` has the
//! calls that only need to agree.

use std::rc::Rc;

use crate::{
    call::{
        CollectiveCall, CollectiveEntry, CollectiveKind, CommId, Management, Payload, Reply, Site,
    },
    check::count_mismatch::BlockCall,
    collective::Buffer,
    error::{ErrorClass, MpiError},
    kernel::{
        MpiKernel, Sched,
        collective::{
            construction::CommConstruction,
            execution::{SPARE_MAX, function_of},
            instance::Manner,
            template::{EntryMode, Template},
        },
        request::{
            completion::Blocked,
            table::{Kind, Owner, State, internal_context},
        },
        transport::receive::FREE,
    },
    policy::Policy,
    settings::CollectiveSynchronization,
    spawn::Spawned,
};

mod agree;
pub(crate) mod agreement;
mod begin;
mod between_groups;
mod blocks;
pub(in crate::kernel) mod collectives;
mod compare_blocks;
mod compare_edges;
pub(in crate::kernel) mod construction;
pub(in crate::kernel) mod execution;
mod foresight;
pub(crate) mod gate;
pub(in crate::kernel) mod instance;
pub(crate) mod key;
pub(crate) mod making;
mod number;
mod order;
pub(crate) mod packet;
pub(in crate::kernel) mod roles;
mod round;
mod short_path;
pub(in crate::kernel) mod template;
mod trial;

/// Reports whether the result depends on all ranks, so that no rank can continue before all have
/// entered.
fn needs_all(kind: CollectiveKind) -> bool {
    matches!(kind, CollectiveKind::Management(call) if call.needs_all())
}

impl MpiKernel {
    /// Executes a call that enters a collective operation.
    pub(super) fn collective_call(&mut self, rank: u32, call: CollectiveEntry, s: &mut Sched) {
        match call {
            CollectiveEntry::Blocking(call) => {
                let how = EntryMode::Blocking;
                self.enter_collective(rank, call, CommConstruction::Nothing, how, s);
            }
            CollectiveEntry::Immediate(call) => self.start_collective(rank, call, s),
            CollectiveEntry::Persistent(call) => self.init_collective(rank, call, s),
        }
    }

    /// Makes one rank enter a collective operation.
    pub(crate) fn enter_collective(
        &mut self,
        rank: u32,
        mut call: Box<CollectiveCall>,
        making: CommConstruction,
        how: EntryMode,
        s: &mut Sched,
    ) {
        if self.has_threads() && self.entered_twice(rank, call.comm, &how, s) {
            return;
        }
        if matches!(how, EntryMode::Blocking) && !self.has_root(rank, &call, s) {
            return;
        }
        if call.kind == CollectiveKind::Scan
            && self.settings.environment.policies.differs(Policy::Scan)
        {
            call.kind = CollectiveKind::Exscan;
        }
        let key = match &how {
            EntryMode::Blocking | EntryMode::Request(_) => self.ordered_key(rank, call.comm),
            EntryMode::Start(_, channel, start) => {
                self.persistent_key(rank, call.comm, *channel, *start)
            }
            EntryMode::Group(group, tag) => self.group_key(rank, call.comm, tag, group),
        };
        let present = self.ranks[rank as usize].site;
        let (manner, site) = match &how {
            EntryMode::Blocking | EntryMode::Group(..) => (Manner::Blocking, present),
            EntryMode::Request(_) => (Manner::Nonblocking, present),
            EntryMode::Start(request, ..) => (Manner::Persistent, self.requests[*request].site),
        };
        let Some(tag) = self.enter_instance(rank, key, &call, (&making, manner, site), s) else {
            return;
        };
        let members = match &how {
            EntryMode::Group(group, _) => group.clone(),
            _ => self.comms.members(call.comm, rank),
        };
        if self.history.is_some() {
            let place = (members.rank_of(rank).unwrap_or_default(), members.size());
            self.follow_entry(rank, (key, &call), place, &how);
        }
        let request = match how {
            EntryMode::Request(request) | EntryMode::Start(request, ..) => Some(request),
            EntryMode::Blocking | EntryMode::Group(..) => None,
        };
        let color = match making {
            CommConstruction::Place { color, .. } => color,
            CommConstruction::Bridge(..)
            | CommConstruction::Spawn(_)
            | CommConstruction::Port(_)
            | CommConstruction::Nothing => Some(0),
        };
        let (kind, form, ranks) = (call.kind, call.form, members.size());
        let part = (members, request, color);
        let execution = match self.execution(rank, call, (key, tag), part, s.now()) {
            Ok(execution) => execution,
            Err((given, needed)) => {
                let call = BlockCall::new(kind, form, ranks);
                return self.report_own_blocks((rank, site), call, (given, needed), s);
            }
        };
        if self.journal.sink.is_some() {
            self.observe_algorithm(&execution);
        }
        let index = self.collectives.executions.insert(execution);
        if request.is_none() {
            self.ranks[rank as usize].blocked = Some(Blocked::Collective(index));
        }
        let all =
            self.settings.synchronisation == CollectiveSynchronization::Full || needs_all(kind);
        self.pass_gate(index, all, s);
    }

    /// Reports whether policy permits blocking collectives only; then the call fails.
    fn is_blocking_only(&mut self, rank: u32, comm: CommId, s: &mut Sched) -> bool {
        let absent = self.settings.environment.policies.differs(Policy::NonblockingCollectives);
        if absent {
            let text = "the policy has no nonblocking or persistent collectives";
            self.raise(rank, comm, MpiError::new(ErrorClass::Other, text), s);
        }
        absent
    }

    /// Executes `MPI_Ibarrier` and the other nonblocking collectives.
    pub(crate) fn start_collective(&mut self, rank: u32, call: Box<CollectiveCall>, s: &mut Sched) {
        if self.is_blocking_only(rank, call.comm, s) || !self.has_root(rank, &call, s) {
            return;
        }
        let request = self.collective_request(rank, s);
        let how = EntryMode::Request(request);
        self.enter_collective(rank, call, CommConstruction::Nothing, how, s);
    }

    /// Executes `MPI_Comm_idup`.
    pub(crate) fn start_duplicate(&mut self, rank: u32, comm: CommId, s: &mut Sched) {
        if self.is_blocking_only(rank, comm, s) {
            return;
        }
        let request = self.collective_request(rank, s);
        self.duplicate(rank, comm, EntryMode::Request(request), s);
    }

    /// Creates a request for the program, which continues.
    fn collective_request(&mut self, rank: u32, s: &mut Sched) -> u32 {
        let request = self.new_request(rank, Owner::Program, Kind::Collective(None));
        let id = self.request_id(request);
        let cost = self.settings.costs.post_send;
        let now = s.now();
        self.answer(rank, now, cost, Reply::Request(id), s);
        request
    }

    /// Executes `MPI_Barrier_init` and the other initializations of persistent collectives.
    pub(crate) fn init_collective(&mut self, rank: u32, call: Box<CollectiveCall>, s: &mut Sched) {
        if self.is_blocking_only(rank, call.comm, s) || !self.has_root(rank, &call, s) {
            return;
        }
        if !self.call_in_order(rank, &call, Manner::Initialization, s) {
            return;
        }
        let channel = self.persistent_channel(rank, call.comm);
        let function = call.reduction.as_ref().and_then(|reduction| function_of(&reduction.op));
        let template = Box::new(Template { call, function, channel, starts: 0 });
        self.init_persistent(rank, Kind::Collective(Some(template)), s);
    }

    /// Starts one persistent collective.
    pub(crate) fn start_persistent_collective(
        &mut self,
        rank: u32,
        request: u32,
        payload: Option<Payload>,
        s: &mut Sched,
    ) {
        let Kind::Collective(Some(template)) = &mut self.requests[request].kind else { return };
        let mut call = template.call.clone();
        if let (Some(reduction), Some(function)) = (&mut call.reduction, &template.function) {
            reduction.op.renew(Rc::clone(function));
        }
        let how = EntryMode::Start(request, template.channel, template.starts);
        template.starts += 1;
        match payload {
            None => {}
            Some(Payload::Absent(_)) => call.absent = true,
            Some(payload) => call.input = payload.as_slice().to_vec(),
        }
        self.requests[request].state = State::Active;
        self.charge(rank, self.settings.costs.start);
        self.enter_collective(rank, call, CommConstruction::Nothing, how, s);
    }

    /// Returns the place of the call by which a rank entered an execution: that of its request, or that of the thread which
    /// waits for its end.
    fn place_of_entry(&mut self, index: u32, (rank, request): (u32, Option<u32>)) -> Site {
        if let Some(request) = request {
            return self.requests[request].site;
        }
        let before = self.wake_whom(rank, waits_for(index));
        let site = self.ranks[rank as usize].site;
        self.switch_back(rank, before);
        site
    }

    /// Ends a rank's part. Not inlined into the rounds: its registers would be saved in each.
    #[inline(never)]
    fn leave_collective(&mut self, index: u32, s: &mut Sched) {
        let mut e = self.collectives.executions.remove(index);
        if let Some(types) = &e.types
            && !e.absent
            && self.convert_result(e.rank, types, e.buffers.buffer_mut(Buffer::Output), s)
        {
            return;
        }
        let makes = needs_all(e.kind) || e.kind == Management::CommDup.into();
        let counts = self.counts_of(e.kind, e.instance);
        let comm = match makes {
            true => {
                let site = self.place_of_entry(index, (e.rank, e.request));
                self.made_comm(e.comm, (e.instance, site), e.rank, e.color)
            }
            false => None,
        };
        let mut failed = None;
        if let Some(shared) = self.collectives.instances.get_mut(&e.instance) {
            let place = shared.failing.iter().position(|(rank, _)| *rank == e.rank);
            failed = place.map(|place| shared.failing.swap_remove(place).1);
            shared.left += 1;
            if shared.left == e.members.size() {
                self.collectives.instances.remove(&e.instance);
            }
        }
        let context = internal_context(e.comm);
        self.ranks[e.rank as usize].executing.remove(&(context, e.tag));
        let scratch = e.buffers.buffer_mut(Buffer::Scratch);
        if scratch.capacity() <= SPARE_MAX {
            self.ranks[e.rank as usize].rest.spare = std::mem::take(scratch);
        }
        let absent = e.absent.then_some(Payload::Absent(e.schedule.output_bytes));
        let output = std::mem::take(e.buffers.buffer_mut(Buffer::Output));
        let ready = e.busy_until.max(s.now());
        if let Some(request) = e.request {
            let r = &mut self.requests[request];
            r.payload = Some(absent.unwrap_or_else(|| output.into()));
            r.comm = comm.map(Box::new);
            r.background = e.background;
            r.error = failed;
            self.complete_at(request, ready, s);
            return;
        }
        let waits = waits_for(index);
        let before = self.wake_whom(e.rank, &waits);
        if self.ranks[e.rank as usize].blocked.take_if(|blocked| waits(blocked)).is_none() {
            // The program of the rank has ended in a signal handler.
            self.switch_back(e.rank, before);
            return;
        }
        let reply = match (failed, comm, counts) {
            (Some(failure), ..) => Reply::Failed(failure),
            (None, Some(made), Some(counts)) => {
                Reply::Spawned(Box::new(Spawned { made: Ok(made), counts }))
            }
            (None, comm, _) if makes => Reply::Comm(comm.map(Box::new)),
            _ => Reply::Data(output),
        };
        let ready = ready + self.windows.stagger();
        self.answer(e.rank, ready, FREE, reply, s);
        self.switch_back(e.rank, before);
    }
}

/// Returns whether a thread is in the call whose end is that of an execution.
fn waits_for(index: u32) -> impl Fn(&Blocked) -> bool {
    move |blocked| matches!(blocked, Blocked::Collective(execution) if *execution == index)
}
