//! Collective operations as schedules: what to send, receive and combine, round by round.
//!
//! A [`Schedule`] is made by a pure function of the operation's [`Shape`] and knows nothing of
//! time; the kernel executes it. One algorithm per file.

use std::{ops::Range, rc::Rc};

use crate::call::{CollectiveKind, Counts, Neighbors};

pub mod algorithm;
pub mod allgather;
pub mod allreduce;
pub mod alltoall;
pub mod barrier;
mod blocks;
pub mod broadcast;
mod fold;
pub mod gather;
mod inter;
mod neighbor;
mod plan;
pub mod reduce;
pub mod reduce_scatter;
pub mod scan;
pub mod scatter;
pub mod select;
#[cfg(test)]
mod tests;

/// One of the three byte buffers an executing schedule works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffer {
    /// The rank's contribution, as given in the call. Never written.
    Input,
    /// The rank's result.
    Output,
    /// Working space.
    Scratch,
}

/// A range of one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Which buffer.
    pub buffer: Buffer,
    /// First byte.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
}

impl Region {
    /// Its place in the buffer.
    pub(crate) fn range(self) -> Range<usize> {
        self.offset as usize..(self.offset + self.bytes) as usize
    }
}

/// One action of one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Sends a region to a rank of the communicator.
    Send {
        /// Receiver.
        to: u32,
        /// Data.
        from: Region,
    },
    /// Receives a region; the sender sends exactly as many bytes.
    Receive {
        /// Sender.
        from: u32,
        /// Place.
        into: Region,
    },
    /// `into = from op into`: `from` is the left operand.
    CombineLeft {
        /// Left operand.
        from: Region,
        /// Right operand and result.
        into: Region,
    },
    /// `into = into op from`: `from` is the right operand.
    CombineRight {
        /// Right operand.
        from: Region,
        /// Left operand and result.
        into: Region,
    },
    /// `into = from`.
    Copy {
        /// Source.
        from: Region,
        /// Target; same length, not overlapping.
        into: Region,
    },
}

/// What one rank does in one collective operation. The sends and receives of a round start
/// together in the order given; when all of the round have completed, its combines and copies
/// are done in order; then the next round begins. Messages between two ranks match in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The steps of all rounds.
    pub steps: Vec<Step>,
    /// End of each round in `steps`.
    pub round_ends: Vec<u32>,
    /// Bytes of the output buffer.
    pub output_bytes: u64,
    /// Bytes of the scratch buffer.
    pub scratch_bytes: u64,
}

/// The other group of an intercommunicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remote {
    /// Its first rank among both groups.
    pub first: u32,
    /// Its ranks.
    pub size: u32,
}

/// Everything an algorithm may know: the same on all ranks but for `rank` and, where MPI says
/// so, the counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Operation.
    pub kind: CollectiveKind,
    /// Ranks in the communicator.
    pub size: u32,
    /// The rank this schedule is for.
    pub rank: u32,
    /// Root.
    pub root: u32,
    /// The other group, over an intercommunicator: then `size` and `rank` are of both groups
    /// together.
    pub remote: Option<Remote>,
    /// Of a neighbourhood collective.
    pub neighbors: Option<Rc<Neighbors>>,
    /// As in the call.
    pub send: Counts,
    /// As in the call.
    pub receive: Counts,
    /// Bytes of one element of a reduction, else 1: blocks are never split within an element.
    pub element_bytes: u64,
    /// Whether a reduction may reorder its operands.
    pub commutative: bool,
}
