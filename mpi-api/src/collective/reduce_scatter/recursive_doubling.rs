//! Recursive doubling reduce-scatter (Thakur, Rabenseifner, Gropp 2005, section 4.3).

use crate::collective::{
    Region, Schedule, Shape,
    blocks::{Blocks, single},
    fold::{Fold, between},
    plan::powers,
    reduce::halving::combine,
};

/// Any operation, in rank order: groups of neighbouring ranks double, and a rank sends all but
/// the blocks of its own group. Ranks beyond a power of two hand over their operands first and
/// get their blocks last.
///
/// Cost: log2 p alpha + n (log2 p - (p - 1)/p) (beta + gamma), n bytes in all, for a power of
/// two; else two messages more: n bytes (beta + gamma) at first, one block (beta) at last.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let blocks = Blocks::new(&shape.receive);
    let mut schedule = Schedule::new(blocks.bytes(shape.rank), 3 * bytes);
    let fold = Fold::new(shape.size, None);
    let value = Region::scratch(0, bytes);
    if let Some(index) = fold.index(shape.rank) {
        gather_operands(&mut schedule, shape, fold, value);
        let group = |index: u32, mask: u32| {
            let first = index & !(mask - 1);
            (blocks.start(fold.first(first)), blocks.start(fold.first(first + mask)))
        };
        for mask in powers(fold.power) {
            let (own, theirs) = (group(index, mask), group(index ^ mask, mask));
            let partner = fold.rank(index ^ mask);
            exchange(&mut schedule, value, own, theirs, (partner, partner < shape.rank));
        }
    } else if let Some(to) = fold.pair(shape.rank) {
        schedule.send(to, Region::input(0, bytes));
        schedule.end_round();
    }
    let goes_on = fold.index(shape.rank).is_some();
    super::hand_out(&mut schedule, shape, fold, goes_on, |rank| {
        between(value, blocks.start(rank), blocks.start(rank + 1))
    });
    schedule
}

/// Collects the rank's own operand and that of a rank folded into it, in `value`.
fn gather_operands(schedule: &mut Schedule, shape: &Shape, fold: Fold, value: Region) {
    let pair = fold.pair(shape.rank);
    let got = Region { offset: value.bytes, ..value };
    if let Some(from) = pair {
        schedule.receive(from, got);
    }
    schedule.copy(Region::input(0, value.bytes), value);
    if let Some(from) = pair {
        combine(schedule, from < shape.rank, got, value);
    }
    schedule.end_round();
}

/// Sends a rank all data except the part `own`, and combines what it sends, all except the part
/// `theirs`. Each side is packed into one message.
fn exchange(
    schedule: &mut Schedule,
    value: Region,
    own: (u64, u64),
    theirs: (u64, u64),
    (partner, below): (u32, bool),
) {
    let bytes = value.bytes;
    let outside = |(start, end): (u64, u64)| [(0, start), (end, bytes)];
    let mut packed = 0;
    for (start, end) in outside(own) {
        if start < end {
            schedule.copy(between(value, start, end), Region::scratch(bytes + packed, end - start));
        }
        packed += end - start;
    }
    schedule.end_round();
    let coming = bytes - (theirs.1 - theirs.0);
    schedule.send(partner, Region::scratch(bytes, packed));
    schedule.receive(partner, Region::scratch(2 * bytes, coming));
    let mut unpacked = 0;
    for (start, end) in outside(theirs) {
        if start < end {
            let got = Region::scratch(2 * bytes + unpacked, end - start);
            combine(schedule, below, got, between(value, start, end));
        }
        unpacked += end - start;
    }
    schedule.end_round();
}
