//! Reduce-scatter as a binomial reduction to rank 0 and a linear scatter (textbook).

use crate::collective::{
    Buffer, Region, Schedule, Shape,
    blocks::{Blocks, single},
    reduce,
};

/// Keeps rank order, as the root of the reduction is rank 0.
///
/// Cost: ceil(log2 p) (alpha + n beta + n gamma) + alpha + (p - 1) (o_s + m beta), n bytes in
/// all, m a block.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let blocks = Blocks::new(&shape.receive);
    let mine = blocks.bytes(shape.rank);
    let mut schedule = Schedule::new(mine, 0);
    reduce::binomial::append(&mut schedule, shape, 0, Region::scratch(bytes, bytes));
    let shifted = |rank| {
        let block = blocks.of(Buffer::Scratch, rank);
        Region { offset: block.offset + bytes, ..block }
    };
    if shape.rank == 0 {
        (1..shape.size).for_each(|rank| schedule.send(rank, shifted(rank)));
        schedule.copy(shifted(0), Region::output(0, mine));
    } else {
        schedule.receive(0, Region::output(0, mine));
    }
    schedule.end_round();
    schedule
}
