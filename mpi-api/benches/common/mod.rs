//! Programs that the benchmarks run, and the machine they run on.
#![allow(dead_code, unreachable_pub, reason = "each benchmark uses some of it")]

use std::sync::Arc;

use mpi_api::{
    api::{
        collective::SystemOperation, initialize, point_to_point::send_receive_into,
        request::multiple_scope, traits::*,
    },
    outcome::{Ending, RunResult},
    run::{Program, run},
    settings::{Buffering, Settings},
};
use network_models::{Constant, LocalPath, Network, NodeId};
use sim_core::SimDuration;

/// As in the program `windtunnel`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    let result = run(settings(ranks), network, program, None).0;
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    result
}

/// One rank a node, calls that cost nothing, buffers without end.
pub fn settings(ranks: u32) -> Settings {
    Settings::free((0..ranks).map(NodeId).collect(), Buffering::infinite())
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
        multiple_scope(2 * peers.len(), |scope, requests| {
            let mut places: Vec<_> = peers.iter().rev().zip(&mut room).collect();
            if posted {
                for (peer, place) in places.drain(..) {
                    let from = world.process_at_rank(*peer);
                    requests.add(from.immediate_receive_into(scope, place));
                }
                world.barrier();
            }
            for peer in &peers {
                requests.add(world.process_at_rank(*peer).immediate_send(scope, &rank));
            }
            if !posted {
                world.barrier();
            }
            for (peer, place) in places {
                world.process_at_rank(*peer).receive_into(place);
            }
            requests.wait_all(&mut Vec::new());
        });
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
