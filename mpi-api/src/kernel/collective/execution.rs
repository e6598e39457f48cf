//! [`Execution`]: one rank's part in a collective, its steps, its memory and its progress.

use std::{collections::VecDeque, rc::Rc};

use sim_core::{SimDuration, SimTime};

use super::{
    key::Key,
    trial::{self, Comparable},
};
use crate::{
    call::{CollectiveKind, CommId, Payload, Reduction},
    collective::{Buffer, Region, Schedule, Shape, algorithm::Algorithm},
    object::{
        group::Group,
        op::{Loop, Op, UserFunction},
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
    /// All participating ranks; steps name ranks by their index in this group.
    pub(crate) members: Group,
    /// Requests of the present round that have not completed: those of rendezvous messages.
    pub(crate) pending: Vec<u32>,
    /// Whether it waits at the gate for the other ranks to enter.
    pub(crate) gated: bool,
    /// The request that its end completes; `None` for a blocking call.
    pub(super) request: Option<u32>,
    pub(super) me: u32,
    pub(super) schedule: Rc<Schedule>,
    /// What the schedule is made by.
    pub(crate) algorithm: Algorithm,
    pub(super) round: usize,
    /// Index in the schedule of the first step that was not begun.
    pub(super) next_step: usize,
    /// Whether the output buffer began as the input buffer.
    pub(super) in_place: bool,
    /// Whether only the sizes of its data are known: the buffers are empty then.
    pub(super) absent: bool,
    pub(super) buffers: Buffers,
    pub(super) reduction: Option<Reducing>,
    /// Data that the present round still awaits.
    pub(super) awaited: Awaited,
    /// Regions of receives that have matched a message whose data arrive later.
    pub(super) places: Vec<(u32, Region)>,
    pub(super) outstanding: usize,
    /// Whether the round is being started: a completion does not end it yet.
    pub(super) starting: bool,
    pub(super) busy_until: SimTime,
    /// Processor time of work in the background of its rank.
    pub(super) background: SimDuration,
    /// Time at which the network has taken all messages sent.
    pub(super) sent_until: SimTime,
    pub(super) color: Option<u32>,
    /// Types of its result, where nodes represent data differently.
    pub(super) types: Option<Box<Signature>>,
}

/// The memory of one rank's part in a collective, in the order of [`Buffer`].
#[derive(Default)]
pub(super) struct Buffers([Vec<u8>; 3]);

/// The reduction operation of a collective, as applied to its operands.
pub(super) struct Reducing {
    pub(super) op: Op,
    /// The function that reduces operands of their type.
    pub(super) apply: Loop,
    /// Whether the operands may be exchanged.
    pub(super) symmetric: bool,
    /// Used instead of `apply` if it is there.
    pub(super) own: Option<OwnOperation>,
}

/// An operation of the program.
#[derive(Clone)]
pub(super) struct OwnOperation {
    pub(super) function: UserFunction,
    /// How results are compared, if they can be.
    pub(super) comparable: Option<Comparable>,
}

impl Reducing {
    pub(super) fn new(reduction: Reduction) -> Self {
        let Reduction { op, primitive, element_bytes } = reduction;
        let (apply, symmetric) = (op.loop_of(primitive), op.is_symmetric(primitive));
        let own = function_of(&op).map(|function| {
            let (element_bytes, commutative) = (element_bytes.max(1) as usize, op.is_commutative());
            let how = Comparable { element_bytes, commutative };
            OwnOperation { function, comparable: trial::can_compare(primitive).then_some(how) }
        });
        Self { apply, symmetric, own, op }
    }
}

/// Returns the function of an operation of the program, which the call has brought.
pub(super) fn function_of(op: &Op) -> Option<UserFunction> {
    match op {
        Op::User { function, .. } => Some(function.take().expect("each call brings its function")),
        _ => None,
    }
}

/// The prepared steps of a rank, those of each round with its messages first.
#[derive(Clone)]
pub(crate) struct Prepared {
    pub(super) schedule: Rc<Schedule>,
    pub(super) algorithm: Algorithm,
    pub(super) input_bytes: u64,
    /// Whether the output begins as a copy of the input, which is not read again.
    pub(super) in_place: bool,
}

impl Prepared {
    pub(super) fn new((algorithm, mut schedule): (Algorithm, Schedule)) -> Self {
        let (input_bytes, in_place) = (schedule.input_bytes(), schedule.copies_input_once());
        schedule.put_messages_first();
        Self { schedule: Rc::new(schedule), algorithm, input_bytes, in_place }
    }
}

/// The schedules that ranks keep.
#[derive(Default)]
pub(crate) struct Schedules {
    /// The last ones that are the same for all ranks, with a shape that they are for: with many ranks
    /// schedules take much memory, and making one takes as long as two messages.
    common: Vec<(Shape, Prepared)>,
    /// The position that the next one takes.
    next: usize,
}

impl Schedules {
    /// Number of schedules that are kept for all ranks: those of a loop of a program.
    const COMMON_MAX: usize = 8;

    /// Returns the schedule of a call, if all ranks have the same and it is known.
    pub(super) fn common(&self, shape: &Shape) -> Option<&Prepared> {
        let known = self.common.iter().find(|(known, _)| known.is_alike(shape));
        known.map(|(_, prepared)| prepared)
    }

    /// Returns a schedule in the form in which it is kept, and whether that is for all ranks.
    pub(super) fn keep(
        &mut self,
        mut made: (Algorithm, Schedule),
        shape: &Shape,
    ) -> (Prepared, bool) {
        let schedule = &mut made.1;
        schedule.steps.shrink_to_fit();
        schedule.round_ends.shrink_to_fit();
        let is_common = schedule.peers.are_relative();
        let prepared = Prepared::new(made);
        if is_common {
            let entry = (shape.clone(), prepared.clone());
            match self.common.get_mut(self.next) {
                Some(old) => *old = entry,
                None => self.common.push(entry),
            }
            self.next = (self.next + 1) % Self::COMMON_MAX;
        }
        (prepared, is_common)
    }
}

/// Maximum memory that each rank keeps from one collective to the next, in bytes.
pub(super) const SPARE_MAX: usize = 1 << 20;

impl Execution {
    /// Reports whether the rank is blocked in this collective.
    pub(super) fn is_blocking(&self) -> bool {
        self.request.is_none()
    }

    /// Returns the bytes of the rank's data that its steps read.
    pub(crate) fn input_bytes(&self) -> u64 {
        self.schedule.input_bytes()
    }

    /// Returns the data of a region as a message.
    pub(super) fn payload(&self, region: Region) -> Payload {
        if self.absent {
            return Payload::Absent(region.bytes);
        }
        Payload::from_slice(self.buffers.region(region))
    }

    /// Writes a message to a region; false, without any effect, if they have different sizes.
    pub(super) fn fill(&mut self, into: Region, payload: &Payload) -> bool {
        match payload {
            Payload::Small(..) | Payload::Heap(_) if !self.absent => {
                self.buffers.fill(into, payload.as_slice())
            }
            Payload::Small(..) | Payload::Heap(_) | Payload::Absent(_) => {
                payload.bytes() == into.bytes
            }
        }
    }

    /// Reports whether its end completes this request.
    pub(crate) fn completes(&self, request: u32) -> bool {
        self.request == Some(request)
    }

    /// Returns the indices among the members of those whose data the present round still awaits.
    pub(crate) fn awaited(&self) -> impl Iterator<Item = u32> {
        self.awaited.first.iter().chain(&self.awaited.others).map(|(from, _)| *from)
    }
}

/// Data that a round still awaits, in order: the sender's index among the members, and the region
/// for the data.
#[derive(Default)]
pub(super) struct Awaited {
    /// The entry before all others. Most rounds await one message, which needs no list.
    first: Option<(u32, Region)>,
    others: VecDeque<(u32, Region)>,
}

impl Awaited {
    #[inline]
    pub(super) fn push(&mut self, from: u32, into: Region) {
        if self.first.is_none() && self.others.is_empty() {
            self.first = Some((from, into));
        } else {
            self.others.push_back((from, into));
        }
    }

    /// Removes and returns the region for the next data from a member.
    #[inline(always)]
    pub(super) fn take(&mut self, source: u32) -> Option<Region> {
        if let Some((_, into)) = self.first.take_if(|(from, _)| *from == source) {
            return Some(into);
        }
        self.take_other(source)
    }

    #[inline(never)]
    fn take_other(&mut self, source: u32) -> Option<Region> {
        let is = |(from, _): &(u32, Region)| *from == source;
        if self.others.front().is_some_and(is) {
            return self.others.pop_front().map(|(_, into)| into);
        }
        let at = self.others.iter().position(is)?;
        self.others.remove(at).map(|(_, into)| into)
    }
}

impl Buffers {
    pub(super) fn new(input: Vec<u8>, output: Vec<u8>, scratch: Vec<u8>) -> Self {
        Self([input, output, scratch])
    }

    #[inline]
    pub(super) fn buffer_mut(&mut self, buffer: Buffer) -> &mut Vec<u8> {
        &mut self.0[buffer as usize]
    }

    /// Prefetches the first bytes of each buffer.
    pub(super) fn prefetch(&self) {
        self.0.iter().filter_map(|buffer| buffer.first()).for_each(sim_core::prefetch);
    }

    #[inline]
    pub(super) fn region(&self, region: Region) -> &[u8] {
        &self.0[region.buffer as usize][region.range()]
    }

    /// Returns one region to read and another one to write. If both lie in the same buffer, the one
    /// to read is copied to `spare` first.
    #[inline(always)]
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
        let both = self.0.get_disjoint_mut([from.buffer as usize, into.buffer as usize]);
        let [read, write] = both.expect("two different buffers");
        (&read[from.range()], &mut write[into.range()])
    }

    #[inline]
    pub(super) fn region_mut(&mut self, region: Region) -> &mut [u8] {
        &mut self.buffer_mut(region.buffer)[region.range()]
    }

    /// Writes the data of a message to a region; false, without any effect, if they have another
    /// size.
    #[inline]
    pub(super) fn fill(&mut self, into: Region, data: &[u8]) -> bool {
        let fits = data.len() as u64 == into.bytes;
        if fits {
            self.region_mut(into).copy_from_slice(data);
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        call::{CollectiveKind, Counts},
        collective::Peers,
    };

    fn shape(kind: CollectiveKind, rank: u32, bytes: u64) -> Shape {
        Shape {
            kind,
            size: 8,
            rank,
            root: 0,
            remote: None,
            neighbors: None,
            send: Counts::Uniform(bytes),
            receive: Counts::Uniform(bytes),
            element_bytes: 1,
            commutative: true,
        }
    }

    #[test]
    fn ranks_share_schedules_of_relative_steps() {
        let mut schedules = Schedules::default();
        let made = |schedule| (Algorithm::RecursiveDoubling, schedule);
        let relative = |bytes| made(Schedule { peers: Peers::ByMask, ..Schedule::new(bytes, 0) });
        let sums = |rank, bytes| shape(CollectiveKind::Allreduce, rank, bytes);
        let last = Schedules::COMMON_MAX as u64;
        for bytes in 0..=last {
            assert!(schedules.common(&sums(0, bytes)).is_none());
            assert!(schedules.keep(relative(bytes), &sums(0, bytes)).1);
        }
        for bytes in 1..=last {
            let found = schedules.common(&sums(3, bytes)).expect("the schedule of rank 0");
            assert_eq!(found.schedule.output_bytes, bytes);
        }
        assert!(schedules.common(&sums(3, 0)).is_none(), "it has given way to the last one");
        assert!(schedules.common(&shape(CollectiveKind::Barrier, 3, 1)).is_none());
        assert!(!schedules.keep(made(Schedule::new(0, 0)), &sums(0, last + 1)).1);
        assert!(schedules.common(&sums(0, last + 1)).is_none(), "it names ranks");
    }

    proptest! {
        #[test]
        fn awaited_data_are_taken_in_the_order_of_each_sender(
            steps in prop::collection::vec((any::<bool>(), 0..4_u32), 0..60),
        ) {
            let (mut ours, mut theirs) = (Awaited::default(), Vec::new());
            for (number, (adds, from)) in (0..).zip(steps) {
                let into = Region { buffer: Buffer::Output, offset: number, bytes: 1 };
                if adds {
                    ours.push(from, into);
                    theirs.push((from, into));
                } else {
                    let at = theirs.iter().position(|(sender, _)| *sender == from);
                    prop_assert_eq!(ours.take(from), at.map(|at| theirs.remove(at).1));
                }
            }
        }
    }
}
