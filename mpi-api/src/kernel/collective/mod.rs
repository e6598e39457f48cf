//! Executes collective schedules, round by round, in the background of each rank.
//!
//! A send costs the machine's send overhead and a receive its receive overhead, one after the
//! other on the rank's processor; so on a network without contention the closed forms of Thakur,
//! Rabenseifner and Gropp (2005) hold with alpha = o_s + L + o_r.

pub(crate) mod agreement;
mod between_groups;
mod blocks;
pub(crate) mod gate;
pub(crate) mod making;
mod round;

use std::{collections::VecDeque, rc::Rc};

use sim_core::SimTime;

use self::{
    gate::{Key, Manner},
    making::Making,
};
use super::{
    MpiKernel, Sched,
    completion::Blocked,
    receive::FREE,
    request::{Kind, Owner, State, internal_context},
};
use crate::{
    call::{CollectiveCall, CollectiveKind, CommId, Payload, Reduction, Reply},
    collective::{Buffer, Region, Remote, Schedule, Shape},
    error::{ErrorClass, MpiError},
    object::{
        group::Group,
        op::{Loop, Op},
        signature::Signature,
    },
    policy::Policy,
    settings::Synchronisation,
    spawn::Spawned,
};

/// One rank's part in a collective operation that is under way.
pub(crate) struct Execution {
    pub(crate) rank: u32,
    pub(crate) comm: CommId,
    pub(crate) kind: CollectiveKind,
    pub(crate) instance: Key,
    /// Everybody who takes part; steps name ranks by their place in it.
    pub(crate) members: Group,
    /// Requests of the present round that have not completed: of messages by rendezvous.
    pub(crate) pending: Vec<u32>,
    /// Waits at the gate for the others to enter.
    pub(crate) gated: bool,
    /// The request it completes; none for a blocking call.
    request: Option<u32>,
    me: u32,
    schedule: Rc<Schedule>,
    round: usize,
    /// Where its steps begin in the schedule.
    first_step: usize,
    /// The output began as what was the input.
    in_place: bool,
    input: Vec<u8>,
    output: Vec<u8>,
    scratch: Vec<u8>,
    reduction: Option<Reducing>,
    /// Whose data the present round still awaits, by place among the members, and where they go.
    pub(crate) awaited: VecDeque<(u32, Region)>,
    /// Where receives put their data that have matched a message whose data come later.
    places: Vec<(u32, Region)>,
    outstanding: usize,
    /// The round is being started: a completion does not end it yet.
    starting: bool,
    busy_until: SimTime,
    /// When the network has all messages that are sent.
    sent_until: SimTime,
    color: Option<u32>,
    /// Types of its result, where nodes represent data differently.
    types: Option<Box<Signature>>,
}

/// How operands are reduced.
struct Reducing {
    op: Op,
    /// What it does with operands of their type.
    apply: Loop,
    /// Whether they may change places.
    symmetric: bool,
}

impl Reducing {
    fn new(reduction: Reduction) -> Self {
        let Reduction { op, primitive, .. } = reduction;
        Self { apply: op.loop_of(primitive), symmetric: op.is_symmetric(primitive), op }
    }
}

/// The steps of a rank, and what is known of them.
#[derive(Clone)]
pub(crate) struct Prepared {
    schedule: Rc<Schedule>,
    input_bytes: u64,
    /// The output begins as a copy of the input, which is not read again.
    in_place: bool,
}

impl Prepared {
    fn new(schedule: Schedule) -> Self {
        let (input_bytes, in_place) = (schedule.input_bytes(), schedule.copies_input_once());
        Self { schedule: Rc::new(schedule), input_bytes, in_place }
    }
}

/// Longer schedules are not kept: many ranks would keep much.
const KEPT_STEPS_MAX: usize = 128;

/// More memory than this is not kept by each rank from one collective to the next, bytes.
const SPARE_MAX: usize = 1 << 20;

