//! Dissemination barrier (Hensgen, Finkel, Manber 1988).

use crate::collective::{Peers, Region, Schedule, Shape, plan::powers};

/// In round k each rank signals the one 2^k after it and waits for the one 2^k before it.
///
/// Cost: ceil(log2 p) alpha.
pub fn schedule(shape: &Shape) -> Schedule {
    let mut schedule = Schedule { peers: Peers::ByDistance, ..Schedule::new(0, 0) };
    for by in powers(shape.size) {
        schedule.send(by, Region::empty());
        schedule.receive(shape.size - by, Region::empty());
        schedule.end_round();
    }
    schedule
}
