//! The names of the algorithms, and which collective has which.

use std::fmt;

use super::{
    Schedule, Shape, allgather, allreduce, alltoall, barrier, broadcast, gather, reduce,
    reduce_scatter, scan, scatter,
};
use crate::call::{CollectiveKind, Counts};

/// A collective algorithm; what it does depends on the collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "described in the file of each algorithm")]
pub enum Algorithm {
    Binomial,
    Bruck,
    Direct,
    Dissemination,
    Linear,
    /// No messages at all.
    Nothing,
    Pairwise,
    RecursiveDoubling,
    ReduceBroadcast,
    ReduceThenScatter,
    Ring,
    ScatterAllgather,
    Tree,
}

impl Algorithm {
    /// Its name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binomial => "binomial",
            Self::Bruck => "bruck",
            Self::Direct => "direct",
            Self::Dissemination => "dissemination",
            Self::Linear => "linear",
            Self::Nothing => "nothing",
            Self::Pairwise => "pairwise",
            Self::RecursiveDoubling => "recursive_doubling",
            Self::ReduceBroadcast => "reduce_broadcast",
            Self::ReduceThenScatter => "reduce_then_scatter",
            Self::Ring => "ring",
            Self::ScatterAllgather => "scatter_allgather",
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

/// The algorithms of a collective.
pub fn algorithms(kind: CollectiveKind) -> &'static [Algorithm] {
    use Algorithm::*;
    match choosable(kind) {
        CollectiveKind::Broadcast => &[Binomial, Linear, ScatterAllgather],
        CollectiveKind::Gather | CollectiveKind::Scatter => &[Binomial, Linear],
        CollectiveKind::Allgather => &[Bruck, Linear, RecursiveDoubling, Ring],
        CollectiveKind::Alltoall => &[Linear, Pairwise],
        CollectiveKind::Reduce => &[Binomial, Linear],
        CollectiveKind::Allreduce => &[Linear, RecursiveDoubling, ReduceBroadcast, Ring],
        CollectiveKind::ReduceScatter => &[Linear, Pairwise, ReduceThenScatter],
        CollectiveKind::Scan | CollectiveKind::Exscan => &[Direct, Linear, RecursiveDoubling],
        _ => &[Dissemination, Linear, Tree],
    }
}

/// The collective whose algorithm `kind` uses: the management of communicators and the end of
/// the program synchronise as a barrier does.
pub(super) fn choosable(kind: CollectiveKind) -> CollectiveKind {
    match kind {
        CollectiveKind::CommDup
        | CollectiveKind::CommSplit
        | CollectiveKind::CommCreate
        | CollectiveKind::CommCreateGroup
        | CollectiveKind::IntercommCreate
        | CollectiveKind::IntercommMerge
        | CollectiveKind::CommFree
        | CollectiveKind::Finalize => CollectiveKind::Barrier,
        kind => kind,
    }
}

/// `algorithm` if it can do `shape`, else what takes its place:
///
/// - binomial gather and scatter need equal blocks: linear;
/// - recursive doubling allgather needs a power of two of ranks: bruck;
/// - ring allreduce needs a commutative operation: recursive doubling;
/// - pairwise reduce-scatter needs a commutative operation: linear.
///
/// All ranks come to the same answer if a vector gather or scatter has no `Counts::Uniform` on
/// the root's side (`receive` of a gather, `send` of a scatter) of any rank, and a plain one has
/// it on every rank, the root or not.
pub(super) fn applicable(algorithm: Algorithm, shape: &Shape) -> Algorithm {
    let equal = |counts: &Counts| matches!(counts, Counts::Uniform(_));
    match (shape.kind, algorithm) {
        (CollectiveKind::Gather, Algorithm::Binomial) if !equal(&shape.receive) => {
            Algorithm::Linear
        }
        (CollectiveKind::Scatter, Algorithm::Binomial) if !equal(&shape.send) => Algorithm::Linear,
        (CollectiveKind::Allgather, Algorithm::RecursiveDoubling)
            if !shape.size.is_power_of_two() =>
        {
            Algorithm::Bruck
        }
        (CollectiveKind::Allreduce, Algorithm::Ring) if !shape.commutative => {
            Algorithm::RecursiveDoubling
        }
        (CollectiveKind::ReduceScatter, Algorithm::Pairwise) if !shape.commutative => {
            Algorithm::Linear
        }
        _ => algorithm,
    }
}

/// The schedule of an applicable algorithm of the collective.
pub(super) fn build(algorithm: Algorithm, shape: &Shape) -> Schedule {
    use Algorithm as A;
    use CollectiveKind as K;
    let make = match (choosable(shape.kind), algorithm) {
        (_, A::Nothing) => return Schedule::default(),
        (K::Broadcast, A::Linear) => broadcast::linear::schedule,
        (K::Broadcast, A::ScatterAllgather) => broadcast::scatter_allgather::schedule,
        (K::Broadcast, _) => broadcast::binomial::schedule,
        (K::Gather, A::Binomial) => gather::binomial::schedule,
        (K::Gather, _) => gather::linear::schedule,
        (K::Scatter, A::Binomial) => scatter::binomial::schedule,
        (K::Scatter, _) => scatter::linear::schedule,
        (K::Allgather, A::Linear) => allgather::linear::schedule,
        (K::Allgather, A::RecursiveDoubling) => allgather::recursive_doubling::schedule,
        (K::Allgather, A::Bruck) => allgather::bruck::schedule,
        (K::Allgather, _) => allgather::ring::schedule,
        (K::Alltoall, A::Pairwise) => alltoall::pairwise::schedule,
        (K::Alltoall, _) => alltoall::linear::schedule,
        (K::Reduce, A::Linear) => reduce::linear::schedule,
        (K::Reduce, _) => reduce::binomial::schedule,
        (K::Allreduce, A::Linear) => allreduce::linear::schedule,
        (K::Allreduce, A::ReduceBroadcast) => allreduce::reduce_broadcast::schedule,
        (K::Allreduce, A::Ring) => allreduce::ring::schedule,
        (K::Allreduce, _) => allreduce::recursive_doubling::schedule,
        (K::ReduceScatter, A::Pairwise) => reduce_scatter::pairwise::schedule,
        (K::ReduceScatter, A::ReduceThenScatter) => reduce_scatter::reduce_then_scatter::schedule,
        (K::ReduceScatter, _) => reduce_scatter::linear::schedule,
        (K::Scan | K::Exscan, A::Linear) => scan::linear::schedule,
        (K::Scan | K::Exscan, A::Direct) => scan::direct::schedule,
        (K::Scan | K::Exscan, _) => scan::recursive_doubling::schedule,
        (_, A::Linear) => barrier::linear::schedule,
        (_, A::Tree) => barrier::tree::schedule,
        _ => barrier::dissemination::schedule as fn(&Shape) -> Schedule,
    };
    make(shape)
}
