//! Binomial scatter of equal blocks (textbook; Thakur, Rabenseifner, Gropp 2005).

use crate::collective::{
    Region, Schedule, Shape,
    blocks::single,
    plan::{around, powers},
};

/// Each rank gets the blocks of its subtree in one message and passes parts of them on.
///
/// Cost: ceil(log2 p) alpha + (p - 1) n beta, n bytes a block.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.receive);
    let (size, me) = (shape.size, shape.place_from(shape.root));
    let count = |blocks: u32| u64::from(blocks) * bytes;
    let rank_of = |relative| around(relative, shape.root, size);
    let in_place = me == 0 && shape.root == 0;
    let tree = if me == 0 { size } else { (1 << me.trailing_zeros()).min(size - me) };
    let direct = me != 0 && tree == 1;
    let place = if in_place { Region::input } else { Region::scratch };
    let mut schedule = Schedule::new(bytes, if in_place || direct { 0 } else { count(tree) });
    if direct {
        schedule.receive(rank_of(me & (me - 1)), Region::output(0, bytes));
    } else if me != 0 {
        let data = place(0, count(tree));
        schedule.receive(rank_of(me & (me - 1)), data);
        schedule.copy(place(0, bytes), Region::output(0, bytes));
    } else {
        if !in_place {
            let (first, rest) = (count(size - shape.root), count(shape.root));
            schedule.copy(Region::input(rest, first), Region::scratch(0, first));
            schedule.copy(Region::input(0, rest), Region::scratch(first, rest));
        }
        schedule.copy(place(0, bytes), Region::output(0, bytes));
    }
    schedule.end_round();
    for mask in powers(tree).rev() {
        let blocks = mask.min(tree - mask);
        schedule.send(rank_of(me + mask), place(count(mask), count(blocks)));
        schedule.end_round();
    }
    schedule
}
