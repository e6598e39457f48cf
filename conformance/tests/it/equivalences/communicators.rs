//! Groups, communicators and intercommunicators made in two ways.

use mpi_api::api::{
    topology::{
        Color, CommunicatorRelation, GroupRelation, InterCommunicator, MergeOrder, ROOT, Rank,
        SimpleCommunicator, UserGroup,
    },
    traits::*,
};
use proptest::{prelude::*, sample::subsequence};

use super::{agree, programs};

/// Ranges of different ranks, up and down, in any order.
fn ranges(ranks: Rank) -> impl Strategy<Value = Vec<(Rank, Rank, i32)>> {
    let range = (0..ranks, 0..ranks, prop::sample::select(vec![-3, -2, -1, 1, 2, 3]));
    prop::collection::vec(range, 0..6).prop_map(|drawn| {
        let mut taken = Vec::new();
        let free = drawn.into_iter().filter(|range| {
            let ranks = expanded(*range);
            let free = !ranks.is_empty() && ranks.iter().all(|rank| !taken.contains(rank));
            taken.extend(ranks.into_iter().filter(|_| free));
            free
        });
        free.collect()
    })
}

/// The ranks a range stands for.
fn expanded((first, last, stride): (Rank, Rank, i32)) -> Vec<Rank> {
    let inside = |rank: &Rank| if stride > 0 { *rank <= last } else { *rank >= last };
    std::iter::successors(Some(first), |rank| Some(rank + stride)).take_while(inside).collect()
}

fn identical(one: &UserGroup, other: &UserGroup) {
    assert_eq!(one.compare(other), GroupRelation::Identical);
}

fn congruent(one: Option<SimpleCommunicator>, other: Option<SimpleCommunicator>) {
    match (one, other) {
        (Some(one), Some(other)) => {
            assert_eq!(one.compare(&other), CommunicatorRelation::Congruent);
            assert_eq!((one.rank(), one.size()), (other.rank(), other.size()));
        }
        (one, other) => assert!(one.is_none() && other.is_none()),
    }
}

/// This many ranks, and some of them in any order.
fn some_ranks() -> impl Strategy<Value = (usize, Vec<Rank>)> {
    (1..7_usize).prop_flat_map(|ranks| {
        let all: Vec<Rank> = (0..ranks as Rank).collect();
        (Just(ranks), subsequence(all, 0..=ranks).prop_shuffle())
    })
}

/// A colour, if any, and a key for each rank.
fn split() -> impl Strategy<Value = Vec<(Option<i32>, i32)>> {
    prop::collection::vec((prop::option::weighted(0.8, 0..3_i32), -2..3_i32), 1..7)
}

/// The two sides of an intercommunicator: a side for each rank, both of them somebody's, and who
/// leads each.
fn sides() -> impl Strategy<Value = (Vec<bool>, [prop::sample::Index; 2])> {
    let sides = prop::collection::vec(any::<bool>(), 0..5).prop_map(|rest| {
        let mut sides = vec![true, false];
        sides.extend(rest);
        sides
    });
    (sides.prop_shuffle(), any::<[prop::sample::Index; 2]>())
}

/// Ranks of a side, in order.
fn members(sides: &[bool], side: bool) -> Vec<Rank> {
    (0..).zip(sides).filter(|(_, other)| **other == side).map(|(rank, _)| rank).collect()
}

/// The calling rank's side as a communicator, and the way to the other one.
fn connected(
    world: &SimpleCommunicator,
    sides: &[bool],
    leaders: &[prop::sample::Index; 2],
) -> (SimpleCommunicator, InterCommunicator) {
    let side = sides[world.rank() as usize];
    let color = Color::with_value(i32::from(side));
    let mine = world.split_by_color(color).expect("every rank has a colour");
    let leader = |side: bool| leaders[usize::from(side)].index(members(sides, side).len());
    let theirs = members(sides, !side)[leader(!side)];
    let between = mine.create_intercommunicator(leader(side) as Rank, Some((world, theirs)), 5);
    (mine, between.expect("both sides have members"))
}

