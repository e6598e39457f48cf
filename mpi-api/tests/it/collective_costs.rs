//! Collectives through the whole simulator: on a network without contention and with a free
//! processor, the makespan is the closed form of the algorithm (Thakur, Rabenseifner, Gropp 2005,
//! section 4).

use mpi_api::{
    api::{collective::SystemOperation, initialize, traits::*},
    outcome::Ending,
    run::run,
    settings::{Buffering, Settings},
};
use network_models::{Bandwidth, Constant, LocalPath};
use sim_core::SimDuration;
use std::sync::Arc;

/// Picoseconds of a message's start-up and of each byte.
const ALPHA: u64 = 1_000_000_000;
const BETA: u64 = 1_000;
/// Elements of four bytes each rank gives.
const COUNT: usize = 96;

/// Picoseconds until the last rank is through.
fn makespan(ranks: u32, choice: &str, program: fn()) -> u64 {
    let base = crate::settings(ranks, Buffering::infinite());
    let mut selector = base.selector.clone();
    selector.set(choice).expect("a choice");
    let settings = Settings { selector, ..base };
    let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
    let rate = Bandwidth::from_bytes_per_sec(1_000_000_000);
    let network = Constant::new(SimDuration::from_ps(ALPHA), Some(rate), local);
    let result = run(settings, Box::new(network), &(Arc::new(program) as _), None).0;
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    result.makespan.as_ps()
}

fn allreduce() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let mut sum = [0; COUNT];
    world.all_reduce_into(&[world.rank(); COUNT], &mut sum, SystemOperation::sum());
    assert_eq!(sum, [(0..world.size()).sum::<i32>(); COUNT]);
}

fn allgather() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let mut all = vec![-1; COUNT * world.size() as usize];
    world.all_gather_into(&[world.rank(); COUNT], &mut all[..]);
    assert!(all.chunks(COUNT).zip(0..).all(|(block, rank)| block == [rank; COUNT]));
}

fn alltoall() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let out: Vec<i32> = (0..world.size()).flat_map(|to| [world.rank() * 100 + to; COUNT]).collect();
    let mut got = vec![-1; out.len()];
    world.all_to_all_into(&out[..], &mut got[..]);
    let expected = |from: i32| [from * 100 + world.rank(); COUNT];
    assert!(got.chunks(COUNT).zip(0..).all(|(block, from)| block == expected(from)));
}

fn broadcast() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let mut data = [world.rank() + 1; COUNT];
    world.process_at_rank(0).broadcast_into(&mut data[..]);
    assert_eq!(data, [1; COUNT]);
}

#[test]
fn makespans_are_the_closed_forms() {
    for log in 1..=4_u64 {
        let p = 1 << log;
        let block = 4 * COUNT as u64;
        // A reduction or broadcast has `block` bytes in all, the others a block for each rank.
        let (cut, rest) = (block - block / p, (p - 1) * block);
        let forms: [(&str, fn(), u64, u64); 14] = [
            ("allreduce=recursive_doubling", allreduce, log, log * block),
            ("allreduce=rabenseifner", allreduce, 2 * log, 2 * cut),
            ("allreduce=ring", allreduce, 2 * (p - 1), 2 * cut),
            ("allreduce=reduce_broadcast", allreduce, 2 * log, 2 * log * block),
            ("allgather=recursive_doubling", allgather, log, rest),
            ("allgather=bruck", allgather, log, rest),
            ("allgather=neighbor_exchange", allgather, p / 2, rest),
            ("allgather=ring", allgather, p - 1, rest),
            ("allgather=gather_broadcast", allgather, 2 * log, rest + log * p * block),
            ("alltoall=bruck", alltoall, log, log * p * block / 2),
            ("alltoall=pairwise", alltoall, p - 1, rest),
            ("alltoall=ring", alltoall, p - 1, rest),
            ("broadcast=binomial", broadcast, log, log * block),
            ("broadcast=pipelined_chain", broadcast, p - 1, (p - 1) * block),
        ];
        for (choice, program, rounds, bytes) in forms {
            let found = makespan(p as u32, choice, program);
            let expected = rounds * ALPHA + bytes * BETA;
            assert_eq!(found, expected, "{choice} on {p} ranks");
        }
    }
}
