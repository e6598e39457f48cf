//! Folding a number of ranks to a power of two (Thakur, Rabenseifner, Gropp 2005, section 4.5).

use super::Region;

/// The reduction of a number of ranks to a power of two. With r ranks beyond a power of two, the
/// first 2r fold in pairs: one hands its operand to the other. The remaining ranks are numbered
/// from 0 in rank order, so that neighbours stay neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fold {
    /// Number of remaining ranks: the largest power of two that does not exceed the size.
    pub(super) power: u32,
    /// Number of pairs.
    beyond: u32,
    /// A rank that must remain; in other pairs the odd rank remains.
    kept: Option<u32>,
}

impl Fold {
    /// Folds `size` ranks so that `kept` remains.
    pub(super) fn new(size: u32, kept: Option<u32>) -> Self {
        let power = 1 << (u32::BITS - 1 - size.leading_zeros());
        Self { power, beyond: size - power, kept }
    }

    /// Returns the other rank of the pair that `rank` belongs to.
    pub(super) fn pair(&self, rank: u32) -> Option<u32> {
        (rank < 2 * self.beyond).then_some(rank ^ 1)
    }

    /// Returns the number of a remaining rank; `None` for a folded one.
    pub(super) fn index(&self, rank: u32) -> Option<u32> {
        let index = if rank < 2 * self.beyond { rank / 2 } else { rank - self.beyond };
        (self.rank(index) == rank).then_some(index)
    }

    /// Returns the remaining rank with this number.
    pub(super) fn rank(&self, index: u32) -> u32 {
        match self.kept {
            _ if index >= self.beyond => index + self.beyond,
            Some(kept) if kept == 2 * index => kept,
            _ => 2 * index + 1,
        }
    }

    /// Returns the first rank whose operand the rank numbered `index` holds; the size if `index` is
    /// `power`.
    pub(super) fn first(&self, index: u32) -> u32 {
        index + index.min(self.beyond)
    }
}

/// Returns the part of `whole` between two offsets in it.
pub(super) fn between(whole: Region, start: u64, end: u64) -> Region {
    Region { offset: whole.offset + start, bytes: end - start, ..whole }
}
