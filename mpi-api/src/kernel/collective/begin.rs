//! Creates a rank's part in a collective.

use sim_core::{SimDuration, SimTime};

use crate::kernel::collective::execution::{Awaited, Buffers};
use crate::{
    call::{CollectiveCall, CommId},
    collective::{Remote, Shape},
    kernel::{
        MpiKernel,
        collective::{
            execution::{Execution, Prepared, Reducing},
            key::Key,
        },
    },
    object::group::Group,
};

/// Maximum number of steps of a schedule that is kept: with many ranks, kept schedules take much
/// memory.
const KEPT_STEPS_MAX: usize = 128;

impl MpiKernel {
    /// Creates an execution. Fails with the number of bytes that the call gives and the number it
    /// needs, if it gives too few.
    pub(super) fn execution(
        &mut self,
        rank: u32,
        mut call: Box<CollectiveCall>,
        (instance, tag): (Key, i32),
        (members, request, color): (Group, Option<u32>, Option<u32>),
        now: SimTime,
    ) -> Result<Box<Execution>, (u64, u64)> {
        let me = members.rank_of(rank).expect("a member takes part");
        let types = self.result_types(&call);
        let Prepared { schedule, algorithm, input_bytes, in_place } =
            self.schedule_for(&call, (me, members.size()), rank, tag);
        let given = if call.absent { input_bytes } else { call.input.len() as u64 };
        if input_bytes > given {
            return Err((given, input_bytes));
        }
        let in_place = in_place && given == schedule.output_bytes;
        let buffers = if call.absent {
            Buffers::default()
        } else {
            let given = std::mem::take(&mut call.input);
            let (input, output) = if in_place {
                (Vec::new(), given)
            } else {
                (given, vec![0; schedule.output_bytes as usize])
            };
            // Steps read only what they have written, so the contents left by the last collective
            // do not matter.
            let mut scratch = std::mem::take(&mut self.ranks[rank as usize].rest.spare);
            scratch.resize(schedule.scratch_bytes as usize, 0);
            Buffers::new(input, output, scratch)
        };
        let reduction = call.reduction.take().map(Reducing::new);
        let made = Box::new(Execution {
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
            next_step: 0,
            buffers,
            schedule,
            algorithm,
            in_place,
            absent: call.absent,
            reduction,
            awaited: Awaited::default(),
            places: Vec::new(),
            outstanding: 0,
            starting: false,
            busy_until: self.ranks[rank as usize].busy_until.max(now),
            background: SimDuration::ZERO,
            sent_until: now,
            color,
            types,
        });
        call.give_back();
        Ok(made)
    }

    /// Returns the schedule of a call. Schedules with the same steps on all ranks are shared. Otherwise
    /// the last schedule of a rank is kept: most programs call the
    /// same collective again.
    fn schedule_for(
        &mut self,
        call: &CollectiveCall,
        (me, size): (u32, u32),
        rank: u32,
        tag: i32,
    ) -> Prepared {
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
        if let Some(older) = self.selections.older(tag) {
            return Prepared::new(older.schedule(&shape, self.settings.synchronisation));
        }
        if let Some(common) = self.collectives.schedules.common(&shape) {
            return common.clone();
        }
        let last = &self.ranks[rank as usize].rest.last_schedule;
        if let Some(kept) = last.as_ref().filter(|kept| kept.0 == shape) {
            return kept.1.clone();
        }
        let made = self.settings.selector.schedule(&shape, self.settings.synchronisation);
        let (made, is_common) = self.collectives.schedules.keep(made, &shape);
        if !is_common && shape.neighbors.is_none() && made.schedule.steps.len() <= KEPT_STEPS_MAX {
            let last = &mut self.ranks[rank as usize].rest.last_schedule;
            *last = Some(Box::new((shape, made.clone())));
        }
        made
    }

    /// Reports whether a rank is in the group that comes first in its intercommunicator.
    pub(super) fn is_first(&self, comm: CommId, rank: u32) -> bool {
        let place = self.comms.members(comm, rank).rank_of(rank);
        place == self.comms.group(comm, rank).rank_of(rank)
    }
}
