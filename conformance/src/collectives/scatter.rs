//! Scatter with equal and with different block sizes.

use mpi_api::api::{
    datatype::{DatatypeRef, MutView, Partition, UserDatatype},
    initialize,
    traits::*,
};
use mpi_api::object::signature::Primitive;

use super::super::Row;

const INT: DatatypeRef<'static> = DatatypeRef::system(Primitive::Int32);

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "B4.11",
            "MPI: The Complete Reference, example 4.11",
            "a hundred integers to each",
            &[1, 2, 4],
            "rank i gets block i",
            scatter,
        ),
        Row::safe(
            "B4.12",
            "MPI: The Complete Reference, example 4.12",
            "blocks a stride apart to each",
            &[1, 2, 4],
            "rank i gets the hundred from place i strides",
            a_stride_apart,
        ),
        Row::safe(
            "B4.13",
            "MPI: The Complete Reference, example 4.13",
            "to rank i the last 100 - i places of its column i",
            &[1, 2, 4],
            "a row of integers on one side, a vector on the other",
            into_a_column,
        ),
    ]
}

fn scatter() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let root = world.process_at_rank(0);
    let mut mine = vec![-1; 100];
    if world.rank() == 0 {
        let all: Vec<i32> = (0..100 * world.size()).collect();
        root.scatter_into_root(&all, &mut mine);
    } else {
        root.scatter_into(&mut mine);
    }
    assert!(mine.iter().copied().eq(100 * world.rank()..100 * (world.rank() + 1)));
}

fn a_stride_apart() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let root = world.process_at_rank(0);
    let mut mine = vec![-1; 100];
    if world.rank() == 0 {
        let all: Vec<i32> = (0..130 * world.size()).collect();
        let places: Vec<i32> = (0..world.size()).map(|rank| 130 * rank).collect();
        let lengths = vec![100; places.len()];
        root.scatter_varcount_into_root(&Partition::new(&all, lengths, places), &mut mine);
    } else {
        root.scatter_varcount_into(&mut mine);
    }
    assert!(mine.iter().copied().eq((0..100).map(|place| 130 * world.rank() + place)));
}

fn into_a_column() {
    const COLUMNS: i32 = 150;
    let universe = initialize().expect("once");
    let world = universe.world();
    let root = world.process_at_rank(0);
    let column = world.rank();
    let count = 100 - column;
    let datatype = UserDatatype::vector(count, 1, COLUMNS, &INT);
    let mut matrix = vec![-1; 100 * COLUMNS as usize];
    let room = &mut matrix[column as usize..];
    let mut mine = MutView::checked(room, 1, &datatype).expect("inside the matrix");
    if world.rank() == 0 {
        let all: Vec<i32> = (0..130 * world.size()).collect();
        let places: Vec<i32> = (0..world.size()).map(|rank| 130 * rank).collect();
        let lengths: Vec<i32> = (0..world.size()).map(|rank| 100 - rank).collect();
        root.scatter_varcount_into_root(&Partition::new(&all, lengths, places), &mut mine);
    } else {
        root.scatter_varcount_into(&mut mine);
    }
    for (place, value) in matrix.iter().enumerate() {
        let (row, at) = (place as i32 / COLUMNS, place as i32 % COLUMNS);
        let expected = if at == column && row < count { 130 * column + row } else { -1 };
        assert_eq!(*value, expected);
    }
}
