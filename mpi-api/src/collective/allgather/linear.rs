//! Linear allgather: every rank sends to every other directly (textbook).

use crate::collective::{Buffer, Region, Schedule, Shape, blocks::Blocks};

/// One round without relays.
///
/// Cost: alpha + (p - 1) (o_s + o_r + m beta), m bytes a block.
pub fn schedule(shape: &Shape) -> Schedule {
    let blocks = Blocks::new(&shape.receive);
    let mut schedule = Schedule::new(blocks.start(shape.size), 0);
    let own = blocks.of(Buffer::Output, shape.rank);
    let input = Region::input(0, own.bytes);
    for by in 1..shape.size {
        let from = shape.before(by);
        schedule.receive(from, blocks.of(Buffer::Output, from));
    }
    for by in 1..shape.size {
        schedule.send(shape.after(by), input);
    }
    schedule.copy(input, own);
    schedule.end_round();
    schedule
}
