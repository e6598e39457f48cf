//! Linear broadcast: the root sends to every rank directly (textbook).

use crate::collective::{Region, Schedule, Shape};

/// One round.
///
/// Cost: (p - 1) (o_s + n beta) on the root, then alpha.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = super::bytes(shape);
    let mut schedule = Schedule::new(bytes, 0);
    if shape.rank == shape.root {
        for by in 1..shape.size {
            schedule.send(shape.after(by), Region::input(0, bytes));
        }
        schedule.copy(Region::input(0, bytes), Region::output(0, bytes));
    } else {
        schedule.receive(shape.root, Region::output(0, bytes));
    }
    schedule.end_round();
    schedule
}
