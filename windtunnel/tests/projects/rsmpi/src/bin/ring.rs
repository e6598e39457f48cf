//! A number goes around; each rank has a static and its arguments.

use std::{
    sync::atomic::{AtomicI32, Ordering},
    thread,
    time::{Duration, Instant},
};

use mpi::{collective::SystemOperation, traits::*};

static SEEN: AtomicI32 = AtomicI32::new(0);

fn main() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let next = world.process_at_rank((rank + 1) % size);
    let previous = world.process_at_rank((rank + size - 1) % size);
    mpi::request::scope(|scope| {
        let request = next.immediate_send(scope, &rank);
        SEEN.fetch_add(previous.receive::<i32>().0, Ordering::Relaxed);
        request.wait();
    });
    assert_eq!(SEEN.load(Ordering::Relaxed), (rank + size - 1) % size);
    let mut sum = 0;
    world.all_reduce_into(&rank, &mut sum, SystemOperation::sum());
    let start = Instant::now();
    thread::sleep(Duration::from_secs(1000));
    let word = std::env::args().nth(1).unwrap_or_default();
    println!("{word}: rank {rank} of {size}, sum {sum}, {} s", start.elapsed().as_secs());
}
