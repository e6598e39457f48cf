//! [`Buffers`]: the memory of the origin that an access owns until a synchronisation completes it.

use super::super::{
    block::Block,
    transfer::{Parts, unpack_all},
};

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
    pub(super) fills: bool,
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
    pub(super) fn all(&self) -> &[Block] {
        &self.list[..usize::from(self.count)]
    }

    /// Returns the block that is written.
    fn into(&self) -> Option<Block> {
        self.fills.then_some(self.list[0])
    }
}
