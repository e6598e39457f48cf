//! Columns of a grid, each shifted by its number.

use mpi_api::api::{
    initialize,
    point_to_point::{send_receive_into, send_receive_replace_into},
    traits::*,
};

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "B6.2",
            "MPI: The Complete Reference, example 6.2",
            "columns skewed on a 3 x 4 torus",
            &[12, 13],
            "a shift by the column's number, round the torus",
            || {
                skew(true, false);
            },
        ),
        Row::safe(
            "B6.2n",
            "MPI: The Complete Reference, figure 6.4",
            "the same on a grid with edges",
            &[12],
            "null processes at the edges leave what is there",
            || {
                skew(false, false);
            },
        ),
        Row::safe(
            "T7.7",
            "MPI draft, example 7.7",
            "the same in place",
            &[12],
            "what is sent has left before what comes is stored",
            || {
                skew(true, true);
            },
        ),
    ]
}

const ROUND: [i32; 12] = [0, 9, 6, 3, 4, 1, 10, 7, 8, 5, 2, 11];
const OPEN: [i32; 12] = [0, -1, -1, -1, 4, 1, -1, -1, 8, 5, 2, -1];

fn skew(periodic: bool, in_place: bool) {
    let universe = initialize().expect("once");
    let made = universe.world().create_cartesian_communicator(&[3, 4], &[periodic; 2], false);
    // A rank too many has no place and takes no part.
    let Some(grid) = made else { return };
    let column = grid.rank_to_coordinates(grid.rank())[1];
    let (source, dest) = grid.shift(0, column);
    let process = |rank: Option<i32>| rank.map_or(grid.null_process(), |r| grid.process_at_rank(r));
    let mut b = if in_place { grid.rank() } else { -1 };
    if in_place {
        send_receive_replace_into(&mut b, &process(dest), &process(source));
    } else {
        send_receive_into(&grid.rank(), &process(dest), &mut b, &process(source));
    }
    assert_eq!(b, if periodic { ROUND } else { OPEN }[grid.rank() as usize]);
}
