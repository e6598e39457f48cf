//! Producers and a consumer that receives in turn, with waitany and with waitsome. The original
//! programs never end; these end after a few messages of each producer.

use mpi_api::api::{
    initialize,
    request::{RequestCollection, multiple_scope, scope, wait_any},
    topology::SimpleCommunicator,
    traits::*,
};

use super::super::{Case, Expect, Row, declare};

/// Messages of each producer.
pub(super) const ROUNDS: i32 = 2;

/// Every order of two messages each of producers 0 and 1.
const ORDERS: [&str; 6] = ["0011", "0101", "0110", "1001", "1010", "1100"];

pub(super) fn rows() -> Vec<Row> {
    let mut rows = in_turn_row();
    rows.extend(by_wait());
    rows
}

fn in_turn_row() -> Vec<Row> {
    vec![Row::new(
        "B2.17",
        "MPI: The Complete Reference, example 2.17",
        "the consumer waits for one producer after the other",
        vec![Case::new(
            &[3],
            |_| Expect::safe().reaching(&["0101"]),
            "the order is fixed by the consumer",
            in_turn,
        )],
    )]
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
        Row::safe(
            "B2.27",
            "MPI: The Complete Reference, example 2.27",
            "the consumer waits for some producers",
            &[2, 3, 4],
            "all that are complete are taken, so no producer is left out for ever",
            by_wait_some,
        ),
        Row::new(
            "B2.32",
            "MPI: The Complete Reference, example 2.32",
            "a phase ends when no request is active",
            vec![Case::new(
                &[2, 3],
                |p| match p {
                    3 => Expect::safe().reaching(&["0101", "0110", "1001", "1010"]),
                    _ => Expect::safe().reaching(&["00"]),
                },
                "a wait for any of only null requests returns at once and says so; within a phase \
                 the producers come in any order",
                phases,
            )],
        ),
    ]
}

/// The last rank consumes; the others produce and are done.
pub(super) fn consumer(world: &SimpleCommunicator) -> bool {
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
    let mut order = String::new();
    for _ in 0..ROUNDS {
        let mut rooms = vec![-1; producers as usize];
        multiple_scope(rooms.len(), |scope, requests: &mut RequestCollection<'_, i32>| {
            assert!(requests.wait_any().is_none(), "nothing is active between the phases");
            for (p, room) in rooms.iter_mut().enumerate() {
                requests.add(world.process_at_rank(p as i32).immediate_receive_into(scope, room));
            }
            let mut seen = Vec::new();
            while let Some((place, ..)) = requests.wait_any() {
                order += &place.to_string();
                seen.push(place as i32);
            }
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..producers), "one message of each producer");
        });
    }
    declare(order);
}
