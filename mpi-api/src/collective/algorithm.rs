//! The collective algorithms, and which collectives can use them.

use std::fmt;

use super::{
    Schedule, Shape, allgather, allreduce, alltoall, barrier, broadcast, gather, reduce,
    reduce_scatter, scan, scatter,
};
use crate::call::{CollectiveKind, Counts};

/// A collective algorithm; its exact meaning depends on the collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "described in the file of each algorithm")]
pub enum Algorithm {
    Binomial,
    Bruck,
    Direct,
    Dissemination,
    DoubleRing,
    GatherBroadcast,
    Linear,
    NeighborExchange,
    /// No messages are sent.
    Nothing,
    Pairwise,
    PipelinedChain,
    Rabenseifner,
    RecursiveDoubling,
    RecursiveHalving,
    ReduceBroadcast,
    ReduceThenScatter,
    Ring,
    ScatterRecursiveDoubling,
    ScatterRing,
    Strided,
    Tree,
}

impl Algorithm {
    /// Returns its name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binomial => "binomial",
            Self::Bruck => "bruck",
            Self::Direct => "direct",
            Self::Dissemination => "dissemination",
            Self::DoubleRing => "double_ring",
            Self::GatherBroadcast => "gather_broadcast",
            Self::Linear => "linear",
            Self::NeighborExchange => "neighbor_exchange",
            Self::Nothing => "nothing",
            Self::Pairwise => "pairwise",
            Self::PipelinedChain => "pipelined_chain",
            Self::Rabenseifner => "rabenseifner",
            Self::RecursiveDoubling => "recursive_doubling",
            Self::RecursiveHalving => "recursive_halving",
            Self::ReduceBroadcast => "reduce_broadcast",
            Self::ReduceThenScatter => "reduce_then_scatter",
            Self::Ring => "ring",
            Self::ScatterRecursiveDoubling => "scatter_recursive_doubling",
            Self::ScatterRing => "scatter_ring",
            Self::Strided => "strided",
            Self::Tree => "tree",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The collectives whose algorithm can be chosen, with their names in options.
pub const CHOOSABLE: [(CollectiveKind, &str); 11] = [
    (CollectiveKind::Barrier, "barrier"),
    (CollectiveKind::Broadcast, "broadcast"),
    (CollectiveKind::Gather, "gather"),
    (CollectiveKind::Scatter, "scatter"),
    (CollectiveKind::Allgather, "allgather"),
    (CollectiveKind::Alltoall, "alltoall"),
    (CollectiveKind::Reduce, "reduce"),
    (CollectiveKind::Allreduce, "allreduce"),
    (CollectiveKind::ReduceScatter, "reduce_scatter"),
    (CollectiveKind::Scan, "scan"),
    (CollectiveKind::Exscan, "exscan"),
];

/// Returns the algorithms of a collective. Communicator management and finalize synchronise like a barrier;
/// neighbourhood collectives exchange their blocks directly.
pub fn algorithms(kind: CollectiveKind) -> &'static [Algorithm] {
    use Algorithm::*;
    match kind {
        CollectiveKind::Broadcast => {
            &[Binomial, Linear, PipelinedChain, ScatterRecursiveDoubling, ScatterRing]
        }
        CollectiveKind::Gather | CollectiveKind::Scatter => &[Binomial, Linear],
        CollectiveKind::Allgather => {
            &[Bruck, GatherBroadcast, Linear, NeighborExchange, RecursiveDoubling, Ring]
        }
        CollectiveKind::Alltoall => &[Bruck, Linear, Pairwise, Ring, Strided],
        CollectiveKind::Reduce => &[Binomial, Linear, Rabenseifner],
        CollectiveKind::Allreduce => {
            &[Linear, Rabenseifner, RecursiveDoubling, ReduceBroadcast, Ring]
        }
        CollectiveKind::ReduceScatter => {
            &[Linear, Pairwise, RecursiveDoubling, RecursiveHalving, ReduceThenScatter]
        }
        CollectiveKind::Scan | CollectiveKind::Exscan => &[Direct, Linear, RecursiveDoubling],
        CollectiveKind::NeighborAllgather | CollectiveKind::NeighborAlltoall => &[Direct],
        CollectiveKind::Barrier | CollectiveKind::Management(_) => {
            &[Dissemination, DoubleRing, Linear, Tree]
        }
    }
}

/// Returns the collective whose algorithm `kind` uses: communicator management
/// synchronises like a barrier.
pub(super) fn choosable(kind: CollectiveKind) -> CollectiveKind {
    match kind {
        CollectiveKind::Management(_) => CollectiveKind::Barrier,
        CollectiveKind::Barrier
        | CollectiveKind::Broadcast
        | CollectiveKind::Gather
        | CollectiveKind::Scatter
        | CollectiveKind::Allgather
        | CollectiveKind::Alltoall
        | CollectiveKind::Reduce
        | CollectiveKind::Allreduce
        | CollectiveKind::ReduceScatter
        | CollectiveKind::Scan
        | CollectiveKind::Exscan
        | CollectiveKind::NeighborAllgather
        | CollectiveKind::NeighborAlltoall => kind,
    }
}

