//! Collective operations of a plan.

use super::{Id, Neighbors, Style};

/// A collective operation.
#[derive(Clone, Debug)]
pub(crate) struct Collective {
    /// Communicator of the operation.
    pub(crate) comm: Id,
    /// Kind of the operation.
    pub(crate) kind: Kind,
    /// Side of the root, on an intercommunicator.
    pub(crate) side: usize,
    /// Rank of the root in its group.
    pub(crate) root: u32,
    /// Number of elements from each rank to each rank; a single row if the operation has one list
    /// only.
    pub(crate) table: Vec<Vec<u64>>,
    /// Whether the call takes a list of counts.
    pub(crate) vector: bool,
    /// Operation of a reduction.
    pub(crate) operator: Operator,
    /// Kind of call.
    pub(crate) style: Style,
    /// Number of times a persistent operation is started.
    pub(crate) rounds: u32,
    /// Neighbours of a neighbourhood collective: for each rank, the lists of targets and of
    /// sources.
    pub(crate) neighbors: Vec<(Neighbors, Neighbors)>,
    /// Whether they are the neighbours in a grid: low and high side of each dimension.
    pub(crate) grid: bool,
}

impl Collective {
    /// Returns source and block index of the block that a rank receives from its source number
    /// `at`, or `None` if that is `MPI_PROC_NULL`.
    pub(crate) fn incoming(&self, rank: usize, at: usize) -> Option<(usize, usize)> {
        let source = self.neighbors[rank].1[at]? as usize;
        if self.grid {
            // A block sent upwards by the low neighbour arrives from below, and vice versa.
            return Some((source, at ^ 1));
        }
        let targets = &self.neighbors[source].0;
        let block = targets.iter().position(|target| *target == Some(rank as u32));
        Some((source, block.expect("both sides know of it")))
    }

    /// Returns the number of elements from source number `at` of a rank; if that is
    /// `MPI_PROC_NULL`, the size of the unused space.
    pub(crate) fn incoming_count(&self, rank: usize, at: usize) -> u64 {
        let nobody = if self.vector { 0 } else { self.table[rank].first().copied().unwrap_or(0) };
        self.incoming(rank, at).map_or(nobody, |(source, block)| {
            let blocks = &self.table[source];
            blocks[if self.kind == Kind::NeighborAllgather { 0 } else { block }]
        })
    }
}

/// The kind of a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the MPI function of that name")]
pub(crate) enum Kind {
    Barrier,
    Broadcast,
    Gather,
    Scatter,
    Allgather,
    Alltoall,
    Reduce,
    Allreduce,
    ReduceScatter,
    Scan,
    Exscan,
    NeighborAllgather,
    NeighborAlltoall,
}

impl Kind {
    /// Returns whether the operation combines data.
    pub(crate) fn reduces(self) -> bool {
        match self {
            Self::Reduce | Self::Allreduce | Self::ReduceScatter | Self::Scan | Self::Exscan => {
                true
            }
            Self::Barrier
            | Self::Broadcast
            | Self::Gather
            | Self::Scatter
            | Self::Allgather
            | Self::Alltoall
            | Self::NeighborAllgather
            | Self::NeighborAlltoall => false,
        }
    }

    /// Returns whether the operation has a root.
    pub(crate) fn is_rooted(self) -> bool {
        matches!(self, Self::Broadcast | Self::Gather | Self::Scatter | Self::Reduce)
    }
}

/// The operation of a reduction, with its datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// Sum of 32-bit integers, modulo 2^32.
    Sum,
    /// Product of bytes, modulo 2^8.
    Product,
    /// Maximum of 16-bit integers.
    Max,
    /// Minimum of doubles (small whole numbers).
    Min,
    /// Sum of doubles (small whole numbers: exact in any order).
    FloatSum,
    /// Exclusive or of 64-bit integers.
    Xor,
    /// Logical and of 32-bit integers.
    And,
    /// Maximum, and the lowest index at which it occurs (`MPI_MAXLOC`).
    MaxLoc,
    /// Minimum, and the lowest index at which it occurs (`MPI_MINLOC`).
    MinLoc,
    /// A commutative user operation: sum modulo 251.
    Modular,
    /// A non-commutative user operation: composition of maps x -> a x + b modulo 256.
    Compose,
}
