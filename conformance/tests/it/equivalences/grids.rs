//! Cartesian topologies and the splits they are.

use mpi_api::api::{
    topology::{Color, CommunicatorRelation},
    traits::*,
};
use proptest::prelude::*;

use super::{agree, programs};

/// A dimension: its size, whether it is periodic, whether it is kept.
type Dimension = (i32, bool, bool);

/// A grid, and how many ranks have no place in it.
fn grid() -> impl Strategy<Value = (Vec<Dimension>, i32)> {
    let dimension = (1..4_i32, any::<bool>(), any::<bool>());
    let dimensions =
        prop::collection::vec(dimension, 1..4).prop_filter("few ranks", |grid| places(grid) <= 12);
    (dimensions, 0..3_i32)
}

fn places(grid: &[Dimension]) -> i32 {
    grid.iter().map(|(size, ..)| size).product()
}

proptest! {
    #![proptest_config(programs())]

    /// Q.17: a grid is a split that leaves out who has no place.
    #[test]
    fn a_grid_is_a_split((grid, more) in grid()) {
        agree((places(&grid) + more) as usize, move |world| {
            let dims: Vec<i32> = grid.iter().map(|(size, ..)| *size).collect();
            let periods: Vec<bool> = grid.iter().map(|(_, periodic, _)| *periodic).collect();
            let made = world.create_cartesian_communicator(&dims, &periods, false);
            let inside = world.rank() < places(&grid);
            let color = if inside { Color::with_value(0) } else { Color::undefined() };
            let split = world.split_by_color_with_key(color, world.rank());
            assert_eq!((made.is_some(), split.is_some()), (inside, inside));
            if let Some((made, split)) = made.zip(split) {
                assert_eq!(made.compare(&split), CommunicatorRelation::Congruent);
                let layout = made.get_layout();
                assert_eq!((layout.dims, layout.periods), (dims, periods));
            }
        })?;
    }

    /// Q.17: a part of a grid is a split by the dropped coordinates, in the order of the others.
    #[test]
    fn a_part_of_a_grid_is_a_split((grid, _) in grid()) {
        agree(places(&grid) as usize, move |world| {
            let dims: Vec<i32> = grid.iter().map(|(size, ..)| *size).collect();
            let periods: Vec<bool> = grid.iter().map(|(_, periodic, _)| *periodic).collect();
            let keep: Vec<bool> = grid.iter().map(|(.., keep)| *keep).collect();
            let made = world.create_cartesian_communicator(&dims, &periods, false);
            let made = made.expect("every rank has a place");
            let at = made.rank_to_coordinates(made.rank());
            // Row-major numbers of the place among the kept and among the dropped dimensions.
            let number = |kept: bool| {
                let chosen = grid.iter().zip(&at).filter(|((.., keep), _)| *keep == kept);
                chosen.fold(0, |number, ((size, ..), at)| number * size + at)
            };
            let part = made.subgroup(&keep);
            let split = made.split_by_color_with_key(Color::with_value(number(false)), number(true));
            let split = split.expect("every rank has a colour");
            assert_eq!((part.rank(), part.size()), (split.rank(), split.size()));
            assert_eq!(part.compare(&split), CommunicatorRelation::Congruent);
            let kept = |values: &[i32]| -> Vec<i32> {
                keep.iter().zip(values).filter(|(keep, _)| **keep).map(|(_, value)| *value).collect()
            };
            let layout = part.get_layout();
            assert_eq!((layout.dims, layout.coords), (kept(&dims), kept(&at)));
        })?;
    }

    /// Q.18: also of coordinates beyond the edge of a periodic dimension.
    #[test]
    fn coordinates_and_ranks_are_inverse((grid, _) in grid(), turns in -2..3_i32) {
        agree(places(&grid) as usize, move |world| {
            let dims: Vec<i32> = grid.iter().map(|(size, ..)| *size).collect();
            let periods: Vec<bool> = grid.iter().map(|(_, periodic, _)| *periodic).collect();
            let made = world.create_cartesian_communicator(&dims, &periods, false);
            let made = made.expect("every rank has a place");
            for rank in 0..made.size() {
                let mut at = made.rank_to_coordinates(rank);
                assert_eq!(made.coordinates_to_rank(&at), rank);
                for (at, (size, periodic, _)) in at.iter_mut().zip(&grid) {
                    *at += if *periodic { turns * size } else { 0 };
                }
                assert_eq!(made.coordinates_to_rank(&at), rank);
            }
        })?;
    }
}
