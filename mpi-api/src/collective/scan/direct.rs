//! Direct scan: every rank sends to all ranks above it (textbook).

use crate::collective::{Region, Schedule, Shape, blocks::single, reduce::linear::combine_slots};

/// One round without relays; each rank combines in rank order.
///
/// Cost: alpha + (p - 1) (o_r + n beta + n gamma) on the last rank, with (p - 1) n bytes of
/// scratch.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let mut schedule = Schedule::new(super::result_bytes(shape), 0);
    let input = Region::input(0, bytes);
    for rank in 0..shape.rank {
        schedule.receive(rank, Region::scratch(u64::from(rank) * bytes, bytes));
    }
    for rank in shape.rank + 1..shape.size {
        schedule.send(rank, input);
    }
    let end = shape.rank + u32::from(super::inclusive(shape));
    combine_slots(&mut schedule, shape, end, input);
    schedule
}
