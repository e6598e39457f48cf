//! Send modes: what a synchronous send proves, and the buffer of buffered sends.

use mpi_api::{
    api::{BSEND_OVERHEAD, initialize, request::scope, traits::*},
    finding::Code,
};

use super::super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new(
            "B2.33",
            "MPI: The Complete Reference, example 2.33",
            "a synchronous send, then a ready send",
            vec![
                Case::safe(
                    &[2],
                    "the synchronous send ends after its receive, posted after the other, started",
                    || ready_after(true),
                ),
                Case::new(
                    &[2],
                    |_| Expect::wrong(Code::ReadyWithoutReceive),
                    "a standard send may end before any receive is posted: it proves nothing",
                    || ready_after(false),
                )
                .named("standard"),
            ],
        ),
        Row::new(
            "B2.34",
            "MPI: The Complete Reference, example 2.34",
            "a buffer attached, detached and attached again",
            vec![
                Case::safe(&[1, 2], "detaching gives the size back", attach),
                Case::new(
                    &[2],
                    |_| Expect::wrong(Code::BufferOverflow),
                    "between detaching and attaching there is no buffer",
                    send_between,
                )
                .named("between"),
            ],
        ),
        Row::new(
            "B2.model",
            "MPI: The Complete Reference, section 2.13.5",
            "the model of the attached buffer",
            vec![
                Case::safe(
                    &[2],
                    "each message takes its packed size and the overhead",
                    exactly_enough,
                ),
                Case::new(
                    &[2],
                    |_| Expect::wrong(Code::BufferOverflow),
                    "space is taken from the ring in order: what is free behind a message that is \
                     still there does not help",
                    free_behind_the_head,
                )
                .named("behind-the-head"),
            ],
        ),
    ]
}

fn ready_after(synchronous: bool) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = world.process_at_rank(1 - world.rank());
    if world.rank() == 0 {
        if synchronous {
            other.synchronous_send_with_tag(&2, 2);
        } else {
            other.send_with_tag(&2, 2);
        }
        other.ready_send_with_tag(&1, 1);
        return;
    }
    let (mut one, mut two) = (0, 0);
    scope(|scope| {
        let first = other.immediate_receive_into_with_tag(scope, &mut one, 1);
        let second = other.immediate_receive_into_with_tag(scope, &mut two, 2);
        first.wait();
        second.wait();
    });
    assert_eq!((one, two), (1, 2));
}

fn attach() {
    let universe = initialize().expect("once");
    for _ in 0..2 {
        universe.attach_buffer(10_000);
        assert_eq!(universe.detach_buffer(), 10_000);
    }
}

fn send_between() {
    let universe = initialize().expect("once");
    let world = universe.world();
    universe.attach_buffer(10_000);
    universe.detach_buffer();
    if world.rank() == 0 {
        world.process_at_rank(1).buffered_send(&1);
    } else {
        let (_, _) = world.process_at_rank(0).receive::<i32>();
    }
}

const OVERHEAD: usize = BSEND_OVERHEAD as usize;

fn exactly_enough() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 1 {
        world.barrier();
        for _ in 0..3 {
            assert_eq!(world.process_at_rank(0).receive::<f64>().0, 1.5);
        }
        return;
    }
    let one = world.pack_size(1, &f64::equivalent_datatype()) as usize + OVERHEAD;
    universe.attach_buffer(3 * one);
    for _ in 0..3 {
        world.process_at_rank(1).buffered_send(&1.5);
    }
    world.barrier();
    universe.detach_buffer();
}

/// Two messages fill the buffer; the second is received, the first is not. A third would fit into
/// the free space of a buffer that was not a ring.
fn free_behind_the_head() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = world.process_at_rank(1 - world.rank());
    let size = |count: usize| 8 * count + OVERHEAD;
    if world.rank() == 0 {
        universe.attach_buffer(2 * size(10));
        other.buffered_send_with_tag(&[0.0; 10][..], 0);
        other.buffered_send_with_tag(&[1.0; 10][..], 1);
        world.barrier();
        other.buffered_send_with_tag(&[2.0; 10][..], 2);
        world.barrier();
        universe.detach_buffer();
        return;
    }
    let (_, _) = other.receive_vec_with_tag::<f64>(1);
    world.barrier();
    world.barrier();
    let (_, _) = other.receive_vec_with_tag::<f64>(0);
    let (_, _) = other.receive_vec_with_tag::<f64>(2);
}
