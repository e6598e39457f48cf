//! Allreduce as a reduction to rank 0 and a broadcast, both binomial (textbook).

use crate::collective::{Region, Schedule, Shape, blocks::single, broadcast, reduce};

/// The reduction keeps rank order, as its root is rank 0.
///
/// Cost: ceil(log2 p) (2 alpha + 2 n beta + n gamma).
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let output = Region::output(0, bytes);
    let mut schedule = Schedule::new(bytes, 0);
    reduce::binomial::append(&mut schedule, shape, 0, output);
    broadcast::binomial::append(&mut schedule, shape, 0, output, output);
    schedule
}
