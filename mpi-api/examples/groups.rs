//! Groups are sets of processes; communicators are made of them, by all ranks or by members only.

mod support;

use mpi_api::api::{
    self as mpi,
    topology::{Color, CommunicatorRelation, GroupRelation, SystemGroup},
    traits::*,
};

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let everyone = world.group();
    let odd = everyone.include(&[1, 3]);
    let even = everyone.difference(&odd);
    assert_eq!((even.size(), even.rank()), (3, (world.rank() % 2 == 0).then(|| world.rank() / 2)));
    assert_eq!(odd.union(&even).compare(&everyone), GroupRelation::Similar);
    assert_eq!(odd.intersection(&even).compare(&SystemGroup::empty()), GroupRelation::Identical);
    assert_eq!(even.translate_ranks(&[0, 1, 2], &everyone), [Some(0), Some(2), Some(4)]);
    assert_eq!(everyone.exclude(&[0, 2, 4]).compare(&odd), GroupRelation::Identical);

    let by_all = world.split_by_subgroup_collective(&even);
    assert_eq!(by_all.is_some(), world.rank() % 2 == 0);
    let by_members = world.split_by_subgroup(&odd);
    assert_eq!(by_members.map(|members| members.size()), odd.rank().map(|_| 2));

    let copy = world.duplicate();
    copy.set_name("a copy");
    assert_eq!((copy.get_name(), world.get_name()), ("a copy".into(), "MPI_COMM_WORLD".into()));
    assert_eq!(world.compare(&world), CommunicatorRelation::Identical);
    assert_eq!(world.compare(&copy), CommunicatorRelation::Congruent);

    let half = world.split_by_color(Color::with_value(world.rank() / 3)).unwrap();
    assert_eq!(half.size(), if world.rank() < 3 { 3 } else { 2 });
    assert!(world.split_by_color(Color::undefined()).is_none());
}

pub(crate) fn main() {
    support::simulate(5, program);
}
