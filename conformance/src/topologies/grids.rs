//! Cartesian topologies: sizes, coordinates, subgrids.

use mpi_api::{
    api::{
        initialize,
        topology::{CartesianCommunicator, Color, SimpleCommunicator},
        traits::*,
    },
    finding::Code,
};

use super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    let mut rows = sizes();
    rows.extend(coordinates());
    rows.extend(parts());
    rows.extend(edges());
    rows
}

fn sizes() -> Vec<Row> {
    let cases = || {
        vec![
            Case::safe(
                &[6],
                "as balanced as possible, not increasing, what is given stays",
                || {
                    balanced(&[0, 0], &[3, 2]);
                },
            ),
            Case::safe(&[7], "a prime number of ranks is a line", || balanced(&[0, 0], &[7, 1]))
                .named("seven"),
            Case::safe(&[6], "the sizes that are left share what is left", || {
                balanced(&[0, 3, 0], &[2, 3, 1]);
            })
            .named("fixed"),
            Case::new(
                &[7],
                |_| Expect::wrong(Code::InvalidArgument),
                "seven is no multiple of three",
                || balanced(&[0, 3, 0], &[0, 3, 0]),
            )
            .named("impossible"),
        ]
    };
    vec![
        Row::new("B6.1", "MPI: The Complete Reference, example 6.1", "balanced sizes", cases()),
        Row::new("T7.1", "MPI draft, example 7.1", "balanced sizes", cases()),
    ]
}

fn coordinates() -> Vec<Row> {
    vec![
        Row::safe(
            "B6.F1",
            "MPI: The Complete Reference, figure 6.1",
            "ranks and coordinates of a 3 x 4 grid",
            &[12],
            "row by row; coordinates of a torus wrap",
            || {
                in_grid(&[3, 4], |grid| {
                    for rank in 0..12 {
                        assert_eq!(grid.rank_to_coordinates(rank), [rank / 4, rank % 4]);
                    }
                    assert_eq!(grid.coordinates_to_rank(&[1, 2]), 6);
                    assert_eq!(grid.coordinates_to_rank(&[4, 6]), 6);
                });
            },
        ),
        Row::safe(
            "B6.F2",
            "MPI: The Complete Reference, figure 6.2",
            "a grid laid over another, two rows and two columns further",
            &[12],
            "rows and columns stay together",
            overlay,
        ),
        Row::safe(
            "T7.c",
            "MPI draft, section 7.2",
            "ranks and coordinates of a 2 x 2 grid",
            &[4],
            "row by row",
            || {
                in_grid(&[2, 2], |grid| {
                    let places = [[0, 0], [0, 1], [1, 0], [1, 1]];
                    for (rank, place) in (0..).zip(places) {
                        assert_eq!(grid.coordinates_to_rank(&place), rank);
                    }
                });
            },
        ),
    ]
}

fn parts() -> Vec<Row> {
    let cases = || {
        vec![
            Case::safe(&[24], "three communicators of eight, 2 x 4 each", || {
                part(&[true, false, true], &[2, 4]);
            }),
            Case::safe(&[24], "six communicators of four", || part(&[false, false, true], &[4]))
                .named("lines"),
        ]
    };
    vec![
        Row::new(
            "B6.3",
            "MPI: The Complete Reference, example 6.3",
            "parts of a 2 x 3 x 4 grid",
            cases(),
        ),
        Row::new("T7.8", "MPI draft, example 7.8", "parts of a 2 x 3 x 4 grid", cases()),
    ]
}

fn edges() -> Vec<Row> {
    let wrong = |reason, body: fn()| {
        Case::new(&[2], |_| Expect::wrong(Code::InvalidArgument), reason, body)
    };
    vec![
        Row::new(
            "T7.sh0",
            "MPI draft, section 7.5.6",
            "a shift along a dimension that is not there",
            vec![
                wrong("a line has only dimension 0", || {
                    in_grid(&[2], |line| _ = line.shift(1, 1));
                }),
                wrong("a grid without dimensions has none", || {
                    in_grid(&[], |point| _ = point.shift(0, 1));
                })
                .named("no-dimension"),
            ],
        ),
        Row::safe(
            "T7.0d",
            "MPI draft, section 7.5",
            "a grid without dimensions",
            &[1, 3],
            "one rank at the only place; its parts are such grids too",
            || {
                in_grid(&[], |point| {
                    assert_eq!((point.num_dimensions(), point.size()), (0, 1));
                    assert_eq!(point.coordinates_to_rank(&[]), 0);
                    assert!(point.rank_to_coordinates(0).is_empty());
                });
            },
        ),
    ]
}

fn balanced(given: &[i32], expected: &[i32]) {
    let universe = initialize().expect("once");
    let mut dims = given.to_vec();
    CartesianCommunicator::balance(&universe.world(), &mut dims);
    assert_eq!(dims, expected);
}

fn grid(world: &SimpleCommunicator, dims: &[i32]) -> Option<CartesianCommunicator> {
    world.create_cartesian_communicator(dims, &vec![true; dims.len()], false)
}

fn in_grid(dims: &[i32], check: fn(&CartesianCommunicator)) {
    let universe = initialize().expect("once");
    if let Some(grid) = grid(&universe.world(), dims) {
        check(&grid);
    }
}

fn overlay() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let first = grid(&world, &[3, 4]).expect("every rank has a place");
    let at = first.rank_to_coordinates(first.rank());
    let (row, column) = ((at[0] - 2).rem_euclid(3), (at[1] - 2).rem_euclid(4));
    let moved = first.split_by_color_with_key(Color::with_value(0), 4 * row + column);
    let second = grid(&moved.expect("all of them"), &[3, 4]).expect("every rank has a place");
    assert_eq!(second.rank_to_coordinates(second.rank()), [row, column]);
    if first.rank() == 0 {
        assert_eq!((second.rank(), row, column), (6, 1, 2));
    }
}

fn part(retain: &[bool], expected: &[i32]) {
    let universe = initialize().expect("once");
    let periods = [true, false, true];
    let whole = universe.world().create_cartesian_communicator(&[2, 3, 4], &periods, false);
    let whole = whole.expect("every rank has a place");
    let part = whole.subgroup(retain);
    let layout = part.get_layout();
    let kept = |values: &[bool]| -> Vec<bool> {
        values.iter().zip(retain).filter(|(_, keep)| **keep).map(|(value, _)| *value).collect()
    };
    assert_eq!(layout.dims, expected);
    assert_eq!(layout.periods, kept(&periods));
    let nothing = part.subgroup(&vec![false; expected.len()]);
    assert_eq!((nothing.num_dimensions(), nothing.size()), (0, 1));
}
