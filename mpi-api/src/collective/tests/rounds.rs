//! Tests of the numbers of rounds, and of the size of schedules for many ranks.

use crate::{
    call::{CollectiveKind as K, Counts},
    collective::{
        Region, Schedule, Shape, Step,
        algorithm::{Algorithm as A, build},
        select::Selector,
    },
    settings::CollectiveSynchronization,
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
            assert_eq!(count(K::Alltoall, A::Ring), size - 1);
            assert_eq!(count(K::Alltoall, A::Strided), 1);
            assert_eq!(count(K::Allreduce, A::Ring), 2 * (size - 1));
            assert!(count(K::Broadcast, A::Binomial) <= log);
            assert!(count(K::Allgather, A::Bruck) <= log + 1);
            if size.is_power_of_two() {
                assert_eq!(count(K::Alltoall, A::Pairwise), size - 1);
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
        selector
            .schedule(&shape(K::Allgather, size, 0, 8), CollectiveSynchronization::Algorithm)
            .0
            .name()
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
            let schedule = selector.schedule(&shape, CollectiveSynchronization::Algorithm).1;
            assert!(rounds(&schedule) <= 22, "{kind:?} {}", rounds(&schedule));
            assert!(schedule.steps.len() <= 90, "{kind:?} {}", schedule.steps.len());
        }
    }
}

#[test]
fn the_libraries_rules_change_at_their_bounds() {
    let name = |rule: &str, kind, size, bytes| {
        let mut selector = Selector::default_choice();
        selector.set(rule).unwrap();
        selector.schedule(&shape(kind, size, 0, bytes), CollectiveSynchronization::Algorithm).0
    };
    assert_eq!(name("mpich-4", K::Allreduce, 16, 8), A::RecursiveDoubling);
    assert_eq!(name("mpich-4", K::Allreduce, 16, 16), A::Rabenseifner);
    assert_eq!(name("mpich-4", K::Alltoall, 8, 256), A::Bruck);
    assert_eq!(name("mpich-4", K::Alltoall, 7, 256), A::Linear);
    assert_eq!(name("mpich-4", K::Alltoall, 8, 32_769), A::Pairwise);
    assert_eq!(name("mpich-4", K::Reduce, 8, 2_048), A::Binomial);
    assert_eq!(name("mpich-4", K::Reduce, 8, 2_049), A::Rabenseifner);
    assert_eq!(name("mpich-4", K::Allgather, 8, 65_535), A::RecursiveDoubling);
    assert_eq!(name("mpich-4", K::Allgather, 8, 65_536), A::Ring);
    assert_eq!(name("ompi-5.0", K::Allreduce, 8, 8_191), A::RecursiveDoubling);
    assert_eq!(name("ompi-5.0", K::Allreduce, 8, 8_192), A::Rabenseifner);
    // A ring has a block of at least one element for each rank.
    assert_eq!(name("ompi-5.0", K::Allreduce, 32, 8), A::RecursiveDoubling);
    assert_eq!(name("ompi-5.0", K::Allreduce, 3, 255 * 1024), A::Ring);
    assert_eq!(name("ompi-5.0", K::Barrier, 7, 0), A::Linear);
    assert_eq!(name("ompi-5.0", K::Barrier, 256, 0), A::Tree);
    assert_eq!(name("ompi-5.0", K::Allgather, 48, 1_024), A::NeighborExchange);
    assert_eq!(name("ompi-5.0", K::Broadcast, 16, 1 << 20), A::ScatterRecursiveDoubling);
}

#[test]
fn auto_decides_as_mpich_except_for_short_operands() {
    let name = |kind, size, bytes| {
        let selector = Selector::default_choice();
        selector.schedule(&shape(kind, size, 0, bytes), CollectiveSynchronization::Algorithm).0
    };
    assert_eq!(name(K::Allreduce, 16, 16), A::RecursiveDoubling);
    assert_eq!(name(K::Allreduce, 16, 2_048), A::RecursiveDoubling);
    assert_eq!(name(K::Allreduce, 16, 2_049), A::Rabenseifner);
    assert_eq!(name(K::Reduce, 8, 2_049), A::Rabenseifner);
    assert_eq!(name(K::ReduceScatter, 8, 8), A::RecursiveHalving);
    assert_eq!(name(K::Broadcast, 16, 1 << 20), A::ScatterRing);
    assert_eq!(name(K::Broadcast, 16, 64 << 10), A::ScatterRecursiveDoubling);
    assert_eq!(name(K::Broadcast, 1024, 1 << 20), A::ScatterRecursiveDoubling);
    assert_eq!(name(K::Broadcast, 100, 8 * 1024 * 100), A::Binomial);
    assert_eq!(name(K::Broadcast, 100, 8 * 1024 * 100 + 1), A::ScatterRing);
    assert_eq!(name(K::Allgather, 1024, 8 * 1024), A::RecursiveDoubling);
    assert_eq!(name(K::Allgather, 100, 8 * 1024), A::Bruck);
    assert_eq!(name(K::Allgather, 100, 8 * 1024 + 1), A::Ring);
    assert_eq!(name(K::Alltoall, 8, 8), A::Bruck);
    assert_eq!(name(K::Gather, 8, 8), A::Binomial);
}

#[test]
fn messages_of_a_round_come_first_and_keep_their_order() {
    let (input, output) = (Region::input(0, 8), Region::output(0, 8));
    let mut schedule = Schedule::new(8, 8);
    schedule.send(1, input);
    schedule.copy(input, output);
    schedule.end_round();
    schedule.receive(3, Region::scratch(0, 8));
    schedule.combine_left(Region::scratch(0, 8), output);
    schedule.copy(Region::scratch(0, 8), output);
    schedule.send(2, input);
    schedule.send(4, input);
    schedule.end_round();
    let before = schedule.clone();
    schedule.put_messages_first();
    let order: Vec<Step> = [0, 1, 2, 5, 6, 3, 4].iter().map(|at| before.steps[*at]).collect();
    assert_eq!((schedule.steps, schedule.round_ends), (order, before.round_ends));
}
