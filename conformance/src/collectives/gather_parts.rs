//! Gather with blocks of different positions and sizes.

use mpi_api::{
    api::{
        datatype::{DatatypeRef, PartitionMut, UserDatatype, View},
        initialize,
        topology::SimpleCommunicator,
        traits::*,
    },
    finding::Code,
    object::signature::Primitive,
};

use super::super::{Case, Expect, Row};

const INT: DatatypeRef<'static> = DatatypeRef::system(Primitive::Int32);
/// Of the matrix that ranks send a column of.
const ROWS: usize = 100;
const COLUMNS: usize = 150;

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new(
            "B4.5",
            "MPI: The Complete Reference, example 4.5",
            "blocks of a hundred, placed a stride apart",
            vec![
                Case::safe(&[1, 2, 4], "what lies between the blocks is not touched", || {
                    a_stride_apart(120)
                }),
                Case::new(
                    &[2, 4],
                    |_| Expect::wrong(Code::InvalidArgument),
                    "a stride below the block's length writes some places twice",
                    || a_stride_apart(60),
                )
                .named("overlapping"),
            ],
        ),
        Row::safe(
            "B4.6",
            "MPI: The Complete Reference, example 4.6",
            "the first column of everybody's matrix",
            &[1, 2, 4],
            "a vector on one side, a row of integers on the other",
            || columns(|_| 0, |_| ROWS, true),
        ),
        Row::safe(
            "B4.7",
            "MPI: The Complete Reference, example 4.7",
            "from rank i the last 100 - i places of column i",
            &[1, 2, 4],
            "blocks may differ in size as long as both sides say the same",
            || columns(|rank| rank, |rank| ROWS - rank, true),
        ),
        Row::safe(
            "B4.8",
            "MPI: The Complete Reference, example 4.8",
            "the same through an integer that is a row long",
            &[1, 2, 4],
            "the bound stands in for a stride; the original stores its marker in the wrong place, \
             which has no counterpart in Rust",
            || columns(|rank| rank, |rank| ROWS - rank, false),
        ),
        Row::safe(
            "B4.9",
            "MPI: The Complete Reference, example 4.9",
            "blocks at distances that vary",
            &[1, 2, 4],
            "displacements are sums of strides",
            varying_strides,
        ),
        Row::safe(
            "B4.10",
            "MPI: The Complete Reference, example 4.10",
            "first the sizes, then the blocks side by side",
            &[1, 2, 4],
            "the root learns the sizes with a gather; only it needs them",
            sizes_first,
        ),
    ]
}

fn gather(
    world: &SimpleCommunicator,
    mine: &(impl Buffer + ?Sized),
    lengths: &[i32],
    places: &[i32],
) -> Vec<i32> {
    let root = world.process_at_rank(0);
    if world.rank() != 0 {
        root.gather_varcount_into(mine);
        return Vec::new();
    }
    let ends = lengths.iter().zip(places).map(|(length, place)| length + place);
    let mut all = vec![-1; ends.max().unwrap_or(0) as usize];
    let mut parts = PartitionMut::new(&mut all[..], lengths, places);
    root.gather_varcount_into_root(mine, &mut parts);
    all
}

fn a_stride_apart(stride: i32) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let places: Vec<i32> = (0..world.size()).map(|rank| rank * stride).collect();
    let lengths = vec![100; world.size() as usize];
    let all = gather(&world, &[world.rank(); 100][..], &lengths, &places);
    for (place, value) in all.iter().enumerate() {
        let (rank, inside) = (place as i32 / stride, place as i32 % stride);
        assert_eq!(*value, if inside < 100 { rank } else { -1 });
    }
}

/// Rank i sends this many places of one of its columns, by a vector or by a stretched integer.
fn columns(column: fn(usize) -> usize, length: fn(usize) -> usize, vector: bool) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let value = |rank: usize, row: usize| (1000 * rank + row) as i32;
    let rank = world.rank() as usize;
    let matrix: Vec<i32> = (0..ROWS * COLUMNS)
        .map(
            |place| if place % COLUMNS == column(rank) { value(rank, place / COLUMNS) } else { -5 },
        )
        .collect();
    let count = length(rank) as i32;
    let datatype = if vector {
        UserDatatype::vector(count, 1, COLUMNS as i32, &INT)
    } else {
        UserDatatype::resized(0, 4 * COLUMNS as isize, &INT)
    };
    let mine = View::checked(&matrix[column(rank)..], if vector { 1 } else { count }, &datatype);
    let lengths: Vec<i32> = (0..world.size()).map(|rank| length(rank as usize) as i32).collect();
    let places: Vec<i32> = (0..world.size()).map(|rank| rank * 110).collect();
    let all = gather(&world, &mine.expect("inside the matrix"), &lengths, &places);
    if world.rank() == 0 {
        for (rank, (place, length)) in places.iter().zip(&lengths).enumerate() {
            let got = &all[*place as usize..][..*length as usize];
            assert!(got.iter().enumerate().all(|(row, got)| *got == value(rank, row)));
        }
    }
}

fn varying_strides() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (mut places, mut end) = (Vec::new(), 0);
    for rank in 0..world.size() {
        places.push(end);
        end += 100 + 7 * rank;
    }
    let lengths: Vec<i32> = (0..world.size()).map(|rank| 100 - rank).collect();
    let mine = vec![world.rank(); 100 - world.rank() as usize];
    let all = gather(&world, &mine, &lengths, &places);
    if world.rank() == 0 {
        for (rank, place) in places.iter().enumerate() {
            assert_eq!(all[*place as usize], rank as i32);
            assert_eq!(all[*place as usize + 99 - rank], rank as i32);
        }
    }
}

fn sizes_first() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let mine = vec![world.rank(); 3 + world.rank() as usize];
    let size = mine.len() as i32;
    let root = world.process_at_rank(0);
    let mut lengths = vec![0; world.size() as usize];
    if world.rank() == 0 {
        root.gather_into_root(&size, &mut lengths);
    } else {
        root.gather_into(&size);
    }
    let places: Vec<i32> = (0..lengths.len()).map(|rank| lengths[..rank].iter().sum()).collect();
    let all = gather(&world, &mine, &lengths, &places);
    if world.rank() == 0 {
        let expected: Vec<i32> =
            (0..world.size()).flat_map(|rank| vec![rank; 3 + rank as usize]).collect();
        assert_eq!(all, expected);
    }
}
