//! Rabenseifner's allreduce: reduce-scatter by recursive halving, then an allgather by recursive
//! doubling (Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005, section 4.5).

use crate::collective::{
    Region, Schedule, Shape,
    blocks::{Blocks, single},
    fold::{Fold, between},
    plan::powers,
    reduce::halving,
};

/// Works for any number of ranks and any operation: distances double while the data halve, so that
/// only neighbouring groups are combined, in rank order and with the same association as in a
/// recursive doubling allreduce. Ranks beyond a power of two hand over their operands first and get
/// the result last.
///
/// Cost: 2 log2 p alpha + 2 (p - 1)/p n beta + (p - 1)/p n gamma for a power of two; otherwise p is
/// the next lower power of two, and 2 (alpha + n beta) + n gamma are added.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let output = Region::output(0, bytes);
    let mut schedule = Schedule::new(bytes, bytes);
    let fold = Fold::new(shape.size, None);
    let parts = Blocks::parts(bytes, fold.power, shape.element_bytes);
    let bound = |index| parts.start(index);
    let masks = powers(fold.power);
    let halved = halving::append(&mut schedule, shape, fold, output, bound, masks);
    let pair = fold.pair(shape.rank);
    if let Some(halved) = halved {
        for (mask, kept, given) in halved.rounds.into_iter().rev() {
            let partner = fold.rank(halved.index ^ mask);
            schedule.send(partner, between(output, kept.0, kept.1));
            schedule.receive(partner, between(output, given.0, given.1));
            schedule.end_round();
        }
        if let Some(to) = pair {
            schedule.send(to, output);
        }
    } else if let Some(from) = pair {
        schedule.receive(from, output);
    }
    schedule.end_round();
    schedule
}
