//! The order of blocking sends and receives: programs that are safe, that depend on buffering, and
//! that deadlock.

use mpi_api::api::{initialize, topology::SimpleCommunicator, traits::*};

use super::super::{Case, Expect, Row};

const COUNT: usize = 10;

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new(
            "B2.self",
            "MPI: The Complete Reference, section 2.2.9",
            "a rank sends to itself and then receives",
            vec![Case::new(
                &[1, 2],
                |ranks| Expect::buffering(u64::from(40 * ranks), ranks),
                "nobody but the blocked sender could post the receive: the whole message is held",
                to_myself,
            )],
        ),
        Row::safe(
            "B2.7",
            "MPI: The Complete Reference, example 2.7",
            "one rank sends first, the other receives first",
            &[2],
            "every send meets a posted receive",
            || exchange(|rank| rank == 0),
        ),
        Row::new(
            "B2.8",
            "MPI: The Complete Reference, example 2.8",
            "both ranks receive first",
            vec![Case::new(
                &[2],
                |_| Expect::deadlock(),
                "each waits for a message that the other has not sent, whatever the buffering",
                || exchange(|_| false),
            )],
        ),
        Row::new(
            "B2.9",
            "MPI: The Complete Reference, example 2.9",
            "both ranks send first",
            vec![Case::new(
                &[2],
                |_| Expect::buffering(40, 1),
                "one of the two messages must leave its sender before a receive is posted",
                || exchange(|_| true),
            )],
        ),
    ]
}

fn to_myself() {
    let universe = initialize().expect("once");
    let world = universe.world();
    send(&world, world.rank());
    receive(&world, world.rank());
}

fn exchange(sends_first: fn(i32) -> bool) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = 1 - world.rank();
    if sends_first(world.rank()) {
        send(&world, other);
        receive(&world, other);
    } else {
        receive(&world, other);
        send(&world, other);
    }
}

fn send(world: &SimpleCommunicator, to: i32) {
    world.process_at_rank(to).send(&[world.rank() as f32; COUNT][..]);
}

fn receive(world: &SimpleCommunicator, from: i32) {
    let mut room = [-1.0f32; COUNT];
    world.process_at_rank(from).receive_into(&mut room[..]);
    assert_eq!(room, [from as f32; COUNT]);
}
