//! One rank's part in a collective: its steps, its memory, and how far it has come.

use std::{collections::VecDeque, rc::Rc};

use sim_core::{SimDuration, SimTime};

use super::{super::MpiKernel, key::Key};
use crate::{
    call::{CollectiveCall, CollectiveKind, CommId, Reduction},
    collective::{Buffer, Region, Remote, Schedule, Shape},
    object::{
        group::Group,
        op::{Loop, Op},
        signature::Signature,
    },
};

/// One rank's part in a collective operation that is under way.
pub(crate) struct Execution {
    pub(crate) rank: u32,
    pub(crate) comm: CommId,
    pub(crate) kind: CollectiveKind,
    pub(crate) instance: Key,
    /// Tag of the operation's messages.
    pub(super) tag: i32,
    /// Everybody who takes part; steps name ranks by their place in it.
    pub(crate) members: Group,
    /// Requests of the present round that have not completed: of messages by rendezvous.
    pub(crate) pending: Vec<u32>,
    /// Waits at the gate for the others to enter.
    pub(crate) gated: bool,
    /// The request it completes; none for a blocking call.
    pub(super) request: Option<u32>,
    pub(super) me: u32,
    pub(super) schedule: Rc<Schedule>,
    pub(super) round: usize,
    /// Where its steps begin in the schedule.
    pub(super) first_step: usize,
    /// The output began as what was the input.
    pub(super) in_place: bool,
    pub(super) input: Vec<u8>,
    pub(super) output: Vec<u8>,
    pub(super) scratch: Vec<u8>,
    pub(super) reduction: Option<Reducing>,
    /// Whose data the present round still awaits, by place among the members, and where they go.
    pub(crate) awaited: VecDeque<(u32, Region)>,
    /// Where receives put their data that have matched a message whose data come later.
    pub(super) places: Vec<(u32, Region)>,
    pub(super) outstanding: usize,
    /// The round is being started: a completion does not end it yet.
    pub(super) starting: bool,
    pub(super) busy_until: SimTime,
    /// Processor time of what goes on in the background of its rank.
    pub(super) background: SimDuration,
    /// When the network has all messages that are sent.
    pub(super) sent_until: SimTime,
    pub(super) color: Option<u32>,
    /// Types of its result, where nodes represent data differently.
    pub(super) types: Option<Box<Signature>>,
}

/// How operands are reduced.
pub(super) struct Reducing {
    pub(super) op: Op,
    /// What it does with operands of their type.
    pub(super) apply: Loop,
    /// Whether they may change places.
    pub(super) symmetric: bool,
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
pub(super) const SPARE_MAX: usize = 1 << 20;

impl MpiKernel {
    /// The bytes it has and the bytes it needs, if the call gives too few.
    pub(super) fn execution(
        &mut self,
        rank: u32,
        call: Box<CollectiveCall>,
        (instance, tag): (Key, i32),
        (members, request, color): (Group, Option<u32>, Option<u32>),
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
            tag,
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
            background: SimDuration::ZERO,
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
}

impl Execution {
    /// Whether its rank does nothing else.
    pub(super) fn is_blocking(&self) -> bool {
        self.request.is_none()
    }

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

    pub(super) fn region(&self, region: Region) -> &[u8] {
        let buffer = match region.buffer {
            Buffer::Input => &self.input,
            Buffer::Output => &self.output,
            Buffer::Scratch => &self.scratch,
        };
        &buffer[region.range()]
    }

    /// One region to read and another one to write, which do not overlap; regions of one buffer
    /// are told apart through a spare one.
    pub(super) fn two<'a>(
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

    pub(super) fn region_mut(&mut self, region: Region) -> &mut [u8] {
        &mut self.buffer_mut(region.buffer)[region.range()]
    }

    /// The place of the next data that the present round awaits from a member.
    pub(super) fn take_awaited(&mut self, source: u32) -> Option<Region> {
        let is = |(from, _): &(u32, Region)| *from == source;
        if self.awaited.front().is_some_and(is) {
            return self.awaited.pop_front().map(|(_, into)| into);
        }
        let at = self.awaited.iter().position(is)?;
        self.awaited.remove(at).map(|(_, into)| into)
    }
}
