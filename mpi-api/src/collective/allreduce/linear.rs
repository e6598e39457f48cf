//! Linear allreduce: every rank sends to every other directly (textbook).

use crate::collective::{Region, Schedule, Shape, blocks::single, reduce::linear::combine_slots};

/// One round without relays; each rank combines in rank order.
///
/// Cost: alpha + (p - 1) (o_s + o_r + n beta + n gamma), and (p - 1) n bytes of scratch.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let mut schedule = Schedule::new(bytes, 0);
    let input = Region::input(0, bytes);
    for by in 1..shape.size {
        let from = shape.before(by);
        let slot = from - u32::from(from > shape.rank);
        schedule.receive(from, Region::scratch(u64::from(slot) * bytes, bytes));
    }
    for by in 1..shape.size {
        schedule.send(shape.after(by), input);
    }
    combine_slots(&mut schedule, shape, shape.size, input);
    schedule
}
