//! The ring allgather in all send modes.

use mpi_api::{
    api::{BSEND_OVERHEAD, initialize, request::scope, topology::SimpleCommunicator, traits::*},
    finding::Code,
};

use super::super::{Case, Expect, Row};
use scenarios::program::by_name;

pub(super) fn rows() -> Vec<Row> {
    let mut rows = blocking();
    rows.extend(other_modes());
    rows
}

fn blocking() -> Vec<Row> {
    vec![
        Row::safe(
            "P13.0",
            "Pacheco, Parallel Programming with MPI, section 13.1",
            "gather up a tree, broadcast down the tree",
            &[1, 2, 5, 8],
            "a parent receives from its children before it sends anything",
            || by_name("allgather-tree"),
        ),
        Row::new(
            "P13.1",
            "Pacheco, Parallel Programming with MPI, section 13.1.2",
            "ring allgather, every rank sends and then receives",
            vec![Case::new(
                &[2, 3, 5],
                |_| Expect::buffering(4, 1),
                "one block held for one rank breaks the cycle in every pass",
                || by_name("allgather-ring"),
            )],
        ),
        Row::safe(
            "P13.7",
            "Pacheco, Parallel Programming with MPI, section 13.5.1",
            "ring allgather without blocking",
            &[1, 2, 5],
            "both operations of a pass are under way before either is waited for",
            || by_name("allgather-ring-nonblocking"),
        ),
        Row::safe(
            "P13.9",
            "Pacheco, Parallel Programming with MPI, section 13.6",
            "ring allgather with persistent requests and packed blocks",
            &[2, 3, 4],
            "both requests are started before either is waited for; packing adds no header here",
            persistent_packed,
        ),
    ]
}

fn other_modes() -> Vec<Row> {
    vec![
        Row::new(
            "P13.10",
            "Pacheco, Parallel Programming with MPI, section 13.7.1",
            "ring allgather, every rank sends synchronously first",
            vec![Case::new(
                &[2, 3, 5],
                |_| Expect::deadlock(),
                "a synchronous send waits for its receive whatever the buffering",
                all_synchronous,
            )],
        ),
        Row::safe(
            "P13.11",
            "Pacheco, Parallel Programming with MPI, section 13.7.1",
            "ring allgather, even ranks send synchronously first, odd ones receive first",
            &[2, 3, 4, 5],
            "some neighbour of every sender is receiving, with an odd number of ranks too",
            || by_name("allgather-ring-synchronous"),
        ),
        Row::new(
            "P13.12",
            "Pacheco, Parallel Programming with MPI, section 13.7.2",
            "ring allgather with ready sends",
            vec![
                Case::safe(&[2, 3, 5], "the barrier proves that every receive is posted", || {
                    by_name("allgather-ring-ready")
                }),
                Case::new(
                    &[2, 3],
                    |_| Expect::wrong(Code::ReadyWithoutReceive),
                    "without the barrier a ready send can come before its receive",
                    ready_without_barrier,
                )
                .named("no-barrier"),
            ],
        ),
        Row::new(
            "P13.13",
            "Pacheco, Parallel Programming with MPI, section 13.7.3",
            "ring allgather with buffered sends",
            vec![
                Case::safe(&[2, 3, 5], "room for all p - 1 messages of a rank", || {
                    by_name("allgather-ring-buffered")
                }),
                Case::new(
                    &[3, 4],
                    |_| Expect::wrong(Code::BufferOverflow),
                    "a rank can be p - 1 sends ahead of a successor that is late",
                    buffer_for_one_less,
                )
                .named("one-less"),
            ],
        ),
    ]
}

/// A rank's two neighbours and the passes that are to be made.
fn neighbours(world: &SimpleCommunicator) -> (i32, i32, i32) {
    let (rank, size) = (world.rank(), world.size());
    ((rank + 1) % size, (rank + size - 1) % size, size - 1)
}

/// The block a rank holds after a pass.
fn block_of(world: &SimpleCommunicator, pass: i32) -> [f32; 2] {
    [((world.rank() + 2 * world.size() - pass) % world.size()) as f32; 2]
}

#[allow(unsafe_code, reason = "rsmpi's unpack_into trusts the bytes to be of the right types")]
fn persistent_packed() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (to, from, passes) = neighbours(&world);
    let mut packed = world.pack(&block_of(&world, 0)[..]);
    assert_eq!(packed.len(), 8, "packed data have no header");
    let mut send = world.process_at_rank(to).send_init(&packed[..], 0);
    let mut receive = world.process_at_rank(from).receive_init(&packed[..], 0);
    for pass in 0..passes {
        send.start_with(&packed[..]);
        receive.start();
        send.wait_active();
        receive.wait_into(&mut packed[..]);
        let mut block = [0.0f32; 2];
        // SAFETY: the bytes are two floats that the predecessor packed.
        unsafe { world.unpack_into(&packed, &mut block[..], 0) };
        assert_eq!(block, block_of(&world, pass + 1));
    }
    send.free();
    receive.free();
}

fn all_synchronous() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (to, from, passes) = neighbours(&world);
    let mut block = block_of(&world, 0);
    for _ in 0..passes {
        world.process_at_rank(to).synchronous_send(&block[..]);
        world.process_at_rank(from).receive_into(&mut block[..]);
    }
}

fn ready_without_barrier() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (to, from, _) = neighbours(&world);
    let mut room = [0.0f32; 2];
    scope(|scope| {
        let receive = world.process_at_rank(from).immediate_receive_into(scope, &mut room[..]);
        world.process_at_rank(to).ready_send(&block_of(&world, 0)[..]);
        receive.wait();
    });
}

fn buffer_for_one_less() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (to, from, passes) = neighbours(&world);
    let message = 8 + BSEND_OVERHEAD as usize;
    universe.attach_buffer((passes as usize - 1) * message);
    let mut block = block_of(&world, 0);
    for _ in 0..passes {
        world.process_at_rank(to).buffered_send(&block[..]);
        world.process_at_rank(from).receive_into(&mut block[..]);
    }
    universe.detach_buffer();
}
