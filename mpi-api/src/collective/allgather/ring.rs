//! Ring allgather (Thakur, Rabenseifner, Gropp 2005, section 4.1; textbook).

use crate::collective::{Buffer, Region, Schedule, Shape, blocks::Blocks};

/// In each round a rank sends its right neighbour the block that it received last.
///
/// Cost: (p - 1) alpha + (p - 1)/p n beta, n bytes in all.
pub fn schedule(shape: &Shape) -> Schedule {
    let blocks = Blocks::new(&shape.receive);
    let mut schedule = Schedule::new(blocks.start(shape.size), 0);
    let own = blocks.of(Buffer::Output, shape.rank);
    let input = Region::input(0, own.bytes);
    for round in 1..shape.size {
        let passed = blocks.of(Buffer::Output, shape.before(round - 1));
        schedule.send(shape.after(1), if round == 1 { input } else { passed });
        schedule.receive(shape.before(1), blocks.of(Buffer::Output, shape.before(round)));
        if round == 1 {
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
