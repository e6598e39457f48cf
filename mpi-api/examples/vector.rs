//! A column of a matrix, sent as a vector datatype and received as a row.

mod support;

use mpi_api::api::{
    self as mpi,
    datatype::{MutView, UserDatatype, View},
    traits::*,
};

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let (rows, columns) = (4, 5);
    let column = UserDatatype::vector(rows, 1, columns, &u16::equivalent_datatype());
    if world.rank() == 0 {
        let matrix: Vec<u16> = (0..20).collect();
        let second = View::checked(&matrix[1..], 1, &column).unwrap();
        world.process_at_rank(1).send(&second);
        world.process_at_rank(1).send(&matrix[..4]);
        assert!(View::checked(&matrix[6..], 1, &column).is_err(), "it reaches past the end");
    } else {
        let mut row = [0u16; 4];
        world.process_at_rank(0).receive_into(&mut row);
        assert_eq!(row, [1, 6, 11, 16]);

        let mut matrix = [9u16; 20];
        let mut last = MutView::checked(&mut matrix[4..], 1, &column).unwrap();
        world.process_at_rank(0).receive_into(&mut last);
        assert_eq!([matrix[4], matrix[9], matrix[14], matrix[19]], [0, 1, 2, 3]);
        assert_eq!(matrix.iter().filter(|value| **value == 9).count(), 16);
    }
}

pub(crate) fn main() {
    support::simulate(2, program);
}
