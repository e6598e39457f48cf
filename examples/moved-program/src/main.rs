//! Heat conduction in a rod, each rank with a piece of it: a program written for the `mpi` crate,
//! moved over in the three steps of `docs/moving-from-rsmpi.md`.

use std::{process::ExitCode, sync::Arc};

use windtunnel::mpi;

use mpi::{collective::SystemOperation, topology::SimpleCommunicator, traits::*};

const CELLS: usize = 1000;
const STEPS: usize = 50;

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let mut rod = vec![0.0; CELLS + 2];
    if world.rank() == 0 {
        rod[0] = 100.0;
    }
    let start = mpi::time();
    for _ in 0..STEPS {
        exchange(&world, &mut rod);
        let old = rod.clone();
        for cell in 1..=CELLS {
            rod[cell] = old[cell] + 0.4 * (old[cell - 1] - 2.0 * old[cell] + old[cell + 1]);
        }
    }
    let mine: f64 = rod[1..=CELLS].iter().sum();
    let mut heat = 0.0;
    world.all_reduce_into(&mine, &mut heat, SystemOperation::sum());
    if world.rank() == 0 {
        println!("heat {heat:.3} after {:.1} us", 1e6 * (mpi::time() - start));
    }
}

/// Sends the cells at the ends to the neighbours, and receives theirs.
fn exchange(world: &SimpleCommunicator, rod: &mut [f64]) {
    let (rank, last) = (world.rank(), world.size() - 1);
    if rank > 0 {
        world.process_at_rank(rank - 1).send(&rod[1]);
    }
    if rank < last {
        world.process_at_rank(rank + 1).send(&rod[CELLS]);
        world.process_at_rank(rank + 1).receive_into(&mut rod[CELLS + 1]);
    }
    if rank > 0 {
        world.process_at_rank(rank - 1).receive_into(&mut rod[0]);
    }
}

fn main() -> ExitCode {
    windtunnel::main_of("heat", Arc::new(program))
}
