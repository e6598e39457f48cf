//! Recursive doubling allgather (Thakur, Rabenseifner, Gropp 2005, section 4.1).

use crate::collective::{Buffer, Region, Schedule, Shape, blocks::Blocks, plan::powers};

/// Requires a power of two of ranks: in round k ranks 2^k apart exchange all they have.
///
/// Cost: log2 p alpha + (p - 1)/p n beta, n bytes in all.
pub fn schedule(shape: &Shape) -> Schedule {
    let blocks = Blocks::new(&shape.receive);
    let mut schedule = Schedule::new(blocks.start(shape.size), 0);
    let own = blocks.of(Buffer::Output, shape.rank);
    let input = Region::input(0, own.bytes);
    for mask in powers(shape.size) {
        let partner = shape.rank ^ mask;
        let first = shape.rank & !(mask - 1);
        let theirs = partner & !(mask - 1);
        let have = blocks.range(Buffer::Output, first, first + mask);
        schedule.send(partner, if mask == 1 { input } else { have });
        schedule.receive(partner, blocks.range(Buffer::Output, theirs, theirs + mask));
        if mask == 1 {
            schedule.copy(input, own);
        }
        schedule.end_round();
    }
    if shape.size == 1 {
        schedule.copy(input, own);
        schedule.end_round();
    }
    schedule
}
