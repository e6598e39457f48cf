//! Numbers of rounds, and that schedules for many ranks stay small.

use crate::{
    call::{CollectiveKind as K, Counts},
    collective::{
        Schedule, Shape,
        algorithm::{Algorithm as A, build},
        select::Selector,
    },
    settings::Synchronisation,
};

fn shape(kind: K, size: u32, rank: u32, bytes: u64) -> Shape {
    let (send, receive) = (Counts::Uniform(bytes), Counts::Uniform(bytes));
    let (remote, neighbors) = (None, None);
    let (element_bytes, commutative) = (1, true);
    Shape {
        kind,
        size,
        rank,
        root: 0,
        remote,
        neighbors,
        send,
        receive,
        element_bytes,
        commutative,
    }
}

fn rounds(schedule: &Schedule) -> u32 {
    schedule.round_ends.len() as u32
}

#[test]
fn round_counts_are_those_of_the_cost_formulas() {
    for size in 2..70_u32 {
        let log = size.next_power_of_two().trailing_zeros();
        for rank in 0..size {
            let count = |kind, algorithm| rounds(&build(algorithm, &shape(kind, size, rank, 8)));
            assert_eq!(count(K::Barrier, A::Dissemination), log);
            assert_eq!(count(K::Allgather, A::Ring), size - 1);
            assert_eq!(count(K::Alltoall, A::Pairwise), size - 1);
            assert_eq!(count(K::Allreduce, A::Ring), 2 * (size - 1));
            assert!(count(K::Broadcast, A::Binomial) <= log);
            assert!(count(K::Allgather, A::Bruck) <= log + 1);
            if size.is_power_of_two() {
                assert_eq!(count(K::Allgather, A::RecursiveDoubling), log);
                assert_eq!(count(K::Allreduce, A::RecursiveDoubling), log);
            }
        }
    }
}

#[test]
fn recursive_doubling_off_a_power_of_two_becomes_bruck() {
    let mut selector = Selector::textbook();
    selector.set("allgather=recursive_doubling").unwrap();
    let name = |size| {
        selector.schedule(&shape(K::Allgather, size, 0, 8), Synchronisation::Algorithm).0.name()
    };
    assert_eq!(name(6), "bruck");
    assert_eq!(name(8), "recursive_doubling");
}

#[test]
fn a_million_ranks_need_few_steps() {
    let selector = Selector::default_choice();
    for kind in [K::Barrier, K::Broadcast, K::Reduce, K::Allreduce, K::Gather, K::Scan] {
        for rank in [0, 1, 524_288, 999_999] {
            let shape = shape(kind, 1_000_000, rank, 8);
            let schedule = selector.schedule(&shape, Synchronisation::Algorithm).1;
            assert!(rounds(&schedule) <= 22, "{kind:?} {}", rounds(&schedule));
            assert!(schedule.steps.len() <= 90, "{kind:?} {}", schedule.steps.len());
        }
    }
}
