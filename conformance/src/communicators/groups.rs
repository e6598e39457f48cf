//! Groups as sets of processes. Members are named a, b, c ... after their ranks in the world.

use mpi_api::api::{
    initialize,
    topology::{GroupRelation, UserGroup},
    traits::*,
};

use super::super::Row;

pub(super) fn rows() -> Vec<Row> {
    let mut rows = sets();
    rows.extend(parts());
    rows
}

fn sets() -> Vec<Row> {
    vec![
        Row::safe(
            "B5.1",
            "MPI: The Complete Reference, example 5.1",
            "ranks of one group in another",
            &[10],
            "a member that is not in the other group has no rank there",
            || {
                with_all(|all| {
                    let (one, other) = (named(all, "abcdef"), named(all, "deac"));
                    let ranks = one.translate_ranks(&[0, 5, 0, 2], &other);
                    assert_eq!(ranks, [Some(2), None, Some(2), Some(3)]);
                })
            },
        ),
        Row::safe(
            "B5.2",
            "MPI: The Complete Reference, example 5.2",
            "union, intersection, difference",
            &[10],
            "the order is that of the first group, then that of the second",
            || {
                with_all(|all| {
                    let (one, other) = (named(all, "abcd"), named(all, "dae"));
                    assert_eq!(names(all, &one.union(&other)), "abcde");
                    assert_eq!(names(all, &one.intersection(&other)), "ad");
                    assert_eq!(names(all, &one.difference(&other)), "bc");
                })
            },
        ),
        Row::safe(
            "B5.3",
            "MPI: The Complete Reference, example 5.3",
            "members by rank",
            &[10],
            "in the order they are named; translated back they are 0, 1, 2",
            || {
                with_all(|all| {
                    let (group, ranks) = (named(all, "abcdef"), [3, 1, 2]);
                    let chosen = group.include(&ranks);
                    assert_eq!(names(all, &chosen), "dbc");
                    let back = group.translate_ranks(&ranks, &chosen);
                    assert_eq!(back, [Some(0), Some(1), Some(2)]);
                })
            },
        ),
    ]
}

fn parts() -> Vec<Row> {
    vec![
        Row::safe(
            "B5.4",
            "MPI: The Complete Reference, example 5.4",
            "all but some",
            &[10],
            "the two parts have no member in common and together all of them",
            || {
                with_all(|all| {
                    let (group, ranks) = (named(all, "abcdef"), [3, 1, 2]);
                    let (chosen, others) = (group.include(&ranks), group.exclude(&ranks));
                    assert_eq!(names(all, &others), "aef");
                    assert_eq!(chosen.intersection(&others).size(), 0);
                    assert_eq!(chosen.union(&others).compare(&group), GroupRelation::Similar);
                })
            },
        ),
        Row::safe(
            "B5.5",
            "MPI: The Complete Reference, example 5.5",
            "members by ranges",
            &[10],
            "ranges in order, with strides",
            || {
                with_all(|all| {
                    let chosen = named(all, "abcdefghij").include_ranges(&RANGES);
                    assert_eq!(names(all, &chosen), "ghbdfaei");
                })
            },
        ),
        Row::safe(
            "B5.6",
            "MPI: The Complete Reference, example 5.6",
            "all but ranges",
            &[10],
            "what no range names, in the old order",
            || {
                with_all(|all| {
                    let others = named(all, "abcdefghij").exclude_ranges(&RANGES);
                    assert_eq!(names(all, &others), "cj");
                })
            },
        ),
    ]
}

const RANGES: [(i32, i32, i32); 3] = [(6, 7, 1), (1, 6, 2), (0, 9, 4)];

fn with_all(check: fn(&UserGroup)) {
    let universe = initialize().expect("once");
    check(&universe.world().group());
}

fn named(all: &UserGroup, members: &str) -> UserGroup {
    let ranks: Vec<i32> = members.bytes().map(|name| i32::from(name - b'a')).collect();
    all.include(&ranks)
}

fn names(all: &UserGroup, group: &UserGroup) -> String {
    let ranks: Vec<i32> = (0..group.size()).collect();
    let ranks = group.translate_ranks(&ranks, all).into_iter().flatten();
    ranks.map(|rank| char::from(b'a' + rank as u8)).collect()
}
