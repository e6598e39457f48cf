//! Linear scatter: the root sends to every rank directly (textbook).

use crate::collective::{
    Buffer, Region, Schedule, Shape,
    blocks::{Blocks, single},
};

/// One round.
///
/// Cost: (p - 1) (o_s + n beta) on the root, then alpha.
pub fn schedule(shape: &Shape) -> Schedule {
    let mine = single(&shape.receive);
    let mut schedule = Schedule::new(mine, 0);
    if shape.rank == shape.root {
        let blocks = Blocks::new(&shape.send);
        for by in 1..shape.size {
            let rank = shape.after(by);
            schedule.send(rank, blocks.of(Buffer::Input, rank));
        }
        schedule.copy(blocks.of(Buffer::Input, shape.rank), Region::output(0, mine));
    } else {
        schedule.receive(shape.root, Region::output(0, mine));
    }
    schedule.end_round();
    schedule
}
