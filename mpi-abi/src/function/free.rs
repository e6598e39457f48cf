//! Whether a call may use a block: no pending operation and no window has it.

use super::block::Block;
use crate::{purpose::Purpose, state::State};

impl Block {
    /// Reports whether a blocking operation may use the block: no pending operation owns it, and no
    /// window has it.
    #[inline(always)]
    pub(super) fn is_free(self, state: &State, purpose: Purpose) -> bool {
        state.claims.leave_all_free() || self.is_free_among_others(state, purpose)
    }

    /// Reports whether the block is memory of a window: then the kernel is told of each use.
    #[inline(always)]
    pub(super) fn is_in_window(self, state: &State) -> bool {
        let start = self.address as i64;
        state.provides(start, start.wrapping_add(self.bytes as i64))
    }

    /// Like [`Block::is_free`], while operations are pending or windows have memory.
    #[inline(never)]
    fn is_free_among_others(self, state: &State, purpose: Purpose) -> bool {
        !self.is_in_window(state) && state.claims.read().leave_free(self.comb(), purpose)
    }
}
