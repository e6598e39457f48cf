//! Recursive halving: the first phase of Rabenseifner's algorithms, and a reduce-scatter in itself
//! (Thakur, Rabenseifner, Gropp 2005, sections 4.3 and 4.5).

use crate::collective::{
    Region, Schedule, Shape,
    fold::{Fold, between},
};

/// The state of a rank after the halving.
pub(in crate::collective) struct Halved {
    /// Its number among the remaining ranks.
    pub(in crate::collective) index: u32,
    /// For each round the distance of the partner, the part kept and the part given away, as
    /// offsets.
    pub(in crate::collective) rounds: Vec<(u32, (u64, u64), (u64, u64))>,
}

/// Appends the rounds of a fold and a recursive halving: partners exchange halves of their current
/// data and combine them. The result is in `place`, in the part kept last.
///
/// `bound(i)` is the first byte of part i of `fold.power`; distances are taken in the order of
/// `masks`. In ascending order only neighbouring groups are combined, which keeps rank order; in
/// descending order the rank with number i ends with part i.
///
/// Data are received in scratch below `place.bytes`. Returns `None` on a rank that hands over its
/// operand.
pub(in crate::collective) fn append(
    schedule: &mut Schedule,
    shape: &Shape,
    fold: Fold,
    place: Region,
    bound: impl Fn(u32) -> u64,
    masks: impl Iterator<Item = u32>,
) -> Option<Halved> {
    let mut value = Region::input(0, place.bytes);
    let got = Region::scratch(0, place.bytes);
    let pair = fold.pair(shape.rank);
    let Some(index) = fold.index(shape.rank) else {
        if let Some(to) = pair {
            schedule.send(to, value);
        }
        schedule.end_round();
        return None;
    };
    if let Some(from) = pair {
        schedule.receive(from, got);
        schedule.copy(value, place);
        combine(schedule, from < shape.rank, got, place);
        schedule.end_round();
        value = place;
    }
    let (mut first, mut end) = (0, fold.power);
    let mut rounds = Vec::new();
    for mask in masks {
        let middle = first + (end - first) / 2;
        let (lower, upper) = ((bound(first), bound(middle)), (bound(middle), bound(end)));
        let (kept, given) = if index & mask == 0 {
            end = middle;
            (lower, upper)
        } else {
            first = middle;
            (upper, lower)
        };
        let partner = fold.rank(index ^ mask);
        let part = between(place, kept.0, kept.1);
        let theirs = between(got, 0, part.bytes);
        schedule.send(partner, between(value, given.0, given.1));
        schedule.receive(partner, theirs);
        schedule.copy(between(value, kept.0, kept.1), part);
        combine(schedule, partner < shape.rank, theirs, part);
        schedule.end_round();
        value = place;
        rounds.push((mask, kept, given));
    }
    schedule.copy(value, place);
    schedule.end_round();
    Some(Halved { index, rounds })
}

/// Combines with data received from a lower or a higher rank.
pub(in crate::collective) fn combine(
    schedule: &mut Schedule,
    from_below: bool,
    got: Region,
    into: Region,
) {
    if from_below {
        schedule.combine_left(got, into);
    } else {
        schedule.combine_right(got, into);
    }
}
