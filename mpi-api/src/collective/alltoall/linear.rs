//! Linear all-to-all: everything posted at once (Thakur, Rabenseifner, Gropp 2005, section 4.2).

use crate::collective::{Buffer, Schedule, Shape, blocks::Blocks};

/// One round; each rank begins with its right neighbour to spread the load.
///
/// Cost: alpha + (p - 1) (o_s + o_r + m beta), m bytes a block.
pub fn schedule(shape: &Shape) -> Schedule {
    let (sent, got) = (Blocks::new(&shape.send), Blocks::new(&shape.receive));
    let mut schedule = Schedule::new(got.start(shape.size), 0);
    for by in 1..shape.size {
        let from = shape.before(by);
        schedule.receive(from, got.of(Buffer::Output, from));
    }
    for by in 1..shape.size {
        let to = shape.after(by);
        schedule.send(to, sent.of(Buffer::Input, to));
    }
    schedule.copy(sent.of(Buffer::Input, shape.rank), got.of(Buffer::Output, shape.rank));
    schedule.end_round();
    schedule
}
