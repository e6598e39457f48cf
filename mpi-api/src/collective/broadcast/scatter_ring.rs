//! Broadcast of long messages: binomial scatter, then ring allgather (van de Geijn; Thakur,
//! Rabenseifner, Gropp 2005, section 4.4).

use super::parts::{scatter, split};
use crate::collective::{Buffer, Schedule, Shape, plan::around};

/// Part i of the data belongs to the i-th rank counted from the root.
///
/// Cost: (ceil(log2 p) + p - 1) alpha + 2 (p - 1)/p n beta.
pub fn schedule(shape: &Shape) -> Schedule {
    let parts = split(shape);
    let size = shape.size;
    let mut schedule = scatter(shape, &parts);
    let me = shape.place_from(shape.root);
    for round in 1..size {
        let sent = around(me, size - round + 1, size);
        let got = around(me, size - round, size);
        schedule.send(shape.after(1), parts.of(Buffer::Output, sent));
        schedule.receive(shape.before(1), parts.of(Buffer::Output, got));
        schedule.end_round();
    }
    schedule
}
