//! Broadcast of medium messages: binomial scatter, then recursive doubling allgather (Thakur,
//! Rabenseifner, Gropp 2005, section 4.4).

use super::parts::{scatter, split};
use crate::collective::{
    Buffer, Schedule, Shape,
    plan::{around, powers},
};

/// Requires a power of two of ranks. Part i of the data belongs to the i-th rank counted from the
/// root.
///
/// Cost: 2 log2 p alpha + 2 (p - 1)/p n beta.
pub fn schedule(shape: &Shape) -> Schedule {
    let parts = split(shape);
    let mut schedule = scatter(shape, &parts);
    let me = shape.place_from(shape.root);
    for mask in powers(shape.size) {
        let partner = around(me ^ mask, shape.root, shape.size);
        let group = |place: u32| {
            let first = place & !(mask - 1);
            parts.range(Buffer::Output, first, first + mask)
        };
        schedule.send(partner, group(me));
        schedule.receive(partner, group(me ^ mask));
        schedule.end_round();
    }
    schedule
}
