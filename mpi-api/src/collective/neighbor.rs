//! Neighbourhood collectives (MPI sections 8.6 to 8.8): direct messages to each neighbour.
//!
//! Cost: one message per neighbour, all in one round.

use super::{Buffer, Region, Schedule, Shape, blocks::Blocks, blocks::single};
use crate::call::{CollectiveKind, Neighbors};

/// Returns the schedule of one rank. Blocks of null neighbours are neither sent nor written.
///
/// Messages between two ranks match in the order of the lists. On a Cartesian topology the two
/// receives of each dimension are posted in reverse order, so that data sent to the low side are
/// received from the high side even where both neighbours are the same rank.
pub(super) fn schedule(shape: &Shape, neighbors: &Neighbors) -> Schedule {
    let receive = Blocks::new(&shape.receive);
    let send = Blocks::new(&shape.send);
    let sources = neighbors.sources.len() as u32;
    let mut schedule = Schedule::new(receive.start(sources), 0);
    for place in 0..sources {
        let crossed = if neighbors.cartesian { place ^ 1 } else { place };
        if let Some(source) = neighbors.sources[crossed as usize] {
            schedule.receive(source, receive.of(Buffer::Output, crossed));
        }
    }
    for (place, destination) in (0..).zip(&neighbors.destinations) {
        let Some(destination) = destination else { continue };
        let from = if shape.kind == CollectiveKind::NeighborAllgather {
            Region::input(0, single(&shape.send))
        } else {
            send.of(Buffer::Input, place)
        };
        schedule.send(*destination, from);
    }
    schedule.end_round();
    schedule
}