/// How a rank enters a collective.
pub(crate) enum Entering {
    /// It waits until its part is done.
    Blocking,
    /// It goes on; this request completes when its part is done.
    Request(u32),
    /// One start of a persistent operation: its request, channel and number of starts before.
    Start(u32, u32, u32),
    /// It waits, and only the members of a group take part.
    Group(Group, i32),
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
        CollectiveKind::NeighborAllgather => "neighbor_all_gather",
        CollectiveKind::NeighborAlltoall => "neighbor_all_to_all",
        CollectiveKind::CommDup => "duplicate",
        CollectiveKind::CommSplit => "split",
        CollectiveKind::CommCreate => "create_communicator",
        CollectiveKind::CommCreateGroup => "create_from_group",
        CollectiveKind::IntercommCreate => "create_intercommunicator",
        CollectiveKind::IntercommMerge => "merge",
        CollectiveKind::Spawn => "spawn",
        CollectiveKind::Accept => "accept",
        CollectiveKind::Connect => "connect",
        CollectiveKind::CommDisconnect => "disconnect",
        CollectiveKind::Finalize => "finalize",
    }
}

/// Whether nothing can be known before all ranks have entered.
fn needs_all(kind: CollectiveKind) -> bool {
    use CollectiveKind as K;
    matches!(
        kind,
        K::CommSplit
            | K::CommCreate
            | K::CommCreateGroup
            | K::IntercommCreate
            | K::IntercommMerge
            | K::Spawn
            | K::Accept
            | K::Connect
    )
}

impl MpiKernel {
    /// One rank enters a collective operation.
    pub(crate) fn enter_collective(
        &mut self,
        rank: u32,
        mut call: Box<CollectiveCall>,
        making: Making,
        how: Entering,
        s: &mut Sched,
    ) {
        if self.has_threads() && self.entered_twice(rank, call.comm, s) {
            return;
        }
        if call.kind == CollectiveKind::Scan
            && self.settings.environment.policies.differs(Policy::Scan)
        {
            call.kind = CollectiveKind::Exscan;
        }
        let key = match &how {
            Entering::Blocking | Entering::Request(_) => self.ordered_key(rank, call.comm),
            Entering::Start(_, channel, start) => {
                self.persistent_key(rank, call.comm, *channel, *start)
            }
            Entering::Group(group, tag) => self.group_key(rank, call.comm, *tag, group),
        };
        let manner = match &how {
            Entering::Blocking | Entering::Group(..) => Manner::Blocking,
            Entering::Request(_) => Manner::Nonblocking,
            Entering::Start(..) => Manner::Persistent,
        };
        if self.enter_instance(rank, key, &call, (&making, manner), s) {
            return;
        }
        let members = match &how {
            Entering::Group(group, _) => group.clone(),
            _ => self.comms.members(call.comm, rank),
        };
        let request = match how {
            Entering::Request(request) | Entering::Start(request, ..) => Some(request),
            Entering::Blocking | Entering::Group(..) => None,
        };
        let color = match making {
            Making::Place { color, .. } => color,
            Making::Bridge(..) | Making::Spawn(_) | Making::Port(_) | Making::Nothing => Some(0),
        };
        let execution = match self.execution(rank, call, (key, members, request, color), s.now()) {
            Ok(execution) => execution,
            Err((given, needed)) => return self.report_own_blocks(rank, given, needed, s),
        };
        let kind = execution.kind;
        let index = self.executions.insert(execution);
        if request.is_none() {
            self.ranks[rank as usize].blocked = Some(Blocked::Collective(index));
        }
        let all = self.settings.synchronisation == Synchronisation::Full || needs_all(kind);
        self.pass_gate(index, all, s);
    }

    /// The bytes it has and the bytes it needs, if the call gives too few.
    fn execution(
        &mut self,
        rank: u32,
        call: Box<CollectiveCall>,
        (instance, members, request, color): (Key, Group, Option<u32>, Option<u32>),
        now: SimTime,
    ) -> Result<Execution, (u64, u64)> {
        let me = members.rank_of(rank).expect("a member takes part");
        let types = self.result_types(&call);
        let Prepared { schedule, input_bytes, in_place } =
            self.schedule_for(&call, me, members.size(), rank);
        let given = call.input.len() as u64;
        if input_bytes > given {
            return Err((given, input_bytes));
        }
        let in_place = in_place && given == schedule.output_bytes;
        let (input, output) = if in_place {
            (Vec::new(), call.input)
        } else {
            (call.input, vec![0; schedule.output_bytes as usize])
        };
        // Steps read only what they have written: what is left of the last one does not matter.
        let mut scratch = std::mem::take(&mut self.ranks[rank as usize].rest.spare);
        scratch.resize(schedule.scratch_bytes as usize, 0);
        Ok(Execution {
            rank,
            comm: call.comm,
            kind: call.kind,
            instance,
            members,
            pending: Vec::new(),
            gated: false,
            request,
            me,
            round: 0,
            first_step: 0,
            output,
            scratch,
            schedule,
            in_place,
            input,
            reduction: call.reduction.map(Reducing::new),
            awaited: VecDeque::new(),
            places: Vec::new(),
            outstanding: 0,
            starting: false,
            busy_until: self.ranks[rank as usize].busy_until.max(now),
            sent_until: now,
            color,
            types,
        })
    }

