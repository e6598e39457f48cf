//! Layers see each function under its own name.

use std::{cell::RefCell, rc::Rc};

use mpi_api::api::{
    collective::SystemOperation,
    datatype::{Partition, PartitionMut},
    initialize,
    profile::{Answer, Call, Layer, push},
    request::generalized,
    topology::SimpleCommunicator,
    traits::*,
};

use super::holds;

/// Writes down the functions it sees.
#[derive(Default)]
struct Names(RefCell<Vec<&'static str>>);

impl Layer for Names {
    fn after(&self, call: &Call, _: &Answer<'_>) {
        self.0.borrow_mut().push(call.function);
    }
}

const ONE_EACH: [i32; 2] = [1, 1];
const PLACES: [i32; 2] = [0, 1];

/// Exchanges with the root by counts for each rank, and then without.
fn rooted(world: &SimpleCommunicator) {
    let (root, mut two, mut one) = (world.process_at_rank(0), [1, 2], 0);
    if root.is_self() {
        root.gather_into_root(&1, &mut two[..]);
        let mut parts = PartitionMut::new(&mut two[..], &ONE_EACH[..], &PLACES[..]);
        root.gather_varcount_into_root(&1, &mut parts);
        root.scatter_into_root(&two[..], &mut one);
        let parts = Partition::new(&two[..], &ONE_EACH[..], &PLACES[..]);
        root.scatter_varcount_into_root(&parts, &mut one);
    } else {
        root.gather_into(&1);
        root.gather_varcount_into(&1);
        root.scatter_into(&mut one);
        root.scatter_varcount_into(&mut one);
    }
}

#[test]
fn collectives_with_counts_for_each_rank_have_names_of_their_own() {
    holds(2, || {
        let universe = initialize().expect("once");
        let (world, names): (_, Rc<Names>) = (universe.world(), push(Names::default()));
        rooted(&world);
        assert_eq!(names.0.take(), ["MPI_Gather", "MPI_Gatherv", "MPI_Scatter", "MPI_Scatterv"]);
        let (from, mut into, mut one) = ([1, 2], [0; 2], 0);
        let given = Partition::new(&from[..], &ONE_EACH[..], &PLACES[..]);
        let mut taken = PartitionMut::new(&mut into[..], &ONE_EACH[..], &PLACES[..]);
        world.all_gather_varcount_into(&1, &mut taken);
        world.all_to_all_varcount_into(&given, &mut taken);
        world.all_gather_varcount_init(&1, &taken).free();
        world.reduce_scatter_block_into(&from[..], &mut one, SystemOperation::sum());
        world.reduce_scatter_into(&from[..], &ONE_EACH, &mut one, SystemOperation::sum());
        let seen = names.0.take();
        let vectors =
            ["MPI_Allgatherv", "MPI_Alltoallv", "MPI_Allgatherv_init", "MPI_Request_free"];
        assert_eq!(seen[..4], vectors);
        assert_eq!(seen[4..], ["MPI_Reduce_scatter_block", "MPI_Reduce_scatter"]);
    });
}

#[test]
fn generalized_requests_are_seen() {
    holds(1, || {
        let universe = initialize().expect("once");
        let (world, names) = (universe.world(), push(Names::default()));
        let (request, operation) = generalized(&world);
        operation.complete();
        request.wait();
        let expected = ["MPI_Grequest_start", "MPI_Grequest_complete", "MPI_Wait"];
        assert_eq!(names.0.take(), expected);
    });
}

#[test]
fn exchanges_of_neighbours_have_names_of_their_own() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let ring = world.create_cartesian_communicator(&[2], &[true], false).expect("all fit");
        let names = push(Names::default());
        let (from, mut into) = ([1, 2], [0; 2]);
        ring.neighbor_all_gather_into(&1, &mut into[..]);
        let given = Partition::new(&from[..], &ONE_EACH[..], &PLACES[..]);
        let mut taken = PartitionMut::new(&mut into[..], &ONE_EACH[..], &PLACES[..]);
        ring.neighbor_all_gather_varcount_into(&1, &mut taken);
        ring.neighbor_all_to_all_varcount_into(&given, &mut taken);
        let expected =
            ["MPI_Neighbor_allgather", "MPI_Neighbor_allgatherv", "MPI_Neighbor_alltoallv"];
        assert_eq!(names.0.take(), expected);
    });
}
