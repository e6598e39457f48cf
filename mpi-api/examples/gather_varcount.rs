//! Contributions of different lengths, gathered with gaps and scattered again.

mod support;

use mpi_api::api::{
    self as mpi, Count,
    datatype::{Partition, PartitionMut},
    traits::*,
};

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let mine = vec![rank; rank as usize];
    let root = world.process_at_rank(size - 1);

    let counts: Vec<Count> = (0..size).collect();
    let displs: Vec<Count> = (0..size).map(|from| from * size).collect();
    let mut back = vec![-1; mine.len()];
    if root.is_self() {
        let mut all = vec![-1; (size * size) as usize];
        let mut parts = PartitionMut::new(&mut all[..], &counts[..], &displs[..]);
        root.gather_varcount_into_root(&mine[..], &mut parts);
        for (place, value) in all.iter().enumerate() {
            let (from, at) = (place as i32 / size, place as i32 % size);
            assert_eq!(*value, if at < from { from } else { -1 });
        }
        let parts = Partition::new(&all[..], &counts[..], &displs[..]);
        root.scatter_varcount_into_root(&parts, &mut back[..]);
    } else {
        root.gather_varcount_into(&mine[..]);
        root.scatter_varcount_into(&mut back[..]);
    }
    assert_eq!(back, mine);

    let ends: Vec<Count> = (0..size).map(|from| from * (from - 1) / 2).collect();
    let mut everything = vec![-1; (size * (size - 1) / 2) as usize];
    let mut parts = PartitionMut::new(&mut everything[..], &counts[..], &ends[..]);
    world.all_gather_varcount_into(&mine[..], &mut parts);
    assert_eq!(everything, [1, 2, 2, 3, 3, 3]);
}

pub(crate) fn main() {
    support::simulate(4, program);
}
