//! Binomial broadcast (Thakur, Rabenseifner, Gropp 2005, section 4.4).

use crate::collective::{
    Region, Schedule, Shape,
    plan::{around, powers},
};

/// The number of ranks that have the data doubles in each round.
///
/// Cost: ceil(log2 p) (alpha + n beta).
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = super::bytes(shape);
    let mut schedule = Schedule::new(bytes, 0);
    let source = Region::input(0, bytes);
    append(&mut schedule, shape, shape.root, source, Region::output(0, bytes));
    schedule
}

/// Appends the rounds of a broadcast of the root's `source` into every rank's `target`.
pub(in crate::collective) fn append(
    schedule: &mut Schedule,
    shape: &Shape,
    root: u32,
    source: Region,
    target: Region,
) {
    let me = shape.place_from(root);
    let rank_of = |relative| around(relative, root, shape.size);
    let mut data = source;
    if me != 0 {
        let bit = 1 << me.trailing_zeros();
        schedule.receive(rank_of(me - bit), target);
        data = target;
    }
    let below = if me == 0 { u32::MAX } else { 1 << me.trailing_zeros() };
    for mask in powers(shape.size).rev().filter(|mask| *mask < below) {
        if mask < shape.size - me {
            schedule.end_round();
            schedule.send(rank_of(me + mask), data);
        }
    }
    schedule.copy(data, target);
    schedule.end_round();
}
