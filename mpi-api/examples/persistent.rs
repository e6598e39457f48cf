//! Persistent requests: the same exchange in every round, set up once.

mod support;

use mpi_api::api::{self as mpi, request::start_all, traits::*};

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let (next, previous) = ((rank + 1) % size, (rank + size - 1) % size);

    let mut carried = rank;
    let mut send = world.process_at_rank(next).send_init(&carried, 0);
    let mut receive = world.process_at_rank(previous).receive_init(&carried, 0);
    for round in 1..=size {
        start_all(&mut [(&mut receive, None), (&mut send, Some(&carried))]);
        send.wait_active();
        receive.wait_into(&mut carried);
        assert_eq!(carried, (rank + size - round) % size);
    }
    send.free();
    receive.free();
}

pub(crate) fn main() {
    support::simulate(4, program);
}