proptest! {
    #![proptest_config(programs())]

    /// Q.14.
    #[test]
    fn ranges_are_the_ranks_they_stand_for(ranges in ranges(10)) {
        agree(10, move |world| {
            let all = world.group();
            let ranks: Vec<Rank> = ranges.iter().flat_map(|range| expanded(*range)).collect();
            identical(&all.include_ranges(&ranges), &all.include(&ranks));
            identical(&all.exclude_ranges(&ranges), &all.exclude(&ranks));
            let single: Vec<_> = ranks.iter().map(|rank| (*rank, *rank, 1)).collect();
            identical(&all.include_ranges(&single), &all.include(&ranks));
            identical(&all.exclude_ranges(&single), &all.exclude(&ranks));
        })?;
    }

    /// Q.15.
    #[test]
    fn a_communicator_of_a_group_is_a_split((ranks, members) in some_ranks()) {
        agree(ranks, move |world| {
            let group = world.group().include(&members);
            let place = group.rank();
            let color = place.map_or(Color::undefined(), |_| Color::with_value(0));
            let split = || world.split_by_color_with_key(color, place.unwrap_or(0));
            congruent(world.split_by_subgroup_collective(&group), split());
            congruent(world.split_by_subgroup(&group), split());
        })?;
    }

    /// A split makes groups of the ranks of a colour, by key and then by rank.
    #[test]
    fn a_split_is_the_groups_of_its_colours(split in split()) {
        agree(split.len(), move |world| {
            let (color, key) = split[world.rank() as usize];
            let made = world.split_by_color_with_key(
                color.map_or(Color::undefined(), Color::with_value), key,
            );
            let mut same: Vec<Rank> = (0..split.len() as Rank)
                .filter(|rank| color.is_some() && split[*rank as usize].0 == color)
                .collect();
            same.sort_by_key(|rank| split[*rank as usize].1);
            assert_eq!(made.is_some(), color.is_some());
            if let Some(made) = made {
                identical(&made.group(), &world.group().include(&same));
            }
        })?;
    }

    /// Q.16.
    #[test]
    fn rank_and_size_are_those_of_the_group((ranks, members) in some_ranks()) {
        agree(ranks, move |world| {
            let group = world.group().include(&members);
            if let Some(made) = world.split_by_subgroup_collective(&group) {
                assert_eq!((Some(made.rank()), made.size()), (group.rank(), group.size()));
                identical(&made.group(), &group);
                let copy = made.duplicate();
                assert_eq!(made.compare(&copy), CommunicatorRelation::Congruent);
                identical(&copy.group(), &made.group());
                let places: Vec<Option<Rank>> = members.iter().copied().map(Some).collect();
                let own: Vec<Rank> = (0..made.size()).collect();
                assert_eq!(made.group().translate_ranks(&own, &world.group()), places);
            }
        })?;
    }

    /// The remote group is the other side's group, and each side sees the other's data.
    #[test]
    fn an_intercommunicator_is_two_groups((sides, leaders) in sides()) {
        agree(sides.len(), move |world| {
            let (mine, between) = connected(world, &sides, &leaders);
            let side = sides[world.rank() as usize];
            identical(&between.local_group(), &mine.group());
            identical(&between.remote_group(), &world.group().include(&members(&sides, !side)));
            assert_eq!(between.rank(), mine.rank());
            let mut theirs = vec![-1; between.remote_size() as usize];
            between.all_gather_into(&world.rank(), &mut theirs[..]);
            assert_eq!(theirs, members(&sides, !side));
        })?;
    }

    /// Collectives with a root in the other group are messages between it and all of this one.
    #[test]
    fn data_cross_an_intercommunicator((sides, leaders) in sides(), from in any::<bool>()) {
        agree(sides.len(), move |world| {
            let (_mine, between) = connected(world, &sides, &leaders);
            let (here, there) = (members(&sides, from), members(&sides, !from));
            let rank = leaders[usize::from(from)].index(here.len()) as Rank;
            let me = world.rank();
            if sides[me as usize] != from {
                let (root, mut told, mut part) = (between.process_at_rank(rank), 0, 0);
                root.broadcast_into(&mut told);
                root.gather_into(&me);
                root.scatter_into(&mut part);
                assert_eq!((told, part), (here[rank as usize], 10 * me));
            } else if me == here[rank as usize] {
                let (root, mut all) = (between.process_at_rank(ROOT), vec![-1; there.len()]);
                root.broadcast_into(&mut { me });
                root.gather_into_root(&me, &mut all[..]);
                assert_eq!(all, there);
                let parts: Vec<i32> = there.iter().map(|rank| 10 * rank).collect();
                root.scatter_into_root(&parts[..], &mut { me });
            } else {
                let elsewhere = between.null_process();
                elsewhere.broadcast_into(&mut { me });
                elsewhere.gather_into(&me);
                elsewhere.scatter_into(&mut { me });
            }
        })?;
    }

    /// A merge is a split of all, one side's ranks before the other's.
    #[test]
    fn a_merge_is_a_split((sides, leaders) in sides(), first in any::<bool>()) {
        agree(sides.len(), move |world| {
            let (_mine, between) = connected(world, &sides, &leaders);
            let second = sides[world.rank() as usize] != first;
            let order = if second { MergeOrder::High } else { MergeOrder::Low };
            let split = world.split_by_color_with_key(Color::with_value(0), i32::from(second));
            congruent(between.merge(order), split);
        })?;
    }
}
