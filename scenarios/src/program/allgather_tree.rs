//! Allgather by a tree: the blocks are gathered to rank 0 up a binomial tree and the whole is
//! broadcast down the same tree (Pacheco, chapter 13, section 13.1).

use mpi_api::api::{
    environment::carries_all_data, initialize, topology::SimpleCommunicator, traits::*,
};

use super::{BuiltIn, Values, allgather_ring::BLOCK, of_allgather, product};

pub(super) fn programs() -> Vec<BuiltIn> {
    vec![BuiltIn {
        name: "allgather-tree",
        summary: "allgather as a gather up and a broadcast down a binomial tree",
        parameters: BLOCK,
        power_of_two: false,
        body,
        volume: |values, ranks| of_allgather(values, ranks, 1, product(&[ranks, 2])),
    }]
}

/// Returns the distances to a rank's children, nearest first, and to its parent.
fn tree(comm: &SimpleCommunicator) -> (Vec<i32>, Option<i32>) {
    let (rank, size) = (comm.rank(), comm.size());
    let mut children = Vec::new();
    let mut distance = 1;
    while distance < size {
        if rank & distance != 0 {
            return (children, Some(distance));
        }
        if rank + distance < size {
            children.push(distance);
        }
        distance *= 2;
    }
    (children, None)
}

fn body(values: &Values) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let block = values.get("blocksize");
    let (rank, size) = (world.rank() as usize, world.size() as usize);
    let (children, parent) = tree(&world);
    let mut y = vec![0.0f32; block * size];
    // Memory that is never written takes none of this computer's.
    if carries_all_data() {
        y[rank * block..(rank + 1) * block].fill(rank as f32);
    }
    let below =
        |distance: usize| (rank + distance) * block..(rank + 2 * distance).min(size) * block;
    for distance in &children {
        let child = world.process_at_rank(world.rank() + distance);
        child.receive_into(&mut y[below(*distance as usize)]);
    }
    if let Some(distance) = parent {
        let parent = world.process_at_rank(world.rank() - distance);
        parent.send(&y[rank * block..(rank + distance as usize).min(size) * block]);
        parent.receive_into(&mut y[..]);
    }
    for distance in children.iter().rev() {
        world.process_at_rank(world.rank() + distance).send(&y[..]);
    }
    let received = if carries_all_data() { &y[..] } else { &[] };
    for (position, value) in received.iter().enumerate() {
        assert_eq!(*value, (position / block) as f32, "element {position} is wrong");
    }
}
