//! [`Buffers`]: the memory of the origin that an access owns until a synchronisation completes it.

use mpi_api::{call::Site, finding::Origin};

use super::super::{
    block::Block,
    guard::{self, Memory, Owned},
    transfer::{Parts, unpack_all},
};
use crate::state::State;

/// The memory of the origin of an access.
pub(crate) enum Buffers {
    /// Elements of any types.
    Parts {
        /// Where the result goes.
        into: Parts,
        /// The data.
        from: Parts,
    },
    /// Blocks of basic types, of the short path.
    Blocks(Blocks),
}

impl Buffers {
    /// Reports whether the access has a result.
    pub(super) fn fetches(&self) -> bool {
        match self {
            Self::Parts { into, .. } => !into.is_empty(),
            Self::Blocks(blocks) => blocks.fills,
        }
    }

    /// Gives the memory back to the program; returns whether it was changed meanwhile.
    pub(super) fn end(&self, state: &State, owned: &Owned) -> bool {
        match self {
            Self::Parts { into, from } => {
                guard::end(state, owned, Memory { writes: into, reads: from })
            }
            Self::Blocks(blocks) => blocks.release(state, owned),
        }
    }

    /// Stores the result.
    pub(super) fn store(&self, data: &[u8]) {
        match self {
            Self::Parts { into, .. } => unpack_all(into, data),
            Self::Blocks(blocks) => {
                if let Some(into) = blocks.into() {
                    into.put(&data[..data.len().min(into.bytes)]);
                }
            }
        }
    }
}

/// The blocks of an access, none of which shares bytes with the one that is written.
#[derive(Clone, Copy)]
pub(crate) struct Blocks {
    /// Where the result goes, if there is one; then the data, and for `MPI_Compare_and_swap` what they are compared
    /// with.
    list: [Block; 3],
    /// How many of them there are.
    count: u8,
    /// Whether the first one is written.
    fills: bool,
}

impl Blocks {
    /// Collects the blocks that an access reads.
    #[inline(always)]
    pub(super) fn read<const N: usize>(from: [Option<Block>; N]) -> Self {
        let mut blocks = Self { list: [Block::EMPTY; 3], count: 0, fills: false };
        from.into_iter().flatten().for_each(|block| blocks.add(block));
        blocks
    }

    /// Collects the block that an access writes and those that it reads.
    #[inline(always)]
    pub(super) fn filled<const N: usize>(into: Block, from: [Option<Block>; N]) -> Self {
        let mut blocks = Self { list: [Block::EMPTY; 3], count: 0, fills: true };
        blocks.add(into);
        from.into_iter().flatten().for_each(|block| blocks.add(block));
        blocks
    }

    #[inline(always)]
    fn add(&mut self, block: Block) {
        self.list[usize::from(self.count)] = block;
        self.count += 1;
    }

    #[inline(always)]
    fn all(&self) -> &[Block] {
        &self.list[..usize::from(self.count)]
    }

    /// Returns the block that is written.
    fn into(&self) -> Option<Block> {
        self.fills.then_some(self.list[0])
    }

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
