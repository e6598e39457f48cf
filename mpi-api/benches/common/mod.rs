//! Programs that the benchmarks run, and the machine they run on.

use std::sync::Arc;

use mpi_api::{
    api::{SystemOperation, initialize, send_receive_into, traits::*, wait_all},
    collective::select::Selector,
    cost::Costs,
    outcome::{Ending, RunResult},
    run::{Program, run},
    settings::{Buffering, Matching, Settings, Synchronisation},
};
use network_models::{Constant, LocalPath, Network, NodeId};
use sim_core::{Limits, SimDuration, TieBreak};

/// Runs a program on ranks of a network with a constant latency.
///
/// # Panics
/// If the program does not complete.
pub fn simulate(ranks: u32, program: &Program) -> RunResult {
    let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
    let network = Constant::new(SimDuration::from_us(1), None, local);
    simulate_on(ranks, Box::new(network), program)
}

/// Runs a program on ranks of a network.
///
/// # Panics
/// If the program does not complete.
pub fn simulate_on(ranks: u32, network: Box<dyn Network>, program: &Program) -> RunResult {
    let settings = Settings {
        nodes: (0..ranks).map(NodeId).collect(),
        costs: Costs::free(),
        buffering: Buffering::infinite(),
        synchronisation: Synchronisation::Algorithm,
        selector: Selector::default_choice(),
        matching: Matching::Arrival,
        tie_break: TieBreak::InsertionOrder,
        limits: Limits::standard(),
        late: None,
    };
    let result = run(settings, network, program, None).0;
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    result
}

/// `steps` exchanges with both neighbours on a ring.
pub fn ring(steps: u32) -> Program {
    Arc::new(move || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let (rank, size) = (world.rank(), world.size());
        let (right, left) = ((rank + 1) % size, (rank + size - 1) % size);
        let (to, from) = (world.process_at_rank(right), world.process_at_rank(left));
        let mut block = [rank as f32];
        for _ in 0..steps {
            let mut received = [0f32];
            send_receive_into(&block, &to, &mut received, &from);
            block = received;
        }
    })
}

/// Everybody sends one value to everybody; receives are posted before or after a barrier that
/// follows the sends, so that all are posted or all messages are unexpected.
pub fn all_to_all(posted: bool) -> Program {
    Arc::new(move || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let (rank, size) = (world.rank(), world.size());
        let peers: Vec<i32> = (1..size).map(|by| (rank + by) % size).collect();
        let mut room = vec![0i32; peers.len()];
        if posted {
            let mut requests = Vec::with_capacity(2 * peers.len());
            for (place, peer) in room.iter_mut().zip(peers.iter().rev()) {
                requests.push(world.process_at_rank(*peer).immediate_receive_into(place, Some(0)));
            }
            world.barrier();
            for peer in &peers {
                requests.push(world.process_at_rank(*peer).immediate_send(&rank, 0));
            }
            wait_all(requests);
        } else {
            let mut requests = Vec::with_capacity(peers.len());
            for peer in &peers {
                requests.push(world.process_at_rank(*peer).immediate_send(&rank, 0));
            }
            world.barrier();
            for (place, peer) in room.iter_mut().zip(peers.iter().rev()) {
                world.process_at_rank(*peer).receive_into(place);
            }
            wait_all(requests);
        }
        let sum: i64 = room.iter().map(|value| i64::from(*value)).sum();
        let all = i64::from(size) * i64::from(size - 1) / 2;
        assert_eq!(sum, all - i64::from(rank));
    })
}

/// A barrier, and a sum over all if asked.
pub fn barrier(sum: bool) -> Program {
    Arc::new(move || {
        let universe = initialize().expect("once");
        let world = universe.world();
        world.barrier();
        if sum {
            let mut total = 0f64;
            world.all_reduce_into(&1f64, &mut total, SystemOperation::sum());
            assert_eq!(total as i32, world.size());
        }
    })
}
