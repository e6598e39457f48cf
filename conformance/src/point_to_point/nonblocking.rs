//! Nonblocking operations: order, progress and freeing.

use mpi_api::api::{initialize, request::scope, traits::*};

use super::super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    let mut rows = life();
    rows.extend(order());
    rows.extend(channels());
    rows
}

fn life() -> Vec<Row> {
    vec![Row::safe(
        "B2.19",
        "MPI: The Complete Reference, example 2.19",
        "requests of sends freed, known to be complete by the replies",
        &[2],
        "a reply proves that the send before it was received",
        ping_pong_freed,
    )]
}

fn order() -> Vec<Row> {
    vec![
        Row::safe(
            "B2.20",
            "MPI: The Complete Reference, example 2.20",
            "two sends and two receives of one tag, waited for in reverse",
            &[2],
            "they match in the order they were started, not waited for",
            waits_reversed,
        ),
        Row::new(
            "B2.22",
            "MPI: The Complete Reference, example 2.22",
            "a receive under way does not stop the next one",
            vec![
                Case::safe(
                    &[2],
                    "the first send meets the receive that is posted, so the second is reached",
                    || progress(true),
                ),
                Case::safe(&[2], "a blocking first receive meets the first send as well", || {
                    progress(false)
                })
                .named("as-printed"),
            ],
        ),
    ]
}

fn channels() -> Vec<Row> {
    vec![
        Row::safe(
            "B2.23",
            "MPI: The Complete Reference, example 2.23",
            "both ranks send without blocking, then receive",
            &[2],
            "a nonblocking send lets its rank go on to the receive",
            both_send_without_blocking,
        ),
        Row::safe(
            "B2.24",
            "MPI: The Complete Reference, example 2.24",
            "two sends met by receives posted in the other order",
            &[2],
            "both receives are posted: the first send meets the second of them",
            || crossed_tags(4),
        ),
        Row::safe(
            "B2.clog",
            "MPI: The Complete Reference, section 2.8.7",
            "the same with messages too long to be sent at once",
            &[2],
            "an envelope does not block the channel behind it",
            || crossed_tags(1 << 20),
        ),
        Row::new(
            "B2.24b",
            "MPI: The Complete Reference, section 2.8.6",
            "two sends, blocking receives in the other order",
            vec![Case::new(
                &[2],
                |_| Expect::buffering(16, 1),
                "the first message has to leave its sender for the second to be sent",
                blocking_in_the_other_order,
            )],
        ),
    ]
}

fn ping_pong_freed() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = world.process_at_rank(1 - world.rank());
    for round in 0..3 {
        if world.rank() == 1 {
            assert_eq!(other.receive::<i32>().0, round);
        }
        scope(|scope| {
            let send = other.immediate_send(scope, &round);
            if round == 2 && world.rank() == 1 {
                send.wait();
            } else {
                send.free();
            }
        });
        if world.rank() == 0 {
            assert_eq!(other.receive::<i32>().0, round);
        }
    }
}

fn waits_reversed() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = world.process_at_rank(1 - world.rank());
    let (mut a, mut b) = (1, 2);
    scope(|scope| {
        if world.rank() == 0 {
            let first = other.immediate_send(scope, &a);
            let second = other.immediate_send(scope, &b);
            second.wait();
            first.wait();
        } else {
            (a, b) = (0, 0);
            let first = other.immediate_receive_into(scope, &mut a);
            let second = other.immediate_receive_into(scope, &mut b);
            second.wait();
            first.wait();
        }
    });
    assert_eq!((a, b), (1, 2));
}

fn both_send_without_blocking() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = world.process_at_rank(1 - world.rank());
    let mine = world.rank();
    scope(|scope| {
        let send = other.immediate_send(scope, &mine);
        assert_eq!(other.receive::<i32>().0, 1 - mine);
        send.wait();
    });
}

fn crossed_tags(count: usize) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = world.process_at_rank(1 - world.rank());
    if world.rank() == 0 {
        other.send_with_tag(&vec![1; count], 1);
        other.send_with_tag(&vec![2; count], 2);
        return;
    }
    let (mut one, mut two) = (vec![0; count], vec![0; count]);
    scope(|scope| {
        let second = other.immediate_receive_into_with_tag(scope, &mut two, 2);
        let first = other.immediate_receive_into_with_tag(scope, &mut one, 1);
        second.wait();
        first.wait();
    });
    assert!(one.iter().all(|value| *value == 1) && two.iter().all(|value| *value == 2));
}

fn blocking_in_the_other_order() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = world.process_at_rank(1 - world.rank());
    if world.rank() == 0 {
        other.send_with_tag(&[1; 4][..], 1);
        other.send_with_tag(&[2; 4][..], 2);
    } else {
        assert_eq!(other.receive_vec_with_tag::<i32>(2).0, [2; 4]);
        assert_eq!(other.receive_vec_with_tag::<i32>(1).0, [1; 4]);
    }
}

fn progress(immediate: bool) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = world.process_at_rank(1 - world.rank());
    if world.rank() == 0 {
        other.send_with_tag(&10, 0);
        other.send_with_tag(&11, 1);
        return;
    }
    let mut first = 0;
    if immediate {
        scope(|scope| {
            let receive = other.immediate_receive_into_with_tag(scope, &mut first, 0);
            assert_eq!(other.receive_with_tag::<i32>(1).0, 11);
            receive.wait();
        });
    } else {
        other.receive_into_with_tag(&mut first, 0);
        assert_eq!(other.receive_with_tag::<i32>(1).0, 11);
    }
    assert_eq!(first, 10);
}
