//! Rabenseifner's reduction: reduce-scatter by recursive halving, then a binomial gather
//! (Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005, section 4.5).

use crate::collective::{
    Region, Schedule, Shape,
    blocks::{Blocks, single},
    fold::{Fold, between},
    plan::powers,
    reduce::halving,
};

/// Works for any number of ranks and any operation: distances double while the data halve, so that
/// only neighbouring groups are combined, in rank order and with the same association as in a
/// recursive doubling allreduce. Ranks beyond a power of two hand over their operands first; the
/// root never does.
///
/// Cost: 2 log2 p alpha + 2 (p - 1)/p n beta + (p - 1)/p n gamma for a power of two; otherwise p is
/// the next lower power of two, and alpha + n beta + n gamma are added.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let at_root = shape.rank == shape.root;
    let mut schedule = Schedule::new(if at_root { bytes } else { 0 }, 2 * bytes);
    let place = if at_root { Region::output(0, bytes) } else { Region::scratch(bytes, bytes) };
    let fold = Fold::new(shape.size, Some(shape.root));
    let parts = Blocks::parts(bytes, fold.power, shape.element_bytes);
    let bound = |index| parts.start(index);
    let masks = powers(fold.power);
    let halved = halving::append(&mut schedule, shape, fold, place, bound, masks);
    let (Some(halved), Some(root)) = (halved, fold.index(shape.root)) else { return schedule };
    for (mask, kept, given) in halved.rounds.into_iter().rev() {
        let partner = fold.rank(halved.index ^ mask);
        if (halved.index ^ root) & mask != 0 {
            schedule.send(partner, between(place, kept.0, kept.1));
            schedule.end_round();
            break;
        }
        schedule.receive(partner, between(place, given.0, given.1));
        schedule.end_round();
    }
    schedule
}
