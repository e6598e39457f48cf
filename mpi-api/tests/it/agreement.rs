//! Ranks of one collective that do not agree on what its data consist of, or on how a communicator
//! is made.

use mpi_api::{
    api::{datatype::PartitionMut, initialize, topology::SimpleCommunicator, traits::*},
    finding::Code,
    outcome::Ending,
    settings::Buffering,
};

use crate::{go, settings};

/// The first finding of a program of three ranks: its code and message.
fn found(program: fn(&SimpleCommunicator)) -> Option<(Code, String)> {
    let result = go(settings(3, Buffering::infinite()), move || {
        let universe = initialize().expect("once");
        program(&universe.world());
    });
    let first = result.findings.first();
    assert_eq!(first.is_none(), result.ending == Ending::Completed, "{:?}", result.findings);
    first.map(|finding| (finding.code, finding.message.clone()))
}

fn is_type_mismatch(program: fn(&SimpleCommunicator)) {
    let (code, message) = found(program).expect("a mismatch");
    assert_eq!(code, Code::TypeMismatch, "{message}");
}

#[test]
fn types_of_a_gather_are_compared() {
    is_type_mismatch(|world| {
        let root = world.process_at_rank(0);
        let mut all = [0f32; 3];
        match world.rank() {
            0 => root.gather_into_root(&0f32, &mut all),
            1 => root.gather_into(&1i32),
            _ => root.gather_into(&1f32),
        }
    });
}

#[test]
fn types_of_a_scatter_are_compared() {
    is_type_mismatch(|world| {
        let root = world.process_at_rank(1);
        let (mut real, mut whole) = (0f32, 0i32);
        match world.rank() {
            1 => root.scatter_into_root(&[1f32, 2.0, 3.0], &mut real),
            2 => root.scatter_into(&mut whole),
            _ => root.scatter_into(&mut real),
        }
    });
}

#[test]
fn types_of_exchanges_are_compared() {
    is_type_mismatch(|world| {
        let (mut reals, mut wholes) = ([0f32; 3], [0i32; 3]);
        if world.rank() == 2 {
            world.all_gather_into(&1i32, &mut wholes);
        } else {
            world.all_gather_into(&1f32, &mut reals);
        }
    });
    is_type_mismatch(|world| {
        let (mut reals, mut wholes) = ([0f32; 3], [0i32; 3]);
        if world.rank() == 2 {
            world.all_to_all_into(&[1f32; 3], &mut wholes);
        } else {
            world.all_to_all_into(&[1f32; 3], &mut reals);
        }
    });
    is_type_mismatch(|world| {
        let (mut reals, mut wholes) = ([0f32; 3], [0i32; 3]);
        let (counts, places) = (&[1, 1, 1][..], &[0, 1, 2][..]);
        if world.rank() == 2 {
            let mut parts = PartitionMut::new(&mut wholes[..], counts, places);
            world.all_gather_varcount_into(&1f32, &mut parts);
        } else {
            let mut parts = PartitionMut::new(&mut reals[..], counts, places);
            world.all_gather_varcount_into(&1f32, &mut parts);
        }
    });
}

#[test]
fn types_between_neighbours_are_compared() {
    is_type_mismatch(|world| {
        let ring = world.create_cartesian_communicator(&[3], &[true], false).expect("a ring");
        let (mut reals, mut wholes) = ([0f32; 2], [0i32; 2]);
        if ring.rank() == 2 {
            ring.neighbor_all_gather_into(&1f32, &mut wholes[..]);
        } else {
            ring.neighbor_all_gather_into(&1f32, &mut reals[..]);
        }
    });
}

#[test]
fn equal_types_in_other_shapes_agree() {
    let agree: fn(&SimpleCommunicator) = |world| {
        let root = world.process_at_rank(0);
        let mut all = [[0i32; 2]; 3];
        match world.rank() {
            0 => root.gather_into_root(&[0i32, 1], &mut all),
            1 => root.gather_into(&[[1i32; 1]; 2]),
            _ => root.gather_into(&(2i32, 3i32)),
        }
    };
    assert_eq!(found(agree), None);
}

#[test]
fn forms_of_a_gather_are_compared() {
    let (code, message) = found(|world| {
        let root = world.process_at_rank(0);
        let mut all = [0f32; 3];
        if world.rank() == 0 {
            let parts = &mut PartitionMut::new(&mut all[..], &[1, 1, 1][..], &[0, 1, 2][..]);
            root.gather_varcount_into_root(&0f32, parts);
        } else {
            root.gather_into(&1f32);
        }
    })
    .expect("a mismatch");
    assert_eq!(code, Code::CollectiveMismatch, "{message}");
}

#[test]
fn grids_are_compared() {
    let found = found(|world| {
        let places = if world.rank() == 1 { 2 } else { 3 };
        world.create_cartesian_communicator(&[places], &[true], false);
    });
    let message = "rank 1 has dims 2 where rank 0 has dims 3".to_string();
    assert_eq!(found, Some((Code::ArgumentMismatch, message)));
}

#[test]
fn groups_are_compared() {
    let found = found(|world| {
        let members = if world.rank() == 2 { vec![1, 2] } else { vec![0, 1, 2] };
        world.split_by_subgroup_collective(&world.group().include(&members));
    });
    let message = "rank 1 has the group of ranks 0, 1, 2 where rank 2 has the group of ranks 1, 2";
    assert_eq!(found, Some((Code::ArgumentMismatch, message.to_string())));
}
