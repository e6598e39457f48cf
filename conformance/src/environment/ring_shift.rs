//! A shift around a ring, with every kind of send and receive.

use mpi_api::{
    api::{
        BSEND_OVERHEAD, initialize,
        point_to_point::send_receive_into,
        request::scope,
        topology::{Process, SimpleCommunicator},
        traits::*,
    },
    finding::Code,
};

use super::super::{Case, Expect, Row};

const COUNT: usize = 6;
type Data = [i32; COUNT];
const BYTES: u64 = 4 * COUNT as u64;

pub(super) fn rows() -> Vec<Row> {
    let mut rows = blocking();
    rows.extend(others());
    rows
}

fn blocking() -> Vec<Row> {
    vec![
        Row::new(
            "B9.1",
            "MPI: The Complete Reference, example 9.1",
            "every rank sends to the next and then receives",
            vec![Case::new(
                &[1, 2, 3, 5],
                |_| Expect::buffering(BYTES, 1),
                "one message held anywhere breaks the cycle",
                || {
                    shift(|_, next, before, mine, got| {
                        next.send(&mine[..]);
                        before.receive_into(&mut got[..]);
                    });
                },
            )],
        ),
        Row::new(
            "B9.1a",
            "MPI: The Complete Reference, section 9.2.1",
            "odd ranks receive first",
            vec![
                Case::safe(
                    &[2, 3, 4, 5],
                    "with an odd number of ranks a chain of sends ends at one that receives",
                    odd_first,
                ),
                Case::new(
                    &[1],
                    |_| Expect::buffering(BYTES, 1),
                    "a single rank sends to itself first",
                    odd_first,
                )
                .named("alone"),
            ],
        ),
        Row::new(
            "B9.1b",
            "MPI: The Complete Reference, section 9.2.1",
            "buffered sends with room for one message",
            vec![
                Case::safe(
                    &[1, 2, 3],
                    "the attached buffer holds what the receive will take",
                    || buffered(1),
                ),
                Case::new(
                    &[3],
                    |_| Expect::wrong(Code::BufferOverflow),
                    "the second shift may begin before the first message has left the buffer",
                    || buffered(2),
                )
                .named("twice"),
            ],
        ),
    ]
}

fn others() -> Vec<Row> {
    vec![
        Row::safe(
            "B9.1c",
            "MPI: The Complete Reference, section 9.2.1",
            "a nonblocking send, then the receive",
            &[1, 2, 3, 4],
            "the receive is reached whatever becomes of the send",
            || {
                shift(|_, next, before, mine, got| {
                    scope(|scope| {
                        let send = next.immediate_send(scope, &mine[..]);
                        before.receive_into(&mut got[..]);
                        send.wait();
                    });
                });
            },
        ),
        Row::safe(
            "B9.1d",
            "MPI: The Complete Reference, section 9.2.1",
            "a nonblocking receive, then the send",
            &[1, 2, 3, 4],
            "every send finds its receive posted",
            || {
                shift(|_, next, before, mine, got| {
                    scope(|scope| {
                        let receive = before.immediate_receive_into(scope, &mut got[..]);
                        next.send(&mine[..]);
                        receive.wait();
                    });
                });
            },
        ),
        Row::safe(
            "B9.1e",
            "MPI: The Complete Reference, section 9.2.1",
            "send and receive at once",
            &[1, 2, 3, 4],
            "a sendrecv is ready for both neighbours",
            || {
                shift(|_, next, before, mine, got| {
                    send_receive_into(&mine[..], next, &mut got[..], before);
                });
            },
        ),
        Row::new(
            "B9.2",
            "MPI: The Complete Reference, section 9.2.2",
            "a posted receive, a broadcast, a ready send",
            vec![
                Case::new(
                    &[2, 3],
                    |_| Expect::wrong(Code::ReadyWithoutReceive),
                    "a broadcast need not wait for all: the receive may not be posted yet",
                    || ready_after(false),
                ),
                Case::safe(&[2, 3], "a barrier proves that every receive is posted", || {
                    ready_after(true)
                })
                .named("barrier"),
            ],
        ),
    ]
}

/// One shift, whose result is checked.
fn shift(exchange: impl FnOnce(&SimpleCommunicator, &Process<'_>, &Process<'_>, &Data, &mut Data)) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let next = world.process_at_rank((rank + 1) % size);
    let before = world.process_at_rank((rank + size - 1) % size);
    let mut got = [-1; COUNT];
    exchange(&world, &next, &before, &[rank; COUNT], &mut got);
    assert_eq!(got, [before.rank(); COUNT]);
}

fn odd_first() {
    shift(|world, next, before, mine, got| {
        if world.rank() % 2 == 0 {
            next.send(&mine[..]);
            before.receive_into(&mut got[..]);
        } else {
            before.receive_into(&mut got[..]);
            next.send(&mine[..]);
        }
    });
}

fn buffered(shifts: usize) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let data = [rank; COUNT];
    let one = world.pack_size(COUNT as i32, &i32::equivalent_datatype()) as usize;
    universe.attach_buffer(one + BSEND_OVERHEAD as usize);
    for _ in 0..shifts {
        let mut got = [-1; COUNT];
        world.process_at_rank((rank + 1) % size).buffered_send(&data[..]);
        world.process_at_rank((rank + size - 1) % size).receive_into(&mut got[..]);
    }
    universe.detach_buffer();
}

fn ready_after(barrier: bool) {
    shift(|world, next, before, mine, got| {
        scope(|scope| {
            let receive = before.immediate_receive_into(scope, &mut got[..]);
            if barrier {
                world.barrier();
            } else {
                let mut value = 1;
                world.process_at_rank(0).broadcast_into(&mut value);
            }
            next.ready_send(&mine[..]);
            receive.wait();
        });
    });
}
