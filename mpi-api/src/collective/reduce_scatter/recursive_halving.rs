//! Recursive halving reduce-scatter (Thakur, Rabenseifner, Gropp 2005, section 4.3).

use crate::collective::{
    Region, Schedule, Shape,
    blocks::{Blocks, single},
    fold::{Fold, between},
    plan::powers,
    reduce::halving,
};

/// Requires a commutative operation: ranks half the group apart exchange the halves of the data
/// that the other half of the group needs, then each half continues on its own. Ranks beyond a
/// power of two hand over their operands first and get their blocks last.
///
/// Cost: log2 p alpha + (p - 1)/p n (beta + gamma), n bytes in all, for a power of two; otherwise
/// two more messages: n bytes (beta + gamma) at first, one block (beta) at last.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let blocks = Blocks::new(&shape.receive);
    let mine = blocks.bytes(shape.rank);
    let place = Region::scratch(bytes, bytes);
    let mut schedule = Schedule::new(mine, 2 * bytes);
    let fold = Fold::new(shape.size, None);
    let bound = |index| blocks.start(fold.first(index));
    let masks = powers(fold.power).rev();
    let halved = halving::append(&mut schedule, shape, fold, place, bound, masks);
    super::hand_out(&mut schedule, shape, fold, halved.is_some(), |rank| {
        between(place, blocks.start(rank), blocks.start(rank + 1))
    });
    schedule
}
