//! Each of two ranks sends first.

use mpi::traits::*;

fn main() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    exchange(&world, 1 - world.rank());
}

fn exchange<C: Communicator>(world: &C, other: i32) {
    let other = world.process_at_rank(other);
    other.synchronous_send(&vec![1.0f64; 4][..]); // both wait here
    other.receive_vec::<f64>();
}
