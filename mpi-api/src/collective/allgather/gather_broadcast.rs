//! Allgather as a gather to rank 0 and a broadcast (textbook).

use crate::{
    call::Counts,
    collective::{Region, Schedule, Shape, blocks::Blocks, broadcast, gather},
};

/// Both phases are binomial, except that the gather of unequal blocks is linear.
///
/// Cost: ceil(log2 p) (2 alpha + n beta) + (p - 1)/p n beta, n bytes in all.
pub fn schedule(shape: &Shape) -> Schedule {
    let blocks = Blocks::new(&shape.receive);
    let total = blocks.start(shape.size);
    let send = Counts::Uniform(blocks.bytes(shape.rank));
    let gathered = Shape { root: 0, send, ..shape.clone() };
    let mut schedule = match shape.receive {
        Counts::Uniform(_) => gather::binomial::schedule(&gathered),
        _ => gather::linear::schedule(&gathered),
    };
    schedule.output_bytes = total;
    let output = Region::output(0, total);
    broadcast::binomial::append(&mut schedule, shape, 0, output, output);
    schedule
}
