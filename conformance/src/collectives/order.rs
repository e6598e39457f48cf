//! The order of collectives: wrong orders, and sends across a collective that are right.

use mpi_api::{
    api::{
        initialize,
        topology::{Color, SimpleCommunicator},
        traits::*,
    },
    finding::Code,
};

use super::super::{Case, Expect, Row, declare};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new(
            "B4.24",
            "MPI: The Complete Reference, example 4.24",
            "two broadcasts in opposite orders",
            vec![Case::new(
                &[2],
                |_| Expect::wrong(Code::RootMismatch),
                "calls match in the order they are made, so their roots differ",
                opposite_orders,
            )],
        ),
        Row::new(
            "B4.25",
            "MPI: The Complete Reference, example 4.25",
            "broadcasts in a cycle over three communicators",
            vec![Case::new(
                &[3],
                |_| Expect::deadlock(),
                "each waits for the next where a broadcast waits for its receivers",
                cycle,
            )],
        ),
        Row::new(
            "B4.26",
            "MPI: The Complete Reference, example 4.26",
            "a broadcast before a send, a receive before the broadcast",
            vec![Case::new(
                &[2],
                |_| Expect::deadlock(),
                "the root sends only after the broadcast, which may wait for the receiver",
                broadcast_and_send,
            )],
        ),
        Row::new(
            "B4.27",
            "MPI: The Complete Reference, example 4.27",
            "two sends around a broadcast, received from any source",
            vec![Case::new(
                &[3],
                |_| Expect::safe().reaching(&["0, 2", "2, 0"]),
                "a broadcast that does not wait lets either message come first",
                sends_around,
            )],
        ),
    ]
}

fn broadcast(comm: &SimpleCommunicator, root: i32) {
    let mut value = if comm.rank() == root { root } else { -1 };
    comm.process_at_rank(root).broadcast_into(&mut value);
    assert_eq!(value, root);
}

fn opposite_orders() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let first = world.rank();
    broadcast(&world, first);
    broadcast(&world, 1 - first);
}

/// Communicators of ranks 0 and 1, 1 and 2, 2 and 0; in each the first one is the root.
fn cycle() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let rank = world.rank();
    let pairs: Vec<Option<SimpleCommunicator>> = (0..3)
        .map(|first| {
            let inside = rank == first || rank == (first + 1) % 3;
            let color = if inside { Color::with_value(0) } else { Color::undefined() };
            world.split_by_color_with_key(color, (rank + 3 - first) % 3)
        })
        .collect();
    let pair = |first: i32| pairs[first as usize].as_ref().expect("a member");
    broadcast(pair(rank), 0);
    broadcast(pair((rank + 2) % 3), 0);
}

fn broadcast_and_send() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        broadcast(&world, 0);
        world.process_at_rank(1).send(&1);
    } else {
        let (_, _) = world.process_at_rank(0).receive::<i32>();
        broadcast(&world, 0);
    }
}

fn sends_around() {
    let universe = initialize().expect("once");
    let world = universe.world();
    match world.rank() {
        0 => {
            broadcast(&world, 0);
            world.process_at_rank(1).send(&0);
        }
        1 => {
            let (first, _) = world.any_process().receive::<i32>();
            broadcast(&world, 0);
            let (second, _) = world.any_process().receive::<i32>();
            declare(format!("{first}, {second}"));
        }
        _ => {
            world.process_at_rank(1).send(&2);
            broadcast(&world, 0);
        }
    }
}
