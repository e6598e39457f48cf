//! Tree barrier: an empty gather and broadcast on a binomial tree (textbook).

use crate::collective::{Region, Schedule, Shape, broadcast::binomial, plan::powers};

/// Signals climb a binomial tree to rank 0 and come back down.
///
/// Cost: 2 ceil(log2 p) alpha.
pub fn schedule(shape: &Shape) -> Schedule {
    let mut schedule = Schedule::new(0, 0);
    for mask in powers(shape.size) {
        if shape.rank & mask != 0 {
            schedule.send(shape.rank - mask, Region::empty());
            schedule.end_round();
            break;
        }
        if mask < shape.size - shape.rank {
            schedule.receive(shape.rank + mask, Region::empty());
            schedule.end_round();
        }
    }
    binomial::append(&mut schedule, shape, 0, Region::empty(), Region::empty());
    schedule
}
