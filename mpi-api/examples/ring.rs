//! A value goes round a ring: every rank sends to its successor and receives from its
//! predecessor at once.

mod support;

use mpi_api::api::{self as mpi, point_to_point as p2p, traits::*};

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let next = world.process_at_rank((rank + 1) % size);
    let previous = world.process_at_rank((rank + size - 1) % size);

    let (received, status): (i32, _) = p2p::send_receive(&rank, &next, &previous);
    assert_eq!(received, previous.rank());
    assert_eq!(status.source_rank(), previous.rank());

    let mut token = rank;
    for _ in 0..size {
        p2p::send_receive_replace_into(&mut token, &next, &previous);
    }
    assert_eq!(token, rank, "it has come home");
}

pub(crate) fn main() {
    support::simulate(5, program);
}