    /// The last schedule of a rank is kept: most programs call the same collective again.
    fn schedule_for(&mut self, call: &CollectiveCall, me: u32, size: u32, rank: u32) -> Prepared {
        let remote = self.comms.remote(call.comm, rank).map(|remote| Remote {
            size: remote.size(),
            first: if self.is_first(call.comm, rank) { size - remote.size() } else { 0 },
        });
        let shape = Shape {
            kind: call.kind,
            size,
            rank: me,
            root: call.root,
            remote,
            neighbors: call.neighbors.clone(),
            send: call.send.clone(),
            receive: call.receive.clone(),
            element_bytes: call.reduction.as_ref().map_or(1, |reduction| reduction.element_bytes),
            commutative: call.reduction.as_ref().is_none_or(|r| r.op.is_commutative()),
        };
        let last = &mut self.ranks[rank as usize].rest.last_schedule;
        if let Some(kept) = last.as_ref().filter(|kept| kept.0 == shape) {
            return kept.1.clone();
        }
        let made = self.settings.selector.schedule(&shape, self.settings.synchronisation).1;
        let made = Prepared::new(made);
        if shape.neighbors.is_none() && made.schedule.steps.len() <= KEPT_STEPS_MAX {
            *last = Some(Box::new((shape, made.clone())));
        }
        made
    }

    /// Whether a rank is in the group that comes first in its intercommunicator.
    pub(super) fn is_first(&self, comm: CommId, rank: u32) -> bool {
        let place = self.comms.members(comm, rank).rank_of(rank);
        place == self.comms.group(comm, rank).rank_of(rank)
    }

    /// By policy there are blocking collectives only: the call fails.
    fn is_blocking_only(&mut self, rank: u32, comm: CommId, s: &mut Sched) -> bool {
        let absent = self.settings.environment.policies.differs(Policy::NonblockingCollectives);
        if absent {
            let text = "the policy has no nonblocking or persistent collectives";
            self.raise(rank, comm, MpiError::new(ErrorClass::Other, text), s);
        }
        absent
    }

    /// `MPI_Ibarrier` and its kin.
    pub(crate) fn start_collective(&mut self, rank: u32, call: Box<CollectiveCall>, s: &mut Sched) {
        if self.is_blocking_only(rank, call.comm, s) {
            return;
        }
        let request = self.collective_request(rank, s);
        let how = Entering::Request(request);
        self.enter_collective(rank, call, Making::Nothing, how, s);
    }

    /// `MPI_Comm_idup`.
    pub(crate) fn start_duplicate(&mut self, rank: u32, comm: CommId, s: &mut Sched) {
        if self.is_blocking_only(rank, comm, s) {
            return;
        }
        let request = self.collective_request(rank, s);
        self.duplicate(rank, comm, Entering::Request(request), s);
    }

    /// A request for the program, which goes on.
    fn collective_request(&mut self, rank: u32, s: &mut Sched) -> u32 {
        let request = self.new_request(rank, Owner::Program, Kind::Collective(None));
        let id = self.request_id(request);
        let cost = self.settings.costs.post_send;
        let now = s.now();
        self.answer(rank, now, cost, Reply::Request(id), s);
        request
    }

