//! Producers and a consumer: in turn, by testing, by waiting for any and for some. The originals
//! never end; ours do after a few messages of each producer.

use mpi_api::api::{
    initialize,
    request::{RequestCollection, multiple_scope, scope, wait_any},
    topology::SimpleCommunicator,
    traits::*,
};
use mpi_api::finding::Code;

use super::super::{Case, Expect, Row, declare};

/// Messages of each producer.
const ROUNDS: i32 = 2;

/// Every order of two messages each of producers 0 and 1.
const ORDERS: [&str; 6] = ["0011", "0101", "0110", "1001", "1010", "1100"];

pub(super) fn rows() -> Vec<Row> {
    let mut rows = in_turn_and_by_test();
    rows.extend(by_wait());
    rows
}

fn in_turn_and_by_test() -> Vec<Row> {
    vec![
        Row::new(
            "B2.17",
            "MPI: The Complete Reference, example 2.17",
            "the consumer waits for one producer after the other",
            vec![Case::new(
                &[3],
                |_| Expect::safe().reaching(&["0101"]),
                "the order is fixed by the consumer",
                in_turn,
            )],
        ),
        Row::new(
            "B2.18",
            "MPI: The Complete Reference, example 2.18",
            "the consumer tests one producer after the other",
            vec![
                Case::new(
                    &[2, 3],
                    |_| Expect::safe(),
                    "every failed test lets time go on, so the messages come",
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
    ]
}

fn by_wait() -> Vec<Row> {
    vec![
        Row::new(
            "B2.25",
            "MPI: The Complete Reference, example 2.25",
            "the consumer waits for any producer",
            vec![Case::new(
                &[3],
                |_| Expect::safe().reaching(&ORDERS),
                "which of the complete ones is taken is open",
                by_wait_any,
            )],
        ),
        Row::new(
            "B2.27",
            "MPI: The Complete Reference, example 2.27",
            "the consumer waits for some producers",
            vec![Case::new(
                &[2, 3, 4],
                |_| Expect::safe(),
                "all that are complete are taken, so no producer is left out for ever",
                by_wait_some,
            )],
        ),
        Row::new(
            "B2.32",
            "MPI: The Complete Reference, example 2.32",
            "a phase ends when no request is active",
            vec![Case::new(
                &[2, 3],
                |_| Expect::safe(),
                "a wait for any of only null requests returns at once and says so",
                phases,
            )],
        ),
    ]
}

/// The last rank consumes; the others produce and are done.
fn consumer(world: &SimpleCommunicator) -> bool {
    let last = world.size() - 1;
    if world.rank() == last {
        return true;
    }
    for _ in 0..ROUNDS {
        world.process_at_rank(last).send(&world.rank());
    }
    false
}

fn in_turn() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if !consumer(&world) {
        return;
    }
    let mut order = String::new();
    for turn in 0..ROUNDS * (world.size() - 1) {
        let producer = turn % (world.size() - 1);
        let mut room = -1;
        scope(|scope| {
            world.process_at_rank(producer).immediate_receive_into(scope, &mut room).wait();
        });
        order += &room.to_string();
    }
    declare(order);
}

fn by_test() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if !consumer(&world) {
        return;
    }
    for _ in 0..ROUNDS {
        let mut rooms = vec![-1; world.size() as usize - 1];
        scope(|scope| {
            let mut open: Vec<_> = rooms
                .iter_mut()
                .enumerate()
                .map(|(p, room)| {
                    let from = world.process_at_rank(p as i32);
                    Some(from.immediate_receive_into(scope, room))
                })
                .collect();
            while open.iter().any(Option::is_some) {
                for slot in &mut open {
                    *slot = slot.take().and_then(|request| request.test().err());
                }
            }
        });
        assert!(rooms.iter().copied().eq(0..world.size() - 1));
    }
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

fn by_wait_any() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if !consumer(&world) {
        return;
    }
    let producers = world.size() - 1;
    let mut rooms = vec![-1; (ROUNDS * producers) as usize];
    let mut order = String::new();
    scope(|scope| {
        let mut unused = rooms.iter_mut();
        let mut post = |p: i32| {
            let room = unused.next().expect("a room for each message");
            world.process_at_rank(p).immediate_receive_into(scope, room)
        };
        let mut requests: Vec<_> = (0..producers).map(&mut post).collect();
        let mut left = vec![ROUNDS - 1; producers as usize];
        while let Some((_, status)) = wait_any(&mut requests) {
            let producer = status.source_rank();
            order += &producer.to_string();
            if left[producer as usize] > 0 {
                left[producer as usize] -= 1;
                requests.push(post(producer));
            }
        }
    });
    declare(order);
}

fn by_wait_some() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if !consumer(&world) {
        return;
    }
    let producers = world.size() - 1;
    for _ in 0..ROUNDS {
        let mut rooms = vec![-1; producers as usize];
        multiple_scope(rooms.len(), |scope, requests| {
            for (p, room) in rooms.iter_mut().enumerate() {
                requests.add(world.process_at_rank(p as i32).immediate_receive_into(scope, room));
            }
            let mut done = Vec::new();
            while requests.incomplete() > 0 {
                requests.wait_some(&mut done);
                assert!(!done.is_empty());
                assert!(
                    done.iter().all(|(place, status, _)| *place as i32 == status.source_rank())
                );
            }
        });
        assert!(rooms.iter().copied().eq(0..producers));
    }
}

fn phases() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if !consumer(&world) {
        return;
    }
    let producers = world.size() - 1;
    for _ in 0..ROUNDS {
        let mut rooms = vec![-1; producers as usize];
        multiple_scope(rooms.len(), |scope, requests: &mut RequestCollection<'_, i32>| {
            assert!(requests.wait_any().is_none(), "nothing is active between the phases");
            for (p, room) in rooms.iter_mut().enumerate() {
                requests.add(world.process_at_rank(p as i32).immediate_receive_into(scope, room));
            }
            let mut seen = 0;
            while requests.wait_any().is_some() {
                seen += 1;
            }
            assert_eq!(seen, producers, "one message of each producer");
        });
    }
}
