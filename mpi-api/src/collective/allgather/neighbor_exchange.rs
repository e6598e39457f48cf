//! Neighbour exchange allgather (Chen, Zhang, Zhang, Yuan 2005).

use crate::collective::{Buffer, Region, Schedule, Shape, blocks::Blocks, plan::around};

/// Requires an even number of ranks. Each rank alternates between its two neighbours: first they
/// exchange their own blocks, then always the two blocks received last.
///
/// Cost: p/2 alpha + (p - 1)/p n beta, n bytes in all.
pub fn schedule(shape: &Shape) -> Schedule {
    let blocks = Blocks::new(&shape.receive);
    let mut schedule = Schedule::new(blocks.start(shape.size), 0);
    let own = blocks.of(Buffer::Output, shape.rank);
    let input = Region::input(0, own.bytes);
    let pairs = shape.size / 2;
    let pair = |number: u32| blocks.range(Buffer::Output, 2 * number, 2 * number + 2);
    let even = shape.rank.is_multiple_of(2);
    let first = shape.rank ^ 1;
    schedule.send(first, input);
    schedule.receive(first, blocks.of(Buffer::Output, first));
    schedule.copy(input, own);
    schedule.end_round();
    let mut last = shape.rank / 2;
    for round in 1..pairs {
        // In odd rounds even ranks exchange with their left neighbour and odd ranks with their
        // right one; the pairs of blocks come from increasingly distant ranks on that side.
        let left = even == (round % 2 == 1);
        let partner = if left { shape.before(1) } else { shape.after(1) };
        let distance = round.div_ceil(2);
        let by = if left { pairs - distance } else { distance };
        let coming = around(shape.rank / 2, by, pairs);
        schedule.send(partner, pair(last));
        schedule.receive(partner, pair(coming));
        schedule.end_round();
        last = coming;
    }
    schedule
}
