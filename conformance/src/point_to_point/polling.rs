//! Loops that test requests: they end, and see completions in any order.

use mpi_api::{
    api::{initialize, request::scope, traits::*},
    finding::Code,
};

use super::{
    super::{Case, Expect, Row, declare},
    consumers::{ROUNDS, consumer},
};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new(
            "B2.18",
            "MPI: The Complete Reference, example 2.18",
            "the consumer tests one producer after the other",
            vec![
                Case::new(
                    &[3],
                    |_| Expect::safe().reaching(&["0 first", "1 first"]),
                    "every failed test lets time go on, so the messages come, whichever is first",
                    by_test,
                ),
                Case::new(
                    &[3],
                    |_| Expect::wrong(Code::RequestLeak),
                    "an index that has moved on starts a receive over one that is active",
                    by_test_wrong_index,
                )
                .named("as-printed"),
            ],
        ),
        Row::safe(
            "B2.21",
            "MPI: The Complete Reference, example 2.21",
            "a big and a small message, tested for",
            &[2],
            "either may complete first; matching is fixed and the loops end",
            big_then_small,
        ),
    ]
}

fn by_test() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if !consumer(&world) {
        return;
    }
    let producers = world.size() - 1;
    let mut rooms = vec![-1; (ROUNDS * producers) as usize];
    let mut order = Vec::new();
    scope(|scope| {
        let mut unused = rooms.iter_mut();
        let mut post = |p: i32| {
            let room = unused.next().expect("a room for each message");
            Some(world.process_at_rank(p).immediate_receive_into(scope, room))
        };
        let mut open: Vec<_> = (0..producers).map(&mut post).collect();
        let mut left = vec![ROUNDS - 1; producers as usize];
        while open.iter().any(Option::is_some) {
            for (p, slot) in open.iter_mut().enumerate() {
                let Some(request) = slot.take() else { continue };
                *slot = match request.test() {
                    Err(request) => Some(request),
                    Ok(status) => {
                        order.push(status.source_rank());
                        left[p] -= 1;
                        if left[p] >= 0 { post(p as i32) } else { None }
                    }
                };
            }
        }
    });
    for p in 0..producers {
        assert_eq!(order.iter().filter(|source| **source == p).count(), ROUNDS as usize);
    }
    declare(format!("{} first", order[0]));
}

/// The consumed one is not the completed one: its receive is still active when another replaces it.
fn by_test_wrong_index() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if !consumer(&world) {
        return;
    }
    let mut rooms = [-1; 3];
    let [first, second, again] = &mut rooms;
    scope(|scope| {
        let from = |p| world.process_at_rank(p);
        let mut done = from(0).immediate_receive_into(scope, first);
        let mut other = from(1).immediate_receive_into(scope, second);
        while let Err(request) = done.test() {
            done = request;
        }
        let lost = std::mem::replace(&mut other, from(1).immediate_receive_into(scope, again));
        drop(lost);
        other.wait();
    });
    let (_, _) = world.process_at_rank(0).receive::<i32>();
}

fn big_then_small() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = world.process_at_rank(1 - world.rank());
    let (mut big, mut small) = (vec![world.rank(); 100_000], vec![world.rank(); 1]);
    scope(|scope| {
        let (big, small) = if world.rank() == 0 {
            (other.immediate_send(scope, &big[..]), other.immediate_send(scope, &small[..]))
        } else {
            let big = other.immediate_receive_into(scope, &mut big[..]);
            (big, other.immediate_receive_into(scope, &mut small[..]))
        };
        let (mut big, mut small) = (Some(big), Some(small));
        while big.is_some() || small.is_some() {
            big = big.and_then(|request| request.test().err());
            small = small.and_then(|request| request.test().err());
        }
    });
    assert!(big.iter().chain(&small).all(|value| *value == 0));
}
