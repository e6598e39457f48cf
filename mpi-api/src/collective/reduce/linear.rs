//! Linear reduction: every rank sends to the root directly (textbook).

use crate::collective::{Region, Schedule, Shape, blocks::single, plan::Running};

/// One round; the root combines in rank order.
///
/// Cost: alpha + (p - 1) (o_r + n beta + n gamma) on the root, whose scratch has (p - 1) n bytes.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    if shape.rank != shape.root {
        let mut schedule = Schedule::new(0, 0);
        schedule.send(shape.root, Region::input(0, bytes));
        schedule.end_round();
        return schedule;
    }
    let mut schedule = Schedule::new(bytes, 0);
    let others = (0..shape.size).filter(|rank| *rank != shape.root);
    for (slot, rank) in others.enumerate() {
        schedule.receive(rank, Region::scratch(slot as u64 * bytes, bytes));
    }
    combine_slots(&mut schedule, shape, shape.size, Region::input(0, bytes));
    schedule
}

/// Combines the contributions of ranks `0..end` in rank order into the output and ends the round:
/// this rank's is `own`, the others' are consecutive in scratch.
pub(in crate::collective) fn combine_slots(
    schedule: &mut Schedule,
    shape: &Shape,
    end: u32,
    own: Region,
) {
    let bytes = own.bytes;
    let slots = u64::from(end - u32::from(shape.rank < end));
    schedule.scratch_bytes = slots * bytes;
    let slot = |rank: u32| {
        let behind = u32::from(rank > shape.rank);
        Region::scratch(u64::from(rank - behind) * bytes, bytes)
    };
    let operand = |rank| if rank == shape.rank { own } else { slot(rank) };
    if end > 0 {
        let mut running = Running::new(operand(0), Region::output(0, bytes));
        (1..end).for_each(|rank| running.right(schedule, operand(rank)));
        running.settle(schedule);
    }
    schedule.end_round();
}
