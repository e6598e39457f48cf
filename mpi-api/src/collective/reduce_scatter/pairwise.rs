//! Pairwise reduce-scatter (Thakur, Rabenseifner, Gropp 2005, section 4.3).

use crate::collective::{Buffer, Region, Schedule, Shape, blocks::Blocks, plan::Running};

/// Requires a commutative operation. In round k each rank sends the rank k after it that rank's
/// block, and combines the block received from the rank k before it.
///
/// Cost: (p - 1) alpha + (p - 1)/p n (beta + gamma), n bytes in all.
pub fn schedule(shape: &Shape) -> Schedule {
    let blocks = Blocks::new(&shape.receive);
    let own = blocks.of(Buffer::Input, shape.rank);
    let mut schedule = Schedule::new(own.bytes, own.bytes);
    let got = Region::scratch(0, own.bytes);
    let mut running = Running::new(own, Region::output(0, own.bytes));
    for by in 1..shape.size {
        let to = shape.after(by);
        schedule.send(to, blocks.of(Buffer::Input, to));
        schedule.receive(shape.before(by), got);
        running.left(&mut schedule, got);
        schedule.end_round();
    }
    running.settle(&mut schedule);
    schedule.end_round();
    schedule
}
