//! The memory that accesses own, as a rank claims it.

use mpi_api::{call::Site, finding::Origin};

use super::{
    super::{
        block::Block,
        guard::{self, Memory},
        owned::Owned,
    },
    buffers::{Blocks, Buffers},
};
use crate::state::State;

impl Buffers {
    /// Gives the memory back to the program; returns whether it was changed meanwhile.
    pub(super) fn end(&self, state: &State, owned: &Owned) -> bool {
        match self {
            Self::Parts { into, from } => {
                guard::end(state, owned, Memory { writes: into, reads: from })
            }
            Self::Blocks(blocks) => blocks.release(state, owned),
        }
    }
}

impl Blocks {
    /// Reports whether the result would be written to the data, or any of them is memory of a window.
    #[inline(always)]
    pub(super) fn are_unusual(&self, state: &State) -> bool {
        let meets = |block: &Block| self.list[0].overlaps(*block);
        self.all().iter().any(|block| block.is_in_window(state))
            || self.fills && self.all()[1..].iter().any(meets)
    }

    /// Claims the memory for an access. Also returns the origin of another pending operation whose claim
    /// conflicts.
    pub(super) fn claim(
        &self,
        state: &State,
        origin: (Site, &'static str),
    ) -> (Owned, Option<Origin>) {
        Owned::of_blocks(state, origin, self.all(), self.fills)
    }

    /// Gives the memory back to the program; returns whether it was changed meanwhile.
    pub(super) fn release(&self, state: &State, owned: &Owned) -> bool {
        owned.release_blocks(state, self.all(), self.fills)
    }
}
