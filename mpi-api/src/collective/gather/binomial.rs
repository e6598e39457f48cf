//! Binomial gather of equal blocks (textbook; Thakur, Rabenseifner, Gropp 2005).

use crate::collective::{
    Region, Schedule, Shape,
    blocks::single,
    plan::{around, powers},
};

/// Each rank collects the blocks of its subtree, in rank order from the root, and passes them
/// on in one message.
///
/// Cost: ceil(log2 p) alpha + (p - 1) n beta, n bytes a block.
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = single(&shape.send);
    let (size, me) = (shape.size, shape.place_from(shape.root));
    let count = |blocks: u32| u64::from(blocks) * bytes;
    let rank_of = |relative| around(relative, shape.root, size);
    let in_place = me == 0 && shape.root == 0;
    let tree = if me == 0 { size } else { (1 << me.trailing_zeros()).min(size - me) };
    let leaf = tree == 1;
    let place = if in_place { Region::output } else { Region::scratch };
    let mut schedule = Schedule::new(
        if me == 0 { count(size) } else { 0 },
        if leaf || in_place { 0 } else { count(tree) },
    );
    for mask in powers(tree) {
        let blocks = mask.min(tree - mask);
        schedule.receive(rank_of(me + mask), place(count(mask), count(blocks)));
        if mask == 1 {
            schedule.copy(Region::input(0, bytes), place(0, bytes));
        }
        schedule.end_round();
    }
    if me != 0 {
        let parent = rank_of(me & (me - 1));
        let data = if leaf { Region::input(0, bytes) } else { place(0, count(tree)) };
        schedule.send(parent, data);
    } else if leaf {
        schedule.copy(Region::input(0, bytes), Region::output(0, bytes));
    } else if !in_place {
        let (first, rest) = (count(size - shape.root), count(shape.root));
        schedule.copy(Region::scratch(0, first), Region::output(rest, first));
        schedule.copy(Region::scratch(first, rest), Region::output(0, rest));
    }
    schedule.end_round();
    schedule
}
