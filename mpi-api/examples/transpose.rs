//! A matrix dealt by rows is transposed: each rank sends a column of blocks to each other.

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

    let row: Vec<i32> = (0..size).map(|column| 10 * rank + column).collect();
    let mut column = vec![0; size as usize];
    world.all_to_all_into(&row[..], &mut column[..]);
    assert!((0..size).all(|r| column[r as usize] == 10 * r + rank));

    // The same with one element more for each higher rank.
    let counts: Vec<Count> = (0..size).map(|to| to + 1).collect();
    let displs: Vec<Count> = (0..size).map(|to| to * (to + 1) / 2).collect();
    let out = vec![rank; (size * (size + 1) / 2) as usize];
    let each = vec![rank + 1; size as usize];
    let starts: Vec<Count> = (0..size).map(|from| from * (rank + 1)).collect();
    let mut into = vec![-1; (size * (rank + 1)) as usize];
    world.all_to_all_varcount_into(
        &Partition::new(&out[..], &counts[..], &displs[..]),
        &mut PartitionMut::new(&mut into[..], &each[..], &starts[..]),
    );
    assert!(into.iter().enumerate().all(|(at, from)| *from == at as i32 / (rank + 1)));
}

pub(crate) fn main() {
    support::simulate(4, program);
}
