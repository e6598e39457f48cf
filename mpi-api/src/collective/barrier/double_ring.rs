//! Double ring barrier (as in Open MPI).

use crate::collective::{Region, Schedule, Shape};

/// A signal goes round the ring of ranks twice. When it comes back to rank 0 for the first time all
/// ranks have entered; its second round lets them leave.
///
/// Cost: 2 p alpha.
pub fn schedule(shape: &Shape) -> Schedule {
    let mut schedule = Schedule::new(0, 0);
    if shape.size == 1 {
        return schedule;
    }
    for _ in 0..2 {
        if shape.rank == 0 {
            schedule.send(shape.after(1), Region::empty());
            schedule.end_round();
        }
        schedule.receive(shape.before(1), Region::empty());
        schedule.end_round();
        if shape.rank != 0 {
            schedule.send(shape.after(1), Region::empty());
            schedule.end_round();
        }
    }
    schedule
}
