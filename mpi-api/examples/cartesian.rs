//! A grid of processes with a row communicator: sums along the rows.

mod support;

use mpi_api::api::{
    self as mpi, collective::SystemOperation, topology::CartesianCommunicator, traits::*,
};

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let mut dims = [0, 0];
    CartesianCommunicator::balance(&world, &mut dims);
    assert_eq!(dims, [3, 2]);

    let grid = world.create_cartesian_communicator(&dims, &[true, false], false).unwrap();
    let layout = grid.get_layout();
    let [row, column] = [layout.coords[0], layout.coords[1]];
    assert_eq!((grid.num_dimensions(), grid.coordinates_to_rank(&[row, column])), (2, grid.rank()));

    let (above, below) = grid.shift(0, 1);
    assert_eq!(above, Some(grid.coordinates_to_rank(&[row - 1, column])), "a ring");
    assert_eq!(below, Some(grid.coordinates_to_rank(&[row + 1, column])));
    let (left, _) = grid.shift(1, 1);
    assert_eq!(left.is_none(), column == 0, "an edge");

    let across = grid.subgroup(&[false, true]);
    let mut sum = 0;
    across.all_reduce_into(&grid.rank(), &mut sum, SystemOperation::sum());
    assert_eq!((across.size(), sum), (2, 4 * row + 1));
}

pub(crate) fn main() {
    support::simulate(6, program);
}