/// `algorithm` if it can do `shape`, else what takes its place:
///
/// - binomial gather and scatter need equal blocks: linear;
/// - recursive doubling in a broadcast after a scatter needs a power of two of ranks: ring;
/// - recursive doubling allgather needs a power of two of ranks: bruck;
/// - neighbour exchange allgather needs an even number of ranks: ring;
/// - Bruck's all-to-all needs equal blocks: linear;
/// - pairwise all-to-all needs a power of two of ranks: ring;
/// - ring allreduce needs a commutative operation: recursive doubling;
/// - pairwise reduce-scatter and recursive halving need one: recursive doubling.
///
/// All ranks come to the same answer if a vector gather or scatter has no `Counts::Uniform` on
/// the root's side (`receive` of a gather, `send` of a scatter) of any rank, and a plain one has
/// it on every rank, the root or not.
pub(super) fn applicable(algorithm: Algorithm, shape: &Shape) -> Algorithm {
    use Algorithm as A;
    use CollectiveKind as K;
    let equal = |counts: &Counts| matches!(counts, Counts::Uniform(_));
    let power = shape.size.is_power_of_two();
    match (shape.kind, algorithm) {
        (K::Gather, A::Binomial) if !equal(&shape.receive) => A::Linear,
        (K::Scatter, A::Binomial) if !equal(&shape.send) => A::Linear,
        (K::Broadcast, A::ScatterRecursiveDoubling) if !power => A::ScatterRing,
        (K::Allgather, A::RecursiveDoubling) if !power => A::Bruck,
        (K::Allgather, A::NeighborExchange) if shape.size % 2 == 1 => A::Ring,
        (K::Alltoall, A::Bruck) if !equal(&shape.send) || !equal(&shape.receive) => A::Linear,
        (K::Alltoall, A::Pairwise) if !power => A::Ring,
        (K::Allreduce, A::Ring) if !shape.commutative => A::RecursiveDoubling,
        (K::ReduceScatter, A::Pairwise | A::RecursiveHalving) if !shape.commutative => {
            A::RecursiveDoubling
        }
        _ => algorithm,
    }
}

/// Returns the schedule of an applicable algorithm of the collective.
pub(super) fn build(algorithm: Algorithm, shape: &Shape) -> Schedule {
    use Algorithm as A;
    use CollectiveKind as K;
    let make = match (choosable(shape.kind), algorithm) {
        (_, A::Nothing) => return Schedule::default(),
        (K::Broadcast, A::Linear) => broadcast::linear::schedule,
        (K::Broadcast, A::PipelinedChain) => broadcast::pipelined_chain::schedule,
        (K::Broadcast, A::ScatterRecursiveDoubling) => {
            broadcast::scatter_recursive_doubling::schedule
        }
        (K::Broadcast, A::ScatterRing) => broadcast::scatter_ring::schedule,
        (K::Broadcast, _) => broadcast::binomial::schedule,
        (K::Gather, A::Binomial) => gather::binomial::schedule,
        (K::Gather, _) => gather::linear::schedule,
        (K::Scatter, A::Binomial) => scatter::binomial::schedule,
        (K::Scatter, _) => scatter::linear::schedule,
        (K::Allgather, A::Linear) => allgather::linear::schedule,
        (K::Allgather, A::RecursiveDoubling) => allgather::recursive_doubling::schedule,
        (K::Allgather, A::GatherBroadcast) => allgather::gather_broadcast::schedule,
        (K::Allgather, A::NeighborExchange) => allgather::neighbor_exchange::schedule,
        (K::Allgather, A::Bruck) => allgather::bruck::schedule,
        (K::Allgather, _) => allgather::ring::schedule,
        (K::Alltoall, A::Bruck) => alltoall::bruck::schedule,
        (K::Alltoall, A::Ring) => alltoall::ring::schedule,
        (K::Alltoall, A::Pairwise) => alltoall::pairwise::schedule,
        (K::Alltoall, A::Strided) => alltoall::strided::schedule,
        (K::Alltoall, _) => alltoall::linear::schedule,
        (K::Reduce, A::Linear) => reduce::linear::schedule,
        (K::Reduce, A::Rabenseifner) => reduce::rabenseifner::schedule,
        (K::Reduce, _) => reduce::binomial::schedule,
        (K::Allreduce, A::Linear) => allreduce::linear::schedule,
        (K::Allreduce, A::Rabenseifner) => allreduce::rabenseifner::schedule,
        (K::Allreduce, A::ReduceBroadcast) => allreduce::reduce_broadcast::schedule,
        (K::Allreduce, A::Ring) => allreduce::ring::schedule,
        (K::Allreduce, _) => allreduce::recursive_doubling::schedule,
        (K::ReduceScatter, A::Pairwise) => reduce_scatter::pairwise::schedule,
        (K::ReduceScatter, A::RecursiveDoubling) => reduce_scatter::recursive_doubling::schedule,
        (K::ReduceScatter, A::RecursiveHalving) => reduce_scatter::recursive_halving::schedule,
        (K::ReduceScatter, A::ReduceThenScatter) => reduce_scatter::reduce_then_scatter::schedule,
        (K::ReduceScatter, _) => reduce_scatter::linear::schedule,
        (K::Scan | K::Exscan, A::Linear) => scan::linear::schedule,
        (K::Scan | K::Exscan, A::Direct) => scan::direct::schedule,
        (K::Scan | K::Exscan, _) => scan::recursive_doubling::schedule,
        (_, A::DoubleRing) => barrier::double_ring::schedule,
        (_, A::Linear) => barrier::linear::schedule,
        (_, A::Tree) => barrier::tree::schedule,
        _ => barrier::dissemination::schedule as fn(&Shape) -> Schedule,
    };
    make(shape)
}
