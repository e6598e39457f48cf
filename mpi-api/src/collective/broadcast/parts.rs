//! The first phase of van de Geijn's broadcasts: each rank gets its part of the data.

use crate::collective::{
    Buffer, Region, Schedule, Shape,
    blocks::Blocks,
    plan::{around, powers},
};

/// Divides the data into as many parts as there are ranks; part i is for the i-th rank from the
/// root.
pub(super) fn split(shape: &Shape) -> Blocks {
    Blocks::parts(super::bytes(shape), shape.size, shape.element_bytes)
}

/// Builds a binomial scatter of the parts, each to its place in the output.
pub(super) fn scatter(shape: &Shape, parts: &Blocks) -> Schedule {
    let bytes = super::bytes(shape);
    let size = shape.size;
    let mut schedule = Schedule::new(bytes, 0);
    let me = shape.place_from(shape.root);
    let rank_of = |relative| around(relative, shape.root, size);
    let mut below = u32::MAX;
    if me == 0 {
        schedule.copy(Region::input(0, bytes), Region::output(0, bytes));
    } else {
        below = 1 << me.trailing_zeros();
        let end = me + below.min(size - me);
        schedule.receive(rank_of(me - below), parts.range(Buffer::Output, me, end));
    }
    schedule.end_round();
    for mask in powers(size).rev().filter(|mask| *mask < below) {
        if mask < size - me {
            let first = me + mask;
            let end = first + mask.min(size - first);
            schedule.send(rank_of(first), parts.range(Buffer::Output, first, end));
            schedule.end_round();
        }
    }
    schedule
}
