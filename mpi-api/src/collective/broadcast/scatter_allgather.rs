//! Broadcast of long messages: binomial scatter, then ring allgather (van de Geijn; Thakur,
//! Rabenseifner, Gropp 2005, section 4.4).

use crate::collective::{
    Buffer, Region, Schedule, Shape,
    blocks::Blocks,
    plan::{around, powers},
};

/// Part i of the data belongs to the i-th rank counted from the root.
///
/// Cost: (ceil(log2 p) + p - 1) alpha + 2 (p - 1)/p n beta.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = super::bytes(shape);
    let size = shape.size;
    let mut schedule = Schedule::new(bytes, 0);
    let parts = Blocks::parts(bytes, size, shape.element_bytes);
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
    for round in 1..size {
        let sent = around(me, size - round + 1, size);
        let got = around(me, size - round, size);
        schedule.send(shape.after(1), parts.of(Buffer::Output, sent));
        schedule.receive(shape.before(1), parts.of(Buffer::Output, got));
        schedule.end_round();
    }
    schedule
}
