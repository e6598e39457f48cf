//! Broadcast, gather and allgather.

use mpi_api::{
    api::{
        datatype::{DatatypeRef, MutView, UserDatatype},
        initialize,
        traits::*,
    },
    finding::Code,
    object::signature::Primitive,
};

use super::super::{Case, Expect, Row};

const INT: DatatypeRef<'static> = DatatypeRef::system(Primitive::Int32);
const ROOT: i32 = 0;
const COUNT: usize = 100;

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "B4.1",
            "MPI: The Complete Reference, example 4.1",
            "a hundred integers to everybody",
            &[1, 2, 4],
            "all buffers equal the root's",
            broadcast,
        ),
        Row::safe(
            "B4.2",
            "MPI: The Complete Reference, example 4.2",
            "a hundred integers from everybody",
            &[1, 2, 4],
            "the root has the blocks in rank order",
            || gather(true),
        ),
        Row::safe(
            "B4.3",
            "MPI: The Complete Reference, example 4.3",
            "the same with room only at the root",
            &[1, 2, 4],
            "the receive arguments of the others do not count",
            || gather(false),
        ),
        Row::new(
            "B4.4",
            "MPI: The Complete Reference, example 4.4",
            "the same with one element of a type of a hundred",
            vec![
                Case::safe(&[1, 2, 4], "only the signatures have to agree, block by block", || {
                    gather_as(1)
                }),
                Case::new(
                    &[2, 4],
                    |_| Expect::wrong(Code::InvalidArgument),
                    "the type is for one block, not for all: it does not match what each sends",
                    || gather_as(2),
                )
                .named("all-blocks"),
            ],
        ),
        Row::safe(
            "B4.14",
            "MPI: The Complete Reference, example 4.14",
            "a hundred integers from everybody to everybody",
            &[1, 2, 4],
            "all ranks have the blocks in rank order",
            all_gather,
        ),
    ]
}

fn block(rank: i32) -> Vec<i32> {
    (0..COUNT as i32).map(|place| 1000 * rank + place).collect()
}

fn blocks(size: i32) -> Vec<i32> {
    (0..size).flat_map(block).collect()
}

fn broadcast() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let mut array = if world.rank() == ROOT { block(7) } else { vec![0; COUNT] };
    world.process_at_rank(ROOT).broadcast_into(&mut array);
    assert_eq!(array, block(7));
}

fn gather(room_everywhere: bool) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let root = world.process_at_rank(ROOT);
    let has_room = room_everywhere || world.rank() == ROOT;
    let mut all = vec![-1; if has_room { COUNT * world.size() as usize } else { 0 }];
    if world.rank() == ROOT {
        root.gather_into_root(&block(world.rank()), &mut all);
        assert_eq!(all, blocks(world.size()));
    } else {
        root.gather_into(&block(world.rank()));
        assert!(all.iter().all(|value| *value == -1));
    }
}

/// Receives elements of a type of this many blocks.
fn gather_as(blocks_in_type: i32) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let root = world.process_at_rank(ROOT);
    if world.rank() != ROOT {
        return root.gather_into(&block(world.rank()));
    }
    let datatype = UserDatatype::contiguous(COUNT as i32 * blocks_in_type, &INT);
    let mut all = vec![-1; COUNT * (world.size() * blocks_in_type) as usize];
    let mut view = MutView::checked(&mut all, world.size(), &datatype).expect("inside");
    root.gather_into_root(&block(world.rank()), &mut view);
    assert_eq!(all, blocks(world.size()));
}

fn all_gather() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let mut all = vec![-1; COUNT * world.size() as usize];
    world.all_gather_into(&block(world.rank()), &mut all);
    assert_eq!(all, blocks(world.size()));
}
