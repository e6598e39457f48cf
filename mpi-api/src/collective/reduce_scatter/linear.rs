//! Linear reduce-scatter: every rank sends every other its block directly (textbook).

use crate::collective::{
    Buffer, Region, Schedule, Shape, blocks::Blocks, reduce::linear::combine_slots,
};

/// One round without relays; each rank combines in rank order.
///
/// Cost: alpha + (p - 1) (o_s + o_r + m beta + m gamma), m bytes a block, and (p - 1) m bytes of
/// scratch.
pub fn schedule(shape: &Shape) -> Schedule {
    let blocks = Blocks::new(&shape.receive);
    let own = blocks.of(Buffer::Input, shape.rank);
    let mut schedule = Schedule::new(own.bytes, 0);
    for by in 1..shape.size {
        let from = shape.before(by);
        let slot = from - u32::from(from > shape.rank);
        schedule.receive(from, Region::scratch(u64::from(slot) * own.bytes, own.bytes));
    }
    for by in 1..shape.size {
        let to = shape.after(by);
        schedule.send(to, blocks.of(Buffer::Input, to));
    }
    combine_slots(&mut schedule, shape, shape.size, own);
    schedule
}
