//! Blocking sends and receives: what is safe, what leans on buffering, what deadlocks.

use mpi_api::api::{initialize, traits::*};

use super::super::{Case, Expect, Row, declare};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new(
            "B2.1",
            "MPI: The Complete Reference, example 2.1",
            "a string of 12 characters into room for 20",
            vec![Case::new(
                &[2, 3],
                |_| Expect::safe(),
                "the receive is posted for at least what is sent; what lies behind is not touched",
                hello,
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
                both_send_first,
            )],
        ),
        Row::new(
            "B2.10",
            "MPI: The Complete Reference, example 2.10",
            "a message and its relayed shadow, received from any source",
            vec![Case::new(
                &[3],
                |_| Expect::safe().reaching(&["0, 1", "1, 0"]),
                "messages of different senders may come in either order, once the first is buffered",
                relay,
            )],
        ),
    ]
}

fn hello() {
    let universe = initialize().expect("once");
    let world = universe.world();
    match world.rank() {
        0 => world.process_at_rank(1).send_with_tag(b"Hello there\0".as_slice(), 99),
        1 => {
            let mut room = [b'.'; 20];
            let status = world.process_at_rank(0).receive_into_with_tag(&mut room[..], 99);
            assert_eq!(status.count(u8::equivalent_datatype()), 12);
            assert_eq!((status.source_rank(), status.tag()), (0, 99));
            assert_eq!(&room, b"Hello there\0........");
        }
        _ => {}
    }
}

fn both_send_first() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let partner = world.process_at_rank(1 - world.rank());
    partner.send(&[world.rank() as f32; 10][..]);
    let mut room = [0.0_f32; 10];
    partner.receive_into(&mut room[..]);
    assert_eq!(room, [(1 - world.rank()) as f32; 10]);
}

fn relay() {
    let universe = initialize().expect("once");
    let world = universe.world();
    match world.rank() {
        0 => {
            world.process_at_rank(2).send(&0);
            world.process_at_rank(1).send(&0);
        }
        1 => {
            let (value, _) = world.process_at_rank(0).receive::<i32>();
            world.process_at_rank(2).send(&(value + 1));
        }
        _ => {
            let (first, _) = world.any_process().receive::<i32>();
            let (second, _) = world.any_process().receive::<i32>();
            declare(format!("{first}, {second}"));
        }
    }
}
