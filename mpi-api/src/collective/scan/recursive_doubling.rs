//! Recursive doubling scan (Hillis, Steele 1986; textbook, as prefix sums on a hypercube).

use crate::collective::{
    Region, Schedule, Shape,
    blocks::single,
    plan::{Running, powers},
};

/// Any number of ranks: in round k ranks 2^k apart exchange the totals of their groups; what
/// comes from below also goes into the result. Rank order is kept.
///
/// Cost: ceil(log2 p) (alpha + n beta + 2 n gamma).
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let rank = shape.rank;
    let mut schedule = Schedule::new(super::result_bytes(shape), 2 * bytes);
    let (input, output) = (Region::input(0, bytes), Region::output(0, bytes));
    let got = Region::scratch(0, bytes);
    let mut total = Running::new(input, Region::scratch(bytes, bytes));
    let mut result = super::inclusive(shape).then(|| Running::new(input, output));
    for mask in powers(shape.size) {
        let partner = rank ^ mask;
        if partner >= shape.size {
            continue;
        }
        schedule.send(partner, total.value);
        schedule.receive(partner, got);
        if partner > rank {
            total.right(&mut schedule, got);
        } else {
            total.left(&mut schedule, got);
            match &mut result {
                Some(result) => result.left(&mut schedule, got),
                None => {
                    let mut first = Running::new(got, output);
                    first.settle(&mut schedule);
                    result = Some(first);
                }
            }
        }
        schedule.end_round();
    }
    if let Some(result) = &mut result {
        result.settle(&mut schedule);
    }
    schedule.end_round();
    schedule
}
