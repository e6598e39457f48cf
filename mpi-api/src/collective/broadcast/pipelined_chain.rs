//! Pipelined chain broadcast: segments pass along the chain of ranks (textbook).

use crate::collective::{Buffer, Schedule, Shape, blocks::Blocks};

/// Largest segment, in bytes.
pub const SEGMENT: u64 = 8192;

/// The chain begins at the root. While a rank sends one segment on, it receives the next. The data
/// are divided into k nearly equal segments of at most [`SEGMENT`] bytes.
///
/// Cost: (p - 2 + k) (alpha + n/k beta).
pub fn schedule(shape: &Shape) -> Schedule {
    let bytes = super::bytes(shape);
    let count = bytes.div_ceil(SEGMENT).max(1) as u32;
    let segments = Blocks::parts(bytes, count, 1);
    let mut schedule = Schedule::new(bytes, 0);
    let first = shape.rank == shape.root;
    let last = shape.after(1) == shape.root;
    let held = if first { Buffer::Input } else { Buffer::Output };
    // A rank inside the chain sends one round later than it receives.
    for round in 0..count + u32::from(!first) {
        if !first && round < count {
            schedule.receive(shape.before(1), segments.of(Buffer::Output, round));
        }
        let passed = if first { Some(round) } else { round.checked_sub(1) };
        if let Some(segment) = passed.filter(|_| !last) {
            schedule.send(shape.after(1), segments.of(held, segment));
        }
        schedule.end_round();
    }
    if first {
        schedule.copy(
            segments.range(Buffer::Input, 0, count),
            segments.range(Buffer::Output, 0, count),
        );
        schedule.end_round();
    }
    schedule
}
