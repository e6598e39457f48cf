//! Folding a number of ranks to a power of two (Thakur, Rabenseifner, Gropp 2005, section 4.5).

use super::Region;

/// With r ranks beyond a power of two, the first 2r fold in pairs: one hands its operand to the
/// other. The ranks that go on are numbered 0.. in rank order, so neighbours stay neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fold {
    /// Ranks that go on: the largest power of two that is not above the size.
    pub(super) power: u32,
    /// Pairs.
    beyond: u32,
    /// A rank that goes on in any case; of the other pairs the odd one does.
    kept: Option<u32>,
}

impl Fold {
    /// Folds `size` ranks; `kept` goes on.
    pub(super) fn new(size: u32, kept: Option<u32>) -> Self {
        let power = 1 << (u32::BITS - 1 - size.leading_zeros());
        Self { power, beyond: size - power, kept }
    }

    /// The other rank of the pair `rank` is in.
    pub(super) fn pair(&self, rank: u32) -> Option<u32> {
        (rank < 2 * self.beyond).then_some(rank ^ 1)
    }

    /// The number of a rank that goes on.
    pub(super) fn index(&self, rank: u32) -> Option<u32> {
        let index = if rank < 2 * self.beyond { rank / 2 } else { rank - self.beyond };
        (self.rank(index) == rank).then_some(index)
    }

    /// The rank with this number.
    pub(super) fn rank(&self, index: u32) -> u32 {
        match self.kept {
            _ if index >= self.beyond => index + self.beyond,
            Some(kept) if kept == 2 * index => kept,
            _ => 2 * index + 1,
        }
    }

    /// The first rank whose operand the rank with this number has; the size for `power`.
    pub(super) fn first(&self, index: u32) -> u32 {
        index + index.min(self.beyond)
    }
}

/// The part of `whole` between two offsets in it.
pub(super) fn between(whole: Region, start: u64, end: u64) -> Region {
    Region { offset: whole.offset + start, bytes: end - start, ..whole }
}
