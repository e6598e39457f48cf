//! Overlap of the entries of a type: such a type may be sent but not received into (MPI section
//! 5.1.11).

use std::ops::ControlFlow;

use super::shape::Shape;

/// Irregular types with more blocks than this are assumed to be free of overlap, because the exact
/// test sorts all blocks.
const BLOCKS_MAX: u64 = 1 << 24;

/// Reports whether a byte occurs twice.
pub(super) fn overlaps(shape: &Shape) -> bool {
    if let Some((loops, length)) = shape.nest()
        && disjoint_nest(loops, length)
    {
        return false;
    }
    let mut blocks: Vec<(i64, i64)> = Vec::new();
    let mut number = 0;
    let flow = shape.walk(0, &mut |strip| {
        number += strip.count;
        if number > BLOCKS_MAX {
            return ControlFlow::Break(());
        }
        let places = (0..strip.count as i64).map(|n| strip.at + n * strip.stride);
        blocks.extend(places.map(|at| (at, at + strip.length as i64)));
        ControlFlow::Continue(())
    });
    if flow.is_break() {
        return false;
    }
    blocks.sort_unstable();
    blocks.windows(2).any(|pair| pair[0].1 > pair[1].0)
}

/// Reports whether each loop, in order of stride, steps over the whole span of the inner ones.
fn disjoint_nest(mut loops: Vec<(u64, i64)>, length: u64) -> bool {
    loops.retain(|(count, _)| *count > 1);
    loops.sort_unstable_by_key(|(_, stride)| stride.unsigned_abs());
    let mut span = u128::from(length);
    loops.into_iter().all(|(count, stride)| {
        let stride = u128::from(stride.unsigned_abs());
        let clear = stride >= span;
        span += stride * u128::from(count - 1);
        clear
    })
}
