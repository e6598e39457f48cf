//! Ring allreduce: reduce-scatter and allgather on a ring (Patarasuk, Yuan 2009).

use crate::collective::{
    Buffer, Region, Schedule, Shape,
    blocks::{Blocks, single},
};

/// Requires a commutative operation. The data are divided at element boundaries into p parts; the
/// partial result of each part travels once around the ring, then the finished part once more.
///
/// Cost: 2 (p - 1) alpha + 2 (p - 1)/p n beta + (p - 1)/p n gamma.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let parts = Blocks::parts(bytes, shape.size, shape.element_bytes);
    let mut schedule = Schedule::new(bytes, parts.bytes(0));
    let (left, right) = (shape.before(1), shape.after(1));
    if shape.size == 1 {
        schedule.copy(Region::input(0, bytes), Region::output(0, bytes));
        schedule.end_round();
    }
    for round in 1..shape.size {
        let buffer = if round == 1 { Buffer::Input } else { Buffer::Output };
        schedule.send(right, parts.of(buffer, shape.before(round - 1)));
        let part = parts.of(Buffer::Output, shape.before(round));
        let got = Region::scratch(0, part.bytes);
        schedule.receive(left, got);
        if round == 1 {
            schedule.copy(Region::input(0, bytes), Region::output(0, bytes));
        }
        schedule.combine_left(got, part);
        schedule.end_round();
    }
    for round in 1..shape.size {
        // The part that this rank has finished is numbered like the rank after it.
        schedule.send(right, parts.of(Buffer::Output, shape.before(round + shape.size - 2)));
        schedule.receive(left, parts.of(Buffer::Output, shape.before(round - 1)));
        schedule.end_round();
    }
    schedule
}
