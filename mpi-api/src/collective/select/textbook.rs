//! The textbook rule: one algorithm for each collective.

use super::Algorithm;
use crate::{call::CollectiveKind, collective::algorithm::choosable};

/// The algorithm of each collective, independent of the size.
const CHOICE: [(CollectiveKind, Algorithm); 11] = [
    (CollectiveKind::Barrier, Algorithm::Dissemination),
    (CollectiveKind::Broadcast, Algorithm::Binomial),
    (CollectiveKind::Gather, Algorithm::Binomial),
    (CollectiveKind::Scatter, Algorithm::Binomial),
    (CollectiveKind::Allgather, Algorithm::Ring),
    (CollectiveKind::Alltoall, Algorithm::Pairwise),
    (CollectiveKind::Reduce, Algorithm::Binomial),
    (CollectiveKind::Allreduce, Algorithm::RecursiveDoubling),
    (CollectiveKind::ReduceScatter, Algorithm::Pairwise),
    (CollectiveKind::Scan, Algorithm::RecursiveDoubling),
    (CollectiveKind::Exscan, Algorithm::RecursiveDoubling),
];

pub(super) fn choose(kind: CollectiveKind) -> Algorithm {
    let kind = choosable(kind);
    let found = CHOICE.iter().find(|(of, _)| *of == kind);
    found.map_or(Algorithm::Dissemination, |(_, algorithm)| *algorithm)
}
