//! Bruck's allgather (Bruck et al. 1997; Thakur, Rabenseifner, Gropp 2005, section 4.1).

use crate::collective::{
    Region, Schedule, Shape,
    blocks::Blocks,
    plan::{around, powers},
};

/// Works for any number of ranks: in round k a rank sends what it has to the rank 2^k before it.
/// Blocks are stored in ring order from the rank's own one and are rotated into rank order at the
/// end.
///
/// Cost: ceil(log2 p) alpha + (p - 1)/p n beta, n bytes in all.
pub fn schedule(shape: &Shape) -> Schedule {
    let blocks = Blocks::new(&shape.receive);
    let (size, rank) = (shape.size, shape.rank);
    let total = blocks.start(size);
    let turned = rank != 0;
    let place = if turned { Region::scratch } else { Region::output };
    let mut schedule = Schedule::new(total, if turned { total } else { 0 });
    let before_me = blocks.start(rank);
    let from_me = total - before_me;
    let start = |relative: u32| {
        if relative < size - rank {
            blocks.start(rank + relative) - before_me
        } else {
            from_me + blocks.start(around(rank, relative, size))
        }
    };
    // The region is within one turn of the ring, so that the end of the last block is the total
    // size.
    let end = |relative: u32| if relative == size { total } else { start(relative) };
    let input = Region::input(0, end(1));
    for mask in powers(size) {
        let count = mask.min(size - mask);
        let have = if mask == 1 { input } else { place(0, end(count)) };
        schedule.send(shape.before(mask), have);
        let offset = start(mask);
        schedule.receive(shape.after(mask), place(offset, end(mask + count) - offset));
        if mask == 1 {
            schedule.copy(input, place(0, input.bytes));
        }
        schedule.end_round();
    }
    if size == 1 {
        schedule.copy(input, Region::output(0, total));
    } else if turned {
        schedule.copy(Region::scratch(0, from_me), Region::output(before_me, from_me));
        schedule.copy(Region::scratch(from_me, before_me), Region::output(0, before_me));
    }
    schedule.end_round();
    schedule
}
