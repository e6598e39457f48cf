//! Linear gather: every rank sends to the root directly (textbook).

use crate::collective::{
    Buffer, Region, Schedule, Shape,
    blocks::{Blocks, single},
};

/// One round.
///
/// Cost: alpha + (p - 1) (o_r + n beta) on the root.
pub fn schedule(shape: &Shape) -> Schedule {
    let mine = single(&shape.send);
    if shape.rank != shape.root {
        let mut schedule = Schedule::new(0, 0);
        schedule.send(shape.root, Region::input(0, mine));
        schedule.end_round();
        return schedule;
    }
    let blocks = Blocks::new(&shape.receive);
    let mut schedule = Schedule::new(blocks.start(shape.size), 0);
    for by in 1..shape.size {
        let rank = shape.after(by);
        schedule.receive(rank, blocks.of(Buffer::Output, rank));
    }
    let own = blocks.of(Buffer::Output, shape.rank);
    schedule.copy(Region::input(0, own.bytes), own);
    schedule.end_round();
    schedule
}
