//! Matrix products on Cartesian topologies.

use mpi_api::{
    api::{
        collective::SystemOperation,
        datatype::{DatatypeRef, MutView, PartitionMut, UserDatatype},
        initialize,
        topology::CartesianCommunicator,
        traits::*,
    },
    finding::Code,
    object::signature::Primitive,
};

use super::{Case, Expect, Row};

/// Rows, inner size and columns.
const SIZE: [usize; 3] = [6, 4, 8];

pub(super) fn rows() -> Vec<Row> {
    let printed = |body: fn()| {
        Case::new(
            &[4],
            |_| Expect::wrong(Code::InvalidArgument),
            "with the printed displacements blocks overlap: places are written twice",
            body,
        )
        .named("as-printed")
    };
    vec![
        Row::new(
            "B6.6",
            "MPI: The Complete Reference, example 6.6",
            "a product of matrices on a two-dimensional grid",
            vec![
                Case::safe(&[4], "blocks come together at rank 0", || product(&[2, 1, 2], right)),
                printed(|| product(&[2, 1, 2], as_printed)),
            ],
        ),
        Row::new(
            "B6.7",
            "MPI: The Complete Reference, example 6.7",
            "a product of matrices on a three-dimensional grid",
            vec![
                Case::safe(
                    &[8],
                    "partial sums are reduced along the second dimension first",
                    || {
                        product(&[2, 2, 2], right);
                    },
                ),
                printed(|| product(&[2, 1, 2], as_printed)),
            ],
        ),
    ]
}

/// Where the block of a place begins, in elements.
type Displacement = fn(row: usize, column: usize, grid: &[i32], block: [usize; 2]) -> usize;

fn right(row: usize, column: usize, _: &[i32], block: [usize; 2]) -> usize {
    row * block[0] * SIZE[2] + column * block[1]
}

fn as_printed(row: usize, column: usize, grid: &[i32], block: [usize; 2]) -> usize {
    (column * grid[0] as usize + row) * block[1]
}

fn a(row: usize, inner: usize) -> f64 {
    (row * 3 + inner) as f64
}

fn b(inner: usize, column: usize) -> f64 {
    (inner as f64) - (column as f64) / 2.0
}

fn product(dims: &[i32; 3], displacement: Displacement) {
    let universe = initialize().expect("once");
    let grid = universe.world().create_cartesian_communicator(dims, &[false; 3], false);
    let grid = grid.expect("every rank has a place");
    let at = grid.rank_to_coordinates(grid.rank());
    let block: Vec<usize> = SIZE.iter().zip(dims).map(|(n, p)| n / *p as usize).collect();
    let first: Vec<usize> = at.iter().zip(&block).map(|(at, size)| *at as usize * size).collect();
    let mut part = vec![0.0; block[0] * block[2]];
    for (place, sum) in part.iter_mut().enumerate() {
        let (row, column) = (first[0] + place / block[2], first[2] + place % block[2]);
        *sum = (first[1]..first[1] + block[1]).map(|inner| a(row, inner) * b(inner, column)).sum();
    }
    let along = grid.subgroup(&[false, true, false]);
    let mut sum = vec![0.0; part.len()];
    let root = along.process_at_rank(0);
    if along.rank() > 0 {
        root.reduce_into(&part, SystemOperation::sum());
    } else {
        root.reduce_into_root(&part, &mut sum, SystemOperation::sum());
    }
    let plane = grid.subgroup(&[true, false, true]);
    if along.rank() == 0 {
        collect(&plane, &sum, [block[0], block[2]], displacement);
    }
}

/// The blocks of a plane of the grid, put together at its first rank.
fn collect(
    plane: &CartesianCommunicator,
    mine: &[f64],
    block: [usize; 2],
    displacement: Displacement,
) {
    let root = plane.process_at_rank(0);
    if plane.rank() > 0 {
        return root.gather_varcount_into(mine);
    }
    let [rows, columns] = block.map(|size| size as i32);
    let real: DatatypeRef<'_> = DatatypeRef::system(Primitive::Float64);
    let block_type = UserDatatype::vector(rows, columns, SIZE[2] as i32, &real);
    let block_type = UserDatatype::resized(0, 8, &block_type);
    let mut c = vec![f64::NAN; SIZE[0] * SIZE[2]];
    let last = (c.len() - ((block[0] - 1) * SIZE[2] + block[1])) as i32;
    let dims = plane.get_layout().dims;
    let places: Vec<i32> = (0..plane.size())
        .map(|rank| {
            let at = plane.rank_to_coordinates(rank);
            displacement(at[0] as usize, at[1] as usize, &dims, block) as i32
        })
        .collect();
    let mut view = MutView::checked(&mut c, last + 1, &block_type).expect("inside the matrix");
    let mut parts = PartitionMut::new(&mut view, vec![1; places.len()], places);
    root.gather_varcount_into_root(mine, &mut parts);
    for (place, got) in c.iter().enumerate() {
        let (row, column) = (place / SIZE[2], place % SIZE[2]);
        let expected: f64 = (0..SIZE[1]).map(|inner| a(row, inner) * b(inner, column)).sum();
        assert_eq!(*got, expected, "row {row}, column {column}");
    }
}
