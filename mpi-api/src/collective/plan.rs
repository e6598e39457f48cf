//! Helpers for building schedules.

use super::{Buffer, Region, Schedule, Shape, Step};

impl Region {
    /// Returns a range of the input buffer.
    pub fn input(offset: u64, bytes: u64) -> Self {
        Self { buffer: Buffer::Input, offset, bytes }
    }

    /// Returns a range of the output buffer.
    pub fn output(offset: u64, bytes: u64) -> Self {
        Self { buffer: Buffer::Output, offset, bytes }
    }

    /// Returns a range of the scratch buffer.
    pub fn scratch(offset: u64, bytes: u64) -> Self {
        Self { buffer: Buffer::Scratch, offset, bytes }
    }

    /// Returns an empty region, for messages that only signal.
    pub fn empty() -> Self {
        Self::scratch(0, 0)
    }
}

impl Schedule {
    /// Creates a schedule without steps.
    pub fn new(output_bytes: u64, scratch_bytes: u64) -> Self {
        Self { output_bytes, scratch_bytes, ..Self::default() }
    }

    /// Adds a send to the current round.
    pub fn send(&mut self, to: u32, from: Region) {
        self.steps.push(Step::Send { to, from });
    }

    /// Adds a receive to the current round.
    pub fn receive(&mut self, from: u32, into: Region) {
        self.steps.push(Step::Receive { from, into });
    }

    /// Adds `into = from op into` at the end of the current round.
    pub fn combine_left(&mut self, from: Region, into: Region) {
        self.steps.push(Step::CombineLeft { from, into });
    }

    /// Adds `into = into op from` at the end of the current round.
    pub fn combine_right(&mut self, from: Region, into: Region) {
        self.steps.push(Step::CombineRight { from, into });
    }

    /// Adds `into = from op into` or `into = into op from`, in the order of the ranks, at the end of the
    /// current round; `from` is the operand of the rank that differs in `bit`.
    pub fn combine_in_order(&mut self, from: Region, into: Region, bit: u32) {
        self.steps.push(Step::CombineInOrder { from, into, bit });
    }

    /// Adds a copy at the end of the current round, unless the regions are the same.
    pub fn copy(&mut self, from: Region, into: Region) {
        if from != into {
            self.steps.push(Step::Copy { from, into });
        }
    }

    /// Ends the current round, unless it has no steps.
    pub fn end_round(&mut self) {
        let end = self.steps.len() as u32;
        if self.round_ends.last().copied().unwrap_or(0) < end {
            self.round_ends.push(end);
        }
    }
}

impl Schedule {
    /// Returns the number of input bytes that the steps read.
    pub fn input_bytes(&self) -> u64 {
        let end = |region: &Region| match region.buffer {
            Buffer::Input => region.offset + region.bytes,
            Buffer::Output | Buffer::Scratch => 0,
        };
        let read = self.steps.iter().map(|step| match step {
            Step::Send { from, .. } | Step::Copy { from, .. } => end(from),
            Step::CombineLeft { from, .. }
            | Step::CombineRight { from, .. }
            | Step::CombineInOrder { from, .. } => end(from),
            Step::Receive { .. } => 0,
        });
        read.max().unwrap_or(0)
    }

    /// Moves the messages of each round before its combinations and copies. Nothing else changes: both
    /// keep their order, and messages are begun first in any case.
    pub(crate) fn put_messages_first(&mut self) {
        let mut first = 0;
        for end in &self.round_ends {
            let end = *end as usize;
            self.steps[first..end].sort_by_key(|step| !step.is_message());
            first = end;
        }
    }

    /// Reports whether the first step copies all of the input to the output, and no other step
    /// reads it.
    pub(crate) fn copies_input_once(&self) -> bool {
        let reads_input = |step: &&Step| match step {
            Step::Send { from, .. } | Step::Copy { from, .. } => from.buffer == Buffer::Input,
            Step::CombineLeft { from, into }
            | Step::CombineRight { from, into }
            | Step::CombineInOrder { from, into, .. } => {
                from.buffer == Buffer::Input || into.buffer == Buffer::Input
            }
            Step::Receive { into, .. } => into.buffer == Buffer::Input,
        };
        let output = Region { buffer: Buffer::Output, offset: 0, bytes: self.output_bytes };
        let whole = Step::Copy { from: Region { buffer: Buffer::Input, ..output }, into: output };
        self.steps.first() == Some(&whole) && self.steps.iter().filter(reads_input).count() == 1
    }
}

impl Shape {
    /// Returns the rank `by` places after this one on the ring.
    pub(super) fn after(&self, by: u32) -> u32 {
        around(self.rank, by % self.size, self.size)
    }

    /// Returns the rank `by` places before this one on the ring.
    pub(super) fn before(&self, by: u32) -> u32 {
        around(self.rank, self.size - by % self.size, self.size)
    }

    /// Returns this rank's number counted from `root`.
    pub(super) fn place_from(&self, root: u32) -> u32 {
        around(self.rank, self.size - root, self.size)
    }
}

/// Returns `(a + b) mod size` for `a < size`, `b <= size`.
pub(super) fn around(a: u32, b: u32, size: u32) -> u32 {
    ((u64::from(a) + u64::from(b)) % u64::from(size)) as u32
}

/// Returns 1, 2, 4, ... below `size`.
pub(super) fn powers(size: u32) -> impl DoubleEndedIterator<Item = u32> {
    let count = if size < 2 { 0 } else { u32::BITS - (size - 1).leading_zeros() };
    (0..count).map(|k| 1 << k)
}

/// A partial result: at first the operand itself, after the first combination in a place of its
/// own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    /// The current place of the value.
    pub(super) value: Region,
    place: Region,
}

impl Running {
    /// Starts with `operand`; the result will be in `place`.
    pub(super) fn new(operand: Region, place: Region) -> Self {
        Self { value: operand, place }
    }

    /// Moves the value to its place at the end of the current round.
    pub(super) fn settle(&mut self, schedule: &mut Schedule) {
        schedule.copy(self.value, self.place);
        self.value = self.place;
    }

    /// Adds `value = left op value`.
    pub(super) fn left(&mut self, schedule: &mut Schedule, left: Region) {
        self.settle(schedule);
        schedule.combine_left(left, self.place);
    }

    /// Adds `value = other op value` or `value = value op other`, in the order of the ranks.
    pub(super) fn in_order(&mut self, schedule: &mut Schedule, other: Region, bit: u32) {
        self.settle(schedule);
        schedule.combine_in_order(other, self.place, bit);
    }

    /// Adds `value = value op right`.
    pub(super) fn right(&mut self, schedule: &mut Schedule, right: Region) {
        self.settle(schedule);
        schedule.combine_right(right, self.place);
    }
}
