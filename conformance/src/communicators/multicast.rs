//! Messages of a library that are in transit together with those of its user.

use mpi_api::api::topology::{AttributeKey, SimpleCommunicator};
use mpi_api::api::traits::*;

use super::{
    super::{Case, Expect, Row, declare},
    multicast_library::{in_a_cached_one, in_a_duplicate, multicast, program, with_new_tags},
};

pub(super) fn rows() -> Vec<Row> {
    let mut rows = one_communicator();
    rows.extend(private_communicators());
    rows.extend(cached_communicators());
    rows
}

fn one_communicator() -> Vec<Row> {
    vec![
        Row::safe(
            "B5.8",
            "MPI: The Complete Reference, example 5.8",
            "the multicast alone",
            &[1, 2, 3, 5, 8],
            "every process has one parent, and two messages go along each edge",
            || program(|world| called(world, multicast)),
        ),
        Row::new(
            "B5.9",
            "MPI: The Complete Reference, example 5.9",
            "the user receives from any source before the multicast",
            vec![Case::new(
                &[3],
                |_| Expect::deadlock_in_one_order(),
                "the user's receive and the library's take each other's messages",
                || program(|world| received_before(world, multicast)),
            )],
        ),
        Row::new(
            "B5.10",
            "MPI: The Complete Reference, example 5.10",
            "the user receives from any source after the multicast",
            vec![Case::new(
                &[3],
                |_| Expect::deadlock_in_one_order(),
                "the library takes the user's message, or waits for one who waits for the user",
                || program(|world| received_after(world, multicast)),
            )],
        ),
    ]
}

fn private_communicators() -> Vec<Row> {
    vec![
        Row::new(
            "B5.9+11",
            "MPI: The Complete Reference, examples 5.9 and 5.11",
            "the user receives before a multicast in a duplicate",
            vec![Case::new(
                &[3],
                |_| Expect::safe().reaching(&["0 and -1"]),
                "messages in different communicators never meet",
                || program(|world| received_before(world, in_a_duplicate)),
            )],
        ),
        Row::new(
            "B5.10+11",
            "MPI: The Complete Reference, examples 5.10 and 5.11",
            "the user receives after a multicast in a duplicate",
            vec![Case::new(
                &[3],
                |_| Expect::buffering(4, 1).reaching(&["0 and -1"]),
                "the matching is right, but the user's send must leave before its receive",
                || program(|world| received_after(world, in_a_duplicate)),
            )],
        ),
        Row::safe(
            "B5.11",
            "MPI: The Complete Reference, example 5.11",
            "a duplicate for each call",
            &[2, 4],
            "calls have nothing in common, so none meets the messages of another",
            || program(|world| twice(world, in_a_duplicate)),
        ),
    ]
}

fn cached_communicators() -> Vec<Row> {
    vec![
        Row::new(
            "B5.12",
            "MPI: The Complete Reference, example 5.12",
            "one private communicator, kept as an attribute",
            vec![
                Case::safe(&[2, 4], "one call is like the first example", || {
                    program(|world| {
                        let key = AttributeKey::new();
                        called(world, |comm, root, value| {
                            in_a_cached_one(comm, &key, root, value);
                        });
                        world.delete_attribute(&key);
                    });
                }),
                Case::new(
                    &[4],
                    |_| Expect::deadlock_in_one_order(),
                    "a message of the second call can be taken for one of the first",
                    || {
                        program(|world| {
                            let key = AttributeKey::new();
                            twice(world, |comm, root, value| {
                                in_a_cached_one(comm, &key, root, value);
                            });
                            world.delete_attribute(&key);
                        });
                    },
                )
                .named("two-calls"),
            ],
        ),
        Row::new(
            "B5.13",
            "MPI: The Complete Reference, example 5.13",
            "the same with a new tag for each call",
            vec![
                Case::safe(&[2, 4], "the tag tells the calls apart", || with_tags(true)),
                Case::new(
                    &[2, 4],
                    |_| Expect::deadlock(),
                    "sends with tag 0 never meet receives with the tag of the second call",
                    || with_tags(false),
                )
                .named("as-printed"),
            ],
        ),
    ]
}

fn with_tags(send_with_them: bool) {
    program(|world| {
        let key = AttributeKey::new();
        let library = |comm: &SimpleCommunicator, root, value: &mut i32| {
            with_new_tags(comm, &key, root, value, send_with_them);
        };
        if send_with_them {
            both(world, library);
        } else {
            twice(world, library);
        }
        world.delete_attribute(&key);
    });
}

type Library<'a> = &'a dyn Fn(&SimpleCommunicator, i32, &mut i32);

/// What a root sends: taken for a number of leaves, it leaves the others without a message.
fn sent(root: i32) -> i32 {
    -1 - root
}

fn value(world: &SimpleCommunicator, root: i32, library: Library<'_>) -> i32 {
    let mut value = if world.rank() == root { sent(root) } else { 99 };
    library(world, root, &mut value);
    value
}

fn called(world: &SimpleCommunicator, library: impl Fn(&SimpleCommunicator, i32, &mut i32)) {
    assert_eq!(value(world, 0, &library), sent(0));
}

/// Two calls whose values are right.
fn both(world: &SimpleCommunicator, library: impl Fn(&SimpleCommunicator, i32, &mut i32)) {
    let last = world.size() - 1;
    assert_eq!(value(world, 0, &library), sent(0));
    assert_eq!(value(world, last, &library), sent(last));
}

/// Two calls, whatever comes of them.
fn twice(world: &SimpleCommunicator, library: impl Fn(&SimpleCommunicator, i32, &mut i32)) {
    for root in [0, world.size() - 1] {
        value(world, root, &library);
    }
}

/// Rank 2 has a message for rank 1, who takes it before the library is called.
fn received_before(
    world: &SimpleCommunicator,
    library: impl Fn(&SimpleCommunicator, i32, &mut i32),
) {
    let mine = match world.rank() {
        1 => Some(world.any_process().receive::<i32>().0),
        2 => {
            world.process_at_rank(1).send(&0);
            None
        }
        _ => None,
    };
    let got = value(world, 0, &library);
    if let Some(mine) = mine {
        declare(format!("{mine} and {got}"));
    }
}

/// The same, taken after the call.
fn received_after(
    world: &SimpleCommunicator,
    library: impl Fn(&SimpleCommunicator, i32, &mut i32),
) {
    if world.rank() == 2 {
        world.process_at_rank(1).send(&0);
    }
    let got = value(world, 0, &library);
    if world.rank() == 1 {
        let (mine, _) = world.any_process().receive::<i32>();
        declare(format!("{mine} and {got}"));
    }
}
