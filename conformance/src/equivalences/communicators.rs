//! Groups, communicators and topologies, each constructed in two ways.

use mpi_api::api::{
    initialize,
    topology::{Adjacency, Color, CommunicatorRelation, GroupRelation},
    traits::*,
};

use super::{Row, row};

pub(super) fn rows() -> Vec<Row> {
    vec![
        row(
            "Q.14",
            "MPI: The Complete Reference, section 5.3.2",
            "ranges are the ranks they stand for",
            &[10],
            ranges,
        ),
        row(
            "Q.15",
            "MPI: The Complete Reference, section 5.4.2",
            "a communicator of a group is a split with its ranks as keys",
            &[4, 5],
            create_or_split,
        ),
        row(
            "Q.16",
            "MPI: The Complete Reference, section 5.4.1",
            "rank and size are those of the group; congruent communicators have one group",
            &[1, 4],
            of_the_group,
        ),
        row(
            "Q.17",
            "MPI: The Complete Reference, section 6.5.6",
            "a part of a grid is a split by the dropped coordinates",
            &[6, 12],
            parts_of_a_grid,
        ),
        row(
            "Q.18",
            "MPI: The Complete Reference, section 6.5.4",
            "coordinates and ranks are inverse",
            &[6, 8],
            || {
                let universe = initialize().expect("once");
                let dims = [2, universe.world().size() / 2];
                let grid = universe.world().create_cartesian_communicator(&dims, &[true; 2], false);
                let grid = grid.expect("every rank has a place");
                for rank in 0..grid.size() {
                    assert_eq!(grid.coordinates_to_rank(&grid.rank_to_coordinates(rank)), rank);
                }
            },
        ),
        row(
            "Q.19",
            "MPI draft, section 7.6",
            "neighbours on the complete graph are everybody",
            &[1, 3, 4],
            complete_graph,
        ),
    ]
}

fn ranges() {
    let universe = initialize().expect("once");
    let all = universe.world().group();
    let (ranges, ranks) = ([(6, 7, 1), (1, 6, 2), (9, 0, -4)], [6, 7, 1, 3, 5, 9]);
    assert_eq!(ranks[..5], [6, 7, 1, 3, 5]);
    let by_range = all.include_ranges(&ranges[..2]);
    assert_eq!(by_range.compare(&all.include(&ranks[..5])), GroupRelation::Identical);
    let without = all.exclude_ranges(&ranges[..2]);
    assert_eq!(without.compare(&all.exclude(&ranks[..5])), GroupRelation::Identical);
    let down = all.include_ranges(&ranges[2..]);
    assert_eq!(down.compare(&all.include(&[9, 5, 1])), GroupRelation::Identical);
    let single: Vec<(i32, i32, i32)> = ranks.iter().map(|rank| (*rank, *rank, 1)).collect();
    let one_by_one = all.include_ranges(&single);
    assert_eq!(one_by_one.compare(&all.include(&ranks)), GroupRelation::Identical);
}

fn create_or_split() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let group = world.group().include(&[3, 1, 2]);
    let created = world.split_by_subgroup_collective(&group);
    let place = group.rank();
    let color = place.map_or(Color::undefined(), |_| Color::with_value(0));
    let split = world.split_by_color_with_key(color, place.unwrap_or(0));
    match (created, split) {
        (Some(created), Some(split)) => {
            assert_eq!(created.compare(&split), CommunicatorRelation::Congruent);
        }
        (created, split) => assert!(created.is_none() && split.is_none()),
    }
}

fn of_the_group() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let group = world.group();
    assert_eq!((Some(world.rank()), world.size()), (group.rank(), group.size()));
    let copy = world.duplicate();
    assert_eq!(world.compare(&copy), CommunicatorRelation::Congruent);
    assert_eq!(group.compare(&copy.group()), GroupRelation::Identical);
}

fn parts_of_a_grid() {
    let universe = initialize().expect("once");
    let dims = [2, universe.world().size() / 2];
    let grid = universe.world().create_cartesian_communicator(&dims, &[false; 2], false);
    let grid = grid.expect("every rank has a place");
    let at = grid.rank_to_coordinates(grid.rank());
    let part = grid.subgroup(&[false, true]);
    let split = grid.split_by_color_with_key(Color::with_value(at[0]), at[1]);
    let split = split.expect("every rank has a colour");
    assert_eq!((part.rank(), part.size()), (split.rank(), split.size()));
    assert_eq!(part.compare(&split), CommunicatorRelation::Congruent);
}

fn complete_graph() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let everybody: Vec<i32> = (0..world.size()).collect();
    let neighbors = Adjacency {
        sources: everybody.clone(),
        destinations: everybody.clone(),
        ..Adjacency::default()
    };
    let graph = world.create_adjacent_graph_communicator(neighbors, false);
    let graph = graph.expect("every rank has a place");
    let (mut dense, mut near) = (everybody.clone(), everybody.clone());
    world.all_gather_into(&(world.rank() * 3), &mut dense);
    graph.neighbor_all_gather_into(&(world.rank() * 3), &mut near);
    assert_eq!(dense, near);
    let out: Vec<i32> = everybody.iter().map(|to| 100 * world.rank() + to).collect();
    world.all_to_all_into(&out, &mut dense);
    graph.neighbor_all_to_all_into(&out, &mut near);
    assert_eq!(dense, near);
}
