//! Reduce-scatter: all contributions combined, one block of the result on each rank.

use super::{Region, Schedule, Shape, fold::Fold};

pub mod linear;
pub mod pairwise;
pub mod recursive_doubling;
pub mod recursive_halving;
pub mod reduce_then_scatter;

/// Copies the rank's own block, `block(rank)` on a rank that remained after a fold, to the output;
/// the other rank of its pair gets its block by a message.
fn hand_out(
    schedule: &mut Schedule,
    shape: &Shape,
    fold: Fold,
    went_on: bool,
    block: impl Fn(u32) -> Region,
) {
    let mine = Region::output(0, block(shape.rank).bytes);
    let pair = fold.pair(shape.rank);
    if went_on {
        if let Some(to) = pair {
            schedule.send(to, block(to));
        }
        schedule.copy(block(shape.rank), mine);
    } else if let Some(from) = pair {
        schedule.receive(from, mine);
    }
    schedule.end_round();
}
