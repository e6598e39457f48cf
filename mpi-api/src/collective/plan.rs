//! Small tools to write schedules with.

use super::{Buffer, Region, Schedule, Shape, Step};

impl Region {
    /// A range of the input.
    pub fn input(offset: u64, bytes: u64) -> Self {
        Self { buffer: Buffer::Input, offset, bytes }
    }

    /// A range of the output.
    pub fn output(offset: u64, bytes: u64) -> Self {
        Self { buffer: Buffer::Output, offset, bytes }
    }

    /// A range of the scratch buffer.
    pub fn scratch(offset: u64, bytes: u64) -> Self {
        Self { buffer: Buffer::Scratch, offset, bytes }
    }

    /// Nothing: the data of a message that only signals.
    pub fn empty() -> Self {
        Self::scratch(0, 0)
    }
}

impl Schedule {
    /// A schedule without steps.
    pub fn new(output_bytes: u64, scratch_bytes: u64) -> Self {
        Self { output_bytes, scratch_bytes, ..Self::default() }
    }

    /// Adds a send to the present round.
    pub fn send(&mut self, to: u32, from: Region) {
        self.steps.push(Step::Send { to, from });
    }

    /// Adds a receive to the present round.
    pub fn receive(&mut self, from: u32, into: Region) {
        self.steps.push(Step::Receive { from, into });
    }

    /// Adds `into = from op into` at the end of the present round.
    pub fn combine_left(&mut self, from: Region, into: Region) {
        self.steps.push(Step::CombineLeft { from, into });
    }

    /// Adds `into = into op from` at the end of the present round.
    pub fn combine_right(&mut self, from: Region, into: Region) {
        self.steps.push(Step::CombineRight { from, into });
    }

    /// Adds a copy at the end of the present round, unless the regions are the same.
    pub fn copy(&mut self, from: Region, into: Region) {
        if from != into {
            self.steps.push(Step::Copy { from, into });
        }
    }

    /// Ends the present round; without steps there is none.
    pub fn end_round(&mut self) {
        let end = self.steps.len() as u32;
        if self.round_ends.last().copied().unwrap_or(0) < end {
            self.round_ends.push(end);
        }
    }
}

impl Schedule {
    /// Bytes of input that the steps read.
    pub fn input_bytes(&self) -> u64 {
        let end = |region: &Region| match region.buffer {
            Buffer::Input => region.offset + region.bytes,
            Buffer::Output | Buffer::Scratch => 0,
        };
        let read = self.steps.iter().map(|step| match step {
            Step::Send { from, .. } | Step::Copy { from, .. } => end(from),
            Step::CombineLeft { from, .. } | Step::CombineRight { from, .. } => end(from),
            Step::Receive { .. } => 0,
        });
        read.max().unwrap_or(0)
    }

    /// Whether the first step copies all of the input to the output, and no other one reads it.
    pub(crate) fn copies_input_once(&self) -> bool {
        let reads_input = |step: &&Step| match step {
            Step::Send { from, .. } | Step::Copy { from, .. } => from.buffer == Buffer::Input,
            Step::CombineLeft { from, into } | Step::CombineRight { from, into } => {
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
    /// The rank `by` places after this one on the ring.
    pub(super) fn after(&self, by: u32) -> u32 {
        around(self.rank, by % self.size, self.size)
    }

    /// The rank `by` places before this one on the ring.
    pub(super) fn before(&self, by: u32) -> u32 {
        around(self.rank, self.size - by % self.size, self.size)
    }

    /// This rank counted from `root`.
    pub(super) fn place_from(&self, root: u32) -> u32 {
        around(self.rank, self.size - root, self.size)
    }
}

/// `(a + b) mod size` for `a < size`, `b <= size`.
pub(super) fn around(a: u32, b: u32, size: u32) -> u32 {
    ((u64::from(a) + u64::from(b)) % u64::from(size)) as u32
}

/// 1, 2, 4, ... below `size`.
pub(super) fn powers(size: u32) -> impl DoubleEndedIterator<Item = u32> {
    let count = if size < 2 { 0 } else { u32::BITS - (size - 1).leading_zeros() };
    (0..count).map(|k| 1 << k)
}

/// A running result: its operand until something is combined, then a place of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    /// Where the value is now.
    pub(super) value: Region,
    place: Region,
}

impl Running {
    /// Begins with `operand`; the result goes to `place`.
    pub(super) fn new(operand: Region, place: Region) -> Self {
        Self { value: operand, place }
    }

    /// Moves the value to its place, at the end of the present round.
    pub(super) fn settle(&mut self, schedule: &mut Schedule) {
        schedule.copy(self.value, self.place);
        self.value = self.place;
    }

    /// `value = left op value`.
    pub(super) fn left(&mut self, schedule: &mut Schedule, left: Region) {
        self.settle(schedule);
        schedule.combine_left(left, self.place);
    }

    /// `value = value op right`.
    pub(super) fn right(&mut self, schedule: &mut Schedule, right: Region) {
        self.settle(schedule);
        schedule.combine_right(right, self.place);
    }
}
