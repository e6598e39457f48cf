//! Collectives that go on while the rank does something else.

mod support;

use mpi_api::api::{
    self as mpi, collective::SystemOperation, datatype::PartitionMut, request::scope, traits::*,
};

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let root = world.process_at_rank(1);

    let (mut value, mut sum, mut all) = (rank, 0, vec![0; size as usize]);
    scope(|scope| {
        let broadcast = root.immediate_broadcast_into(scope, &mut value);
        let barrier = world.immediate_barrier();
        let reduce =
            world.immediate_all_reduce_into(scope, &rank, &mut sum, SystemOperation::sum());
        let gather = world.immediate_all_gather_into(scope, &rank, &mut all[..]);
        world.compute(1e-3);
        assert_eq!(gather.wait_for_data(), [0, 1, 2, 3]);
        reduce.wait();
        barrier.wait();
        broadcast.wait();
    });
    assert_eq!((value, sum), (1, 6));

    let mut spread = vec![-1; 2 * size as usize];
    let displs: Vec<i32> = (0..size).map(|from| 2 * from).collect();
    let ones = vec![1; size as usize];
    let mut parts = PartitionMut::new(&mut spread[..], &ones[..], &displs[..]);
    let mut unused = 0;
    scope(|scope| {
        if root.is_self() {
            root.immediate_gather_varcount_into_root(scope, &rank, &mut parts).wait();
            root.immediate_scatter_into_root(scope, &all[..], &mut unused).wait();
        } else {
            root.immediate_gather_varcount_into(scope, &rank).wait();
            root.immediate_scatter_into(scope, &mut unused).wait();
        }
    });
    assert!(!root.is_self() || spread == [0, -1, 1, -1, 2, -1, 3, -1]);
    assert_eq!(unused, rank);
}

pub(crate) fn main() {
    support::simulate(4, program);
}
