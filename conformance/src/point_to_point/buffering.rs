//! Effects of buffering: order, fairness, progress, back-pressure.

use mpi_api::api::{initialize, traits::*};
use scenarios::options::Buffering;

use super::super::{Case, Expect, Row, declare};

pub(super) fn rows() -> Vec<Row> {
    let mut rows = orders();
    rows.extend(progress());
    rows
}

fn orders() -> Vec<Row> {
    vec![
        Row::new(
            "B2.Fig1",
            "MPI: The Complete Reference, figure 2.1 and section 2.4.3",
            "two and three messages of two senders to one receiver",
            vec![Case::new(
                &[3],
                |_| Expect::safe().reaching(&interleavings()),
                "messages of one sender never swap; which sender comes next is open",
                two_senders,
            )],
        ),
        Row::new(
            "B2.10",
            "MPI: The Complete Reference, example 2.10",
            "a message and its relayed shadow, received from any source",
            vec![
                Case::new(
                    &[3],
                    |_| Expect::safe().reaching(&["0, 1", "1, 0"]),
                    "different senders may come in either order, once the first is buffered",
                    relay,
                ),
                Case::new(
                    &[3],
                    |_| Expect::safe().reaching(&["0, 1"]),
                    "when nothing is buffered, rank 0 goes on only after its message is received",
                    relay_synchronously,
                )
                .named("synchronous"),
            ],
        ),
        Row::new(
            "B2.fair",
            "MPI: The Complete Reference, section 2.4.5",
            "a receive from any source, again and again",
            vec![Case::new(
                &[3],
                |_| Expect::safe().reaching(&["1122", "1212", "1221", "2112", "2121", "2211"]),
                "no sender is promised a turn: every order is legal",
                any_source_again,
            )],
        ),
    ]
}

fn progress() -> Vec<Row> {
    vec![
        Row::new(
            "B2.throttle",
            "MPI: The Complete Reference, section 2.4.1",
            "a fast producer and a slow consumer",
            vec![
                Case::safe(&[2], "the producer waits for space", throttled),
                Case::safe(&[2], "the same with room for a message and a half", throttled)
                    .named("small-pool")
                    .with(|request| request.buffering = Buffering::Bytes(600)),
            ],
        ),
        Row::new(
            "B2.progress",
            "MPI: The Complete Reference, section 2.4.4",
            "two sends, received in the other order",
            vec![Case::new(
                &[2],
                |_| Expect::buffering(4, 1),
                "with the first message buffered the second overtakes it: their tags differ",
                second_first,
            )],
        ),
    ]
}

/// Returns all orders of 2 messages of rank 0 and 3 of rank 2.
fn interleavings() -> Vec<&'static str> {
    vec!["00222", "02022", "02202", "02220", "20022", "20202", "20220", "22002", "22020", "22200"]
}

fn two_senders() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let counts = [2, 0, 3];
    if world.rank() != 1 {
        for number in 0..counts[world.rank() as usize] {
            world.process_at_rank(1).send(&number);
        }
        return;
    }
    let mut next = [0; 3];
    let mut order = String::new();
    for _ in 0..5 {
        let (number, status) = world.any_process().receive::<i32>();
        let source = status.source_rank();
        assert_eq!(number, next[source as usize], "messages of rank {source} swapped");
        next[source as usize] += 1;
        order += &source.to_string();
    }
    declare(order);
}

fn relay() {
    relay_with(|process, value| process.send(&value));
}

fn relay_synchronously() {
    relay_with(|process, value| process.synchronous_send(&value));
}

fn relay_with(send: fn(mpi_api::api::topology::Process<'_>, i32)) {
    let universe = initialize().expect("once");
    let world = universe.world();
    match world.rank() {
        0 => {
            send(world.process_at_rank(2), 0);
            send(world.process_at_rank(1), 0);
        }
        1 => {
            let (value, _) = world.process_at_rank(0).receive::<i32>();
            send(world.process_at_rank(2), value + 1);
        }
        _ => {
            let (first, _) = world.any_process().receive::<i32>();
            let (second, _) = world.any_process().receive::<i32>();
            declare(format!("{first}, {second}"));
        }
    }
}

fn any_source_again() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() > 0 {
        for _ in 0..2 {
            world.process_at_rank(0).send(&world.rank());
        }
        return;
    }
    let order: String =
        (0..4).map(|_| world.any_process().receive::<i32>().0.to_string()).collect();
    declare(order);
}

fn throttled() {
    let universe = initialize().expect("once");
    let world = universe.world();
    for round in 0..20 {
        if world.rank() == 0 {
            world.process_at_rank(1).send(&[round; 100][..]);
        } else {
            world.compute(1e-3);
            let (values, _) = world.process_at_rank(0).receive_vec::<i32>();
            assert_eq!(values, vec![round; 100]);
        }
    }
}

fn second_first() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        world.process_at_rank(1).send_with_tag(&1, 1);
        world.process_at_rank(1).send_with_tag(&2, 2);
    } else {
        let (second, _) = world.process_at_rank(0).receive_with_tag::<i32>(2);
        let (first, _) = world.process_at_rank(0).receive_with_tag::<i32>(1);
        assert_eq!((first, second), (1, 2));
    }
}
