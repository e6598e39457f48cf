//! Collective operations as schedules of sends, receives and combinations in rounds.
//!
//! A pure function computes a [`Schedule`] from the operation's [`Shape`], without any notion of
//! time; the kernel executes it. There is one algorithm per file.

use std::{ops::Range, rc::Rc};

use self::plan::around;
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
    /// Scratch space of the algorithm, with undefined contents at first.
    Scratch,
}

/// A range of one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The buffer that contains the region.
    pub buffer: Buffer,
    /// Offset of the first byte in the buffer.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
}

impl Region {
    /// Returns its byte range in the buffer.
    pub(crate) fn range(self) -> Range<usize> {
        self.offset as usize..(self.offset + self.bytes) as usize
    }
}

/// One step of a rank's schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Sends a region.
    Send {
        /// Receiver, as [`Schedule::peers`] says.
        to: u32,
        /// Region to send.
        from: Region,
    },
    /// Receives a region; the sender sends exactly as many bytes.
    Receive {
        /// Sender, as [`Schedule::peers`] says.
        from: u32,
        /// Region to fill.
        into: Region,
    },
    /// `into = from op into`: `from` is the left operand.
    CombineLeft {
        /// Region of the left operand.
        from: Region,
        /// Right operand and result.
        into: Region,
    },
    /// `into = into op from`: `from` is the right operand.
    CombineRight {
        /// Region of the right operand.
        from: Region,
        /// Left operand and result.
        into: Region,
    },
    /// Combines with the operand of the rank whose number differs in one bit, in the order of the
    /// ranks: like `CombineLeft` if that rank is lower, else like `CombineRight`.
    CombineInOrder {
        /// Region of that rank's operand.
        from: Region,
        /// Own operand and result.
        into: Region,
        /// The bit, as a mask.
        bit: u32,
    },
    /// `into = from`.
    Copy {
        /// Region that is copied.
        from: Region,
        /// Target; of the same length and not overlapping.
        into: Region,
    },
}

impl Step {
    /// Reports whether it is a message, which begins with its round, and not a combination or copy,
    /// which ends it.
    pub(crate) fn is_message(&self) -> bool {
        match self {
            Self::Send { .. } | Self::Receive { .. } => true,
            Self::CombineLeft { .. }
            | Self::CombineRight { .. }
            | Self::CombineInOrder { .. }
            | Self::Copy { .. } => false,
        }
    }
}

/// How the steps of a schedule name ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Peers {
    /// By their rank.
    #[default]
    ByRank,
    /// By their distance after the rank itself on the ring of all ranks. All ranks have the same
    /// steps, and can share one schedule.
    ByDistance,
    /// By the bits in which their number differs from the rank's, as a mask. All ranks have the same
    /// steps, and can share one schedule.
    ByMask,
}

impl Peers {
    /// Returns the rank that a step of `rank` names `peer`, in a communicator of `size` ranks.
    #[inline]
    pub fn rank(self, peer: u32, rank: u32, size: u32) -> u32 {
        match self {
            Self::ByRank => peer,
            Self::ByDistance => around(rank, peer, size),
            Self::ByMask => rank ^ peer,
        }
    }

    /// Reports whether all ranks have the same steps.
    pub fn are_relative(self) -> bool {
        match self {
            Self::ByRank => false,
            Self::ByDistance | Self::ByMask => true,
        }
    }
}

/// The steps of one rank in one collective operation. The sends and receives of a round start
/// together in the order given; when all of them have completed, the combinations and copies of the
/// round are performed in order; then the next round begins. Messages between two ranks match in
/// order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The steps of all rounds.
    pub steps: Vec<Step>,
    /// End of each round in `steps`.
    pub round_ends: Vec<u32>,
    /// How the steps name ranks.
    pub peers: Peers,
    /// Size of the output buffer in bytes.
    pub output_bytes: u64,
    /// Size of the scratch buffer in bytes.
    pub scratch_bytes: u64,
}

/// The other group of an intercommunicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remote {
    /// First rank of that group in the numbering of both groups together.
    pub first: u32,
    /// Number of its ranks.
    pub size: u32,
}

/// The input of an algorithm: the same on all ranks except for `rank` and, where MPI allows it, the
/// counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Kind of the operation.
    pub kind: CollectiveKind,
    /// Number of ranks in the communicator.
    pub size: u32,
    /// The rank this schedule is for.
    pub rank: u32,
    /// Rank of the root.
    pub root: u32,
    /// The other group of an intercommunicator; then `size` and `rank` refer to both groups
    /// together.
    pub remote: Option<Remote>,
    /// The neighbours of the rank, in a neighbourhood collective.
    pub neighbors: Option<Rc<Neighbors>>,
    /// Bytes to send, as given in the call.
    pub send: Counts,
    /// Bytes to receive, as given in the call.
    pub receive: Counts,
    /// Bytes of one element of a reduction, otherwise 1; blocks are divided only between elements.
    pub element_bytes: u64,
    /// Whether a reduction may reorder its operands.
    pub commutative: bool,
}

impl Shape {
    /// Reports whether both are equal but for the rank.
    pub fn is_alike(&self, other: &Self) -> bool {
        let Self {
            kind,
            size,
            rank: _,
            root,
            remote,
            neighbors,
            send,
            receive,
            element_bytes,
            commutative,
        } = self;
        *kind == other.kind
            && *size == other.size
            && *root == other.root
            && *remote == other.remote
            && *neighbors == other.neighbors
            && *send == other.send
            && *receive == other.receive
            && *element_bytes == other.element_bytes
            && *commutative == other.commutative
    }
}
