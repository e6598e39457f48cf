//! Linear scan: the running result passes along the chain of ranks (textbook).

use crate::collective::{Region, Schedule, Shape, blocks::single};

/// Each rank waits for the result of the ranks below, adds its own and passes it on.
///
/// Cost: (p - 1) (alpha + n beta + n gamma).
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let mut schedule = Schedule::new(super::result_bytes(shape), 0);
    let (input, output) = (Region::input(0, bytes), Region::output(0, bytes));
    let mut passed = input;
    if shape.rank > 0 {
        passed = if super::inclusive(shape) { output } else { Region::scratch(0, bytes) };
        let got = if super::inclusive(shape) { Region::scratch(0, bytes) } else { output };
        schedule.scratch_bytes = bytes;
        schedule.receive(shape.rank - 1, got);
        schedule.copy(input, passed);
        schedule.combine_left(got, passed);
        schedule.end_round();
    }
    if shape.rank + 1 < shape.size {
        schedule.send(shape.rank + 1, passed);
    }
    if shape.rank == 0 && super::inclusive(shape) {
        schedule.copy(input, output);
    }
    schedule.end_round();
    schedule
}
