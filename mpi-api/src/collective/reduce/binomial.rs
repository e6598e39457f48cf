//! Binomial reduction (Thakur, Rabenseifner, Gropp 2005, section 4.5).

use crate::collective::{
    Region, Schedule, Shape,
    blocks::single,
    plan::{Running, around, powers},
};

/// Partial results move up a binomial tree. Each covers neighbouring ranks and is combined in rank
/// order; the tree is rooted at the root if the operation is commutative, otherwise at rank 0,
/// which passes the result on.
///
/// Cost: ceil(log2 p) (alpha + n beta + n gamma), and one more message for a root other than 0 and
/// an operation that is not commutative.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let at_root = shape.rank == shape.root;
    let mut schedule = Schedule::new(if at_root { bytes } else { 0 }, 0);
    let result = Region::output(0, bytes);
    if shape.commutative || shape.root == 0 {
        append(&mut schedule, shape, shape.root, result);
        return schedule;
    }
    let value = append(&mut schedule, shape, 0, Region::scratch(bytes, bytes));
    if shape.rank == 0 {
        schedule.send(shape.root, value);
    } else if at_root {
        schedule.receive(0, result);
    }
    schedule.end_round();
    schedule
}

/// Appends the rounds of a reduction to `root`'s `result`; data are received at the start of
/// scratch. Returns the final place of this rank's value: on the root, the result.
pub(in crate::collective) fn append(
    schedule: &mut Schedule,
    shape: &Shape,
    root: u32,
    result: Region,
) -> Region {
    let bytes = single(&shape.send);
    let (size, me) = (shape.size, shape.place_from(root));
    let rank_of = |relative| around(relative, root, size);
    let place = if me == 0 { result } else { Region::scratch(bytes, bytes) };
    let got = Region::scratch(0, bytes);
    let mut running = Running::new(Region::input(0, bytes), place);
    for mask in powers(size) {
        if me & mask != 0 {
            schedule.send(rank_of(me - mask), running.value);
            schedule.end_round();
            break;
        }
        if mask < size - me {
            schedule.scratch_bytes = 2 * bytes;
            schedule.receive(rank_of(me + mask), got);
            running.right(schedule, got);
            schedule.end_round();
        }
    }
    if me == 0 {
        running.settle(schedule);
        schedule.end_round();
        schedule.scratch_bytes = 2 * bytes;
    }
    running.value
}
