//! Recursive doubling allreduce (Thakur, Rabenseifner, Gropp 2005, section 4.5).

use crate::collective::{
    Peers, Region, Schedule, Shape,
    blocks::single,
    plan::{Running, powers},
};

/// Works for any number of ranks. With r ranks beyond a power of two, the first 2r fold in pairs:
/// the even one hands its operand to the odd one and gets the result at the end. The others
/// exchange partial results over doubling distances, always of neighbouring ranks and in rank
/// order.
///
/// Cost: log2 p (alpha + n beta + n gamma) for a power of two, otherwise two more messages.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let (size, rank) = (shape.size, shape.rank);
    let mut schedule = Schedule::new(bytes, 0);
    let (input, output) = (Region::input(0, bytes), Region::output(0, bytes));
    let got = Region::scratch(0, bytes);
    if size.is_power_of_two() {
        return alike(size, bytes);
    }
    let power = 1 << (u32::BITS - 1 - size.leading_zeros());
    let beyond = size - power;
    let folded = rank < 2 * beyond;
    if folded && rank % 2 == 0 {
        schedule.send(rank + 1, input);
        schedule.end_round();
        schedule.receive(rank + 1, output);
        schedule.end_round();
        return schedule;
    }
    schedule.scratch_bytes = bytes;
    let mut running = Running::new(input, output);
    if folded {
        schedule.receive(rank - 1, got);
        running.left(&mut schedule, got);
        schedule.end_round();
    }
    let me = if folded { rank / 2 } else { rank - beyond };
    for mask in powers(power) {
        let them = me ^ mask;
        let partner = if them < beyond { 2 * them + 1 } else { them + beyond };
        schedule.send(partner, running.value);
        schedule.receive(partner, got);
        if partner < rank {
            running.left(&mut schedule, got);
        } else {
            running.right(&mut schedule, got);
        }
        schedule.end_round();
    }
    if folded {
        schedule.send(rank - 1, running.value);
    }
    running.settle(&mut schedule);
    schedule.end_round();
    schedule
}

/// The same for a power of two, with steps that are the same on all ranks: at 65,536 ranks their own
/// steps would take 1.5 KB for each.
fn alike(size: u32, bytes: u64) -> Schedule {
    let mut schedule = Schedule { peers: Peers::ByMask, ..Schedule::new(bytes, bytes) };
    let got = Region::scratch(0, bytes);
    let mut running = Running::new(Region::input(0, bytes), Region::output(0, bytes));
    for bit in powers(size) {
        schedule.send(bit, running.value);
        schedule.receive(bit, got);
        running.in_order(&mut schedule, got, bit);
        schedule.end_round();
    }
    running.settle(&mut schedule);
    schedule.end_round();
    schedule
}
