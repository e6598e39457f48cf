//! Pairwise all-to-all (Thakur, Rabenseifner, Gropp 2005, section 4.2; textbook).

use crate::collective::{Buffer, Schedule, Shape, blocks::Blocks};

/// In round k each rank sends to the rank k after it and receives from the rank k before it.
///
/// Cost: (p - 1) (alpha + m beta), m bytes a block.
pub fn schedule(shape: &Shape) -> Schedule {
    let (sent, got) = (Blocks::new(&shape.send), Blocks::new(&shape.receive));
    let mut schedule = Schedule::new(got.start(shape.size), 0);
    let own = (sent.of(Buffer::Input, shape.rank), got.of(Buffer::Output, shape.rank));
    for by in 1..shape.size {
        let (to, from) = (shape.after(by), shape.before(by));
        schedule.send(to, sent.of(Buffer::Input, to));
        schedule.receive(from, got.of(Buffer::Output, from));
        if by == 1 {
            schedule.copy(own.0, own.1);
        }
        schedule.end_round();
    }
    if shape.size == 1 {
        schedule.copy(own.0, own.1);
        schedule.end_round();
    }
    schedule
}
