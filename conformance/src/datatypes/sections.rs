//! Sections of matrices, sent by a rank to itself.

use mpi_api::api::{
    datatype::{DatatypeRef, UserDatatype, View},
    initialize,
    point_to_point::send_receive_into,
    traits::*,
};
use mpi_api::object::signature::Primitive;

use super::super::Row;

const REAL: DatatypeRef<'static> = DatatypeRef::system(Primitive::Float32);
const BYTES: isize = 4;

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "B3.8",
            "MPI: The Complete Reference, example 3.8",
            "every second row of every second column",
            &[1, 2],
            "a vector for the rows, a vector of those for the columns; sendrecv with oneself",
            section,
        ),
        Row::safe(
            "B3.9",
            "MPI: The Complete Reference, example 3.9",
            "the transpose of a matrix",
            &[1],
            "rows an element apart are received as columns",
            transpose,
        ),
    ]
}

/// Column by column, as Fortran stores a 6 x 5 matrix.
fn section() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let a: Vec<f32> = (0..30).map(|place| place as f32).collect();
    let one_column = UserDatatype::vector(3, 1, 2, &REAL);
    assert_eq!(one_column.extent(), (0, 5 * BYTES));
    let columns = UserDatatype::heterogeneous_vector(3, 1, 12 * BYTES, &one_column);
    let out = View::checked(&a, 1, &columns).expect("inside the matrix");
    let mut e = [0.0f32; 9];
    let me = world.this_process();
    send_receive_into(&out, &me, &mut e[..], &me);
    assert_eq!(e, [0.0, 2.0, 4.0, 12.0, 14.0, 16.0, 24.0, 26.0, 28.0]);
}

fn transpose() {
    const N: usize = 100;
    let universe = initialize().expect("once");
    let world = universe.world();
    let a: Vec<f32> = (0..N * N).map(|place| place as f32).collect();
    let row = UserDatatype::vector(N as i32, 1, N as i32, &REAL);
    let rows = UserDatatype::heterogeneous_vector(N as i32, 1, BYTES, &row);
    let out = View::checked(&a, 1, &rows).expect("inside the matrix");
    let mut b = vec![0.0f32; N * N];
    let me = world.this_process();
    send_receive_into(&out, &me, &mut b, &me);
    for (place, value) in b.iter().enumerate() {
        assert_eq!(*value, a[place % N * N + place / N]);
    }
}
