//! Linear barrier: rank 0 collects and releases all ranks directly (textbook).

use crate::collective::{Region, Schedule, Shape};

/// All ranks signal rank 0, which then signals all of them.
///
/// Cost: 2 (p - 1) message overheads on rank 0 plus two latencies.
pub fn schedule(shape: &Shape) -> Schedule {
    let mut schedule = Schedule::new(0, 0);
    if shape.rank == 0 {
        (1..shape.size).for_each(|rank| schedule.receive(rank, Region::empty()));
        schedule.end_round();
        (1..shape.size).for_each(|rank| schedule.send(rank, Region::empty()));
    } else {
        schedule.send(0, Region::empty());
        schedule.end_round();
        schedule.receive(0, Region::empty());
    }
    schedule.end_round();
    schedule
}
