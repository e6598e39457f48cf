//! All-to-all exchanges (Pacheco, chapter 13, programming assignments 2 and 3).
//!
//! Every rank has a block for every rank; afterwards block `i` is rank `i`'s block for this one.

use mpi_api::api::{
    environment::carries_all_data, initialize, point_to_point::send_receive_into, request::scope,
    topology::SimpleCommunicator, traits::*,
};

use super::{BuiltIn, Values, all_pairs, of_allgather};

const BLOCK: &[(&str, usize)] = &[("blocksize", 4)];

pub(super) fn programs() -> Vec<BuiltIn> {
    let program = |name, summary, power_of_two, body| BuiltIn {
        name,
        summary,
        parameters: BLOCK,
        power_of_two,
        body,
        volume: |values, ranks| of_allgather(values, ranks, 3, all_pairs(ranks)),
    };
    vec![
        program("alltoall-ring", "all-to-all, blocks passed round a ring", false, ring),
        program("alltoall-cube", "all-to-all, halves exchanged on a hypercube", true, cube),
    ]
}

/// Returns the value that rank `from` has for rank `to`.
fn value(from: usize, to: usize) -> i32 {
    (from * 10_000 + to) as i32
}

fn own(comm: &SimpleCommunicator, block: usize) -> Vec<Vec<i32>> {
    let (rank, size) = (comm.rank() as usize, comm.size() as usize);
    // Zeros that are never written take no memory of this computer.
    let filling = |to: usize| if carries_all_data() { value(rank, to) } else { 0 };
    (0..size).map(|to| vec![filling(to); block]).collect()
}

fn check(comm: &SimpleCommunicator, block: usize, blocks: &[Vec<i32>]) {
    let rank = comm.rank() as usize;
    let received = if carries_all_data() { blocks } else { &[] };
    for (from, got) in received.iter().enumerate() {
        assert!(*got == vec![value(from, rank); block], "the block of rank {from} is wrong");
    }
}

/// Forwards the blocks for other ranks in each pass: the bundle gets one block shorter.
fn ring(values: &Values) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let block = values.get("blocksize");
    let (rank, size) = (world.rank() as usize, world.size() as usize);
    let mut blocks = own(&world, block);
    let (successor, predecessor) = ((rank + 1) % size, (rank + size - 1) % size);
    let (successor, predecessor) =
        (world.process_at_rank(successor as i32), world.process_at_rank(predecessor as i32));
    let mut bundle: Vec<i32> =
        (1..size).flat_map(|by| blocks[(rank + by) % size].clone()).collect();
    for pass in 1..size {
        let mut next = vec![0; bundle.len()];
        send_receive_into(&bundle, &successor, &mut next, &predecessor);
        blocks[(rank + size - pass) % size] = next[..block].to_vec();
        bundle = next[block..].to_vec();
    }
    check(&world, block, &blocks);
}

/// Exchanges the blocks for the other half with a partner in each stage.
fn cube(values: &Values) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let block = values.get("blocksize");
    let (rank, size) = (world.rank() as usize, world.size() as usize);
    let mut blocks = own(&world, block);
    for bit in (0..size.trailing_zeros()).map(|stage| 1 << stage) {
        let leaving: Vec<usize> = (0..size).filter(|to| (to ^ rank) & bit != 0).collect();
        let out: Vec<i32> = leaving.iter().flat_map(|to| blocks[*to].clone()).collect();
        let mut coming = vec![0; out.len()];
        let partner = world.process_at_rank((rank ^ bit) as i32);
        scope(|scope| {
            let receive = partner.immediate_receive_into(scope, &mut coming);
            let send = partner.immediate_send(scope, &out);
            receive.wait();
            send.wait();
        });
        // The partner's blocks arrive in the order of its places: those without this bit changed.
        for (part, to) in coming.chunks(block).zip(&leaving) {
            blocks[*to] = part.to_vec();
        }
    }
    check(&world, block, &blocks);
}
