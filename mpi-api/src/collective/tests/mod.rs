//! Tests of every algorithm against a direct computation of its result.

mod costs;
mod interpreter;
mod results;
mod rounds;

use super::{Peers, Schedule, Shape, Step};

/// Returns a schedule whose steps name all ranks by their number.
fn by_rank(mut schedule: Schedule, shape: &Shape) -> Schedule {
    let peers = std::mem::replace(&mut schedule.peers, Peers::ByRank);
    for step in &mut schedule.steps {
        if let Step::Send { to: peer, .. } | Step::Receive { from: peer, .. } = step {
            *peer = peers.rank(*peer, shape.rank, shape.size);
        }
        if let Step::CombineInOrder { from, into, bit } = *step {
            *step = match shape.rank & bit == 0 {
                true => Step::CombineRight { from, into },
                false => Step::CombineLeft { from, into },
            };
        }
    }
    schedule
}