    /// `MPI_Barrier_init` and its kin.
    pub(crate) fn init_collective(&mut self, rank: u32, call: Box<CollectiveCall>, s: &mut Sched) {
        if self.is_blocking_only(rank, call.comm, s) {
            return;
        }
        let channel = self.persistent_channel(rank, call.comm);
        let template = Box::new(Template { call, channel, starts: 0 });
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
        let how = Entering::Start(request, template.channel, template.starts);
        template.starts += 1;
        call.input = payload.map_or(Vec::new(), |payload| payload.as_slice().to_vec());
        self.requests[request].state = State::Active;
        self.charge(rank, self.settings.costs.start);
        self.enter_collective(rank, call, Making::Nothing, how, s);
    }

    fn leave_collective(&mut self, index: u32, s: &mut Sched) {
        let mut e = self.executions.remove(index);
        if let Some(types) = &e.types
            && self.convert_result(e.rank, types, &mut e.output, s)
        {
            return;
        }
        let makes = needs_all(e.kind) || e.kind == CollectiveKind::CommDup;
        let counts = self.counts_of(e.kind, e.instance);
        let comm = if makes { self.made_comm(e.comm, e.instance, e.rank, e.color) } else { None };
        if let Some(shared) = self.instances.get_mut(&e.instance) {
            shared.left += 1;
            if shared.left == e.members.size() {
                self.instances.remove(&e.instance);
            }
        }
        let context = internal_context(e.comm);
        self.ranks[e.rank as usize].executing.remove(&(context, e.instance.tag()));
        if e.scratch.capacity() <= SPARE_MAX {
            self.ranks[e.rank as usize].rest.spare = std::mem::take(&mut e.scratch);
        }
        let ready = e.busy_until.max(s.now());
        if let Some(request) = e.request {
            let r = &mut self.requests[request];
            r.payload = Some(e.output.into());
            r.comm = comm.map(Box::new);
            self.complete_at(request, ready, s);
            return;
        }
        let before = self.wake_whom(
            e.rank,
            |blocked| matches!(blocked, Blocked::Collective(execution) if *execution == index),
        );
        self.ranks[e.rank as usize].blocked = None;
        let reply = match (comm, counts) {
            (Some(made), Some(counts)) => {
                Reply::Spawned(Box::new(Spawned { made: Ok(made), counts }))
            }
            (comm, _) if makes => Reply::Comm(comm.map(Box::new)),
            _ => Reply::Data(e.output),
        };
        self.answer(e.rank, ready, FREE, reply, s);
        self.switch_back(e.rank, before);
    }
}

/// What a persistent collective starts again and again.
#[derive(Debug)]
pub(crate) struct Template {
    call: Box<CollectiveCall>,
    channel: u32,
    starts: u32,
}

impl Execution {
    /// Whether its end completes this request.
    pub(crate) fn completes(&self, request: u32) -> bool {
        self.request == Some(request)
    }

    fn buffer_mut(&mut self, buffer: Buffer) -> &mut Vec<u8> {
        match buffer {
            Buffer::Input => &mut self.input,
            Buffer::Output => &mut self.output,
            Buffer::Scratch => &mut self.scratch,
        }
    }

    fn region(&self, region: Region) -> &[u8] {
        let buffer = match region.buffer {
            Buffer::Input => &self.input,
            Buffer::Output => &self.output,
            Buffer::Scratch => &self.scratch,
        };
        &buffer[region.range()]
    }

    /// One region to read and another one to write, which do not overlap; regions of one buffer
    /// are told apart through a spare one.
    fn two<'a>(
        &'a mut self,
        from: Region,
        into: Region,
        spare: &'a mut Vec<u8>,
    ) -> (&'a [u8], &'a mut [u8]) {
        if from.buffer == into.buffer {
            spare.clear();
            spare.extend_from_slice(self.region(from));
            return (spare, self.region_mut(into));
        }
        let Self { input, output, scratch, .. } = self;
        let (read, write) = match (from.buffer, into.buffer) {
            (Buffer::Input, Buffer::Output) => (input, output),
            (Buffer::Input, _) => (input, scratch),
            (Buffer::Output, Buffer::Input) => (output, input),
            (Buffer::Output, _) => (output, scratch),
            (Buffer::Scratch, Buffer::Input) => (scratch, input),
            (Buffer::Scratch, _) => (scratch, output),
        };
        (&read[from.range()], &mut write[into.range()])
    }

    fn region_mut(&mut self, region: Region) -> &mut [u8] {
        &mut self.buffer_mut(region.buffer)[region.range()]
    }
}
