//! Bruck's all-to-all (Bruck et al. 1997; Thakur, Rabenseifner, Gropp 2005, section 4.2).

use crate::collective::{
    Region, Schedule, Shape,
    blocks::single,
    plan::{around, powers},
};

/// Requires equal blocks. Blocks are stored by distance to their receiver; in round k all whose
/// distance has bit k set move on by 2^k ranks in one message.
///
/// Cost: log2 p alpha + m p/2 log2 p beta for a power of two, m bytes a block; otherwise there are
/// ceil(log2 p) rounds, each with the blocks that have its bit set. Local copies are added.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let (size, rank) = (shape.size, shape.rank);
    let count = |blocks: u32| u64::from(blocks) * bytes;
    let half = size / 2;
    let work = |first: u32, blocks: u32| Region::scratch(count(first), count(blocks));
    let packed = |first: u32, blocks: u32| work(size + first, blocks);
    let got = |first: u32, blocks: u32| work(size + half + first, blocks);
    let mut schedule = Schedule::new(count(size), count(size) + 2 * count(half));
    schedule.copy(Region::input(count(rank), count(size - rank)), work(0, size - rank));
    schedule.copy(Region::input(0, count(rank)), work(size - rank, rank));
    for mask in powers(size) {
        let mut moved = 0;
        for (first, blocks) in runs(mask, size) {
            schedule.copy(work(first, blocks), packed(moved, blocks));
            moved += blocks;
        }
        schedule.end_round();
        schedule.send(shape.after(mask), packed(0, moved));
        schedule.receive(shape.before(mask), got(0, moved));
        let mut taken = 0;
        for (first, blocks) in runs(mask, size) {
            schedule.copy(got(taken, blocks), work(first, blocks));
            taken += blocks;
        }
    }
    for distance in 0..size {
        let from = around(rank, size - distance, size);
        schedule.copy(work(distance, 1), Region::output(count(from), bytes));
    }
    schedule.end_round();
    schedule
}

/// Returns the runs of numbers below `size` that have the bit `mask` set: first number and length.
fn runs(mask: u32, size: u32) -> impl Iterator<Item = (u32, u32)> {
    (mask..size).step_by(2 * mask as usize).map(move |first| (first, mask.min(size - first)))
}
