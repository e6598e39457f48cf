//! The Jacobi iteration in all its versions; each compares its result with the sequential one.

use mpi_api::{
    api::{initialize, traits::*},
    finding::Code,
};

use super::super::{Case, Expect, Row};
use scenarios::program::by_name;

/// Bytes of one halo column of the built-in programs.
const COLUMN: u64 = 32 * 8;

pub(super) fn rows() -> Vec<Row> {
    let mut rows = blocking();
    rows.extend(nonblocking());
    rows
}

fn blocking() -> Vec<Row> {
    vec![
        Row::safe(
            "B2.11",
            "MPI: The Complete Reference, example 2.11",
            "the sequential iteration",
            &[1],
            "one rank has no neighbours; its result is what all the others are held against",
            || by_name("jacobi-sendrecv"),
        ),
        Row::new(
            "B2.12",
            "MPI: The Complete Reference, example 2.12",
            "every rank sends to a neighbour and then receives from it",
            vec![Case::new(
                &[1, 2, 3, 4, 5],
                |p| match u64::from(p / 2) {
                    0 => Expect::safe(),
                    pairs => Expect::buffering(pairs * COLUMN, p / 2),
                },
                "ranks that hold a column must cover the chain: every second one, from rank 1 on",
                || by_name("jacobi-naive"),
            )],
        ),
        Row::safe(
            "B2.13",
            "MPI: The Complete Reference, example 2.13",
            "odd ranks send first, even ranks receive first",
            &[1, 2, 3, 5],
            "every send meets a receive, though the first exchanges are a chain",
            || by_name("jacobi-evenodd"),
        ),
        Row::safe(
            "B2.14",
            "MPI: The Complete Reference, example 2.14",
            "send and receive at once",
            &[1, 2, 3, 5],
            "a sendrecv is ready for its partner whichever comes first",
            || by_name("jacobi-sendrecv"),
        ),
        Row::safe(
            "B2.15",
            "MPI: The Complete Reference, example 2.15",
            "send and receive at once, null processes at the edges",
            &[1, 2, 3, 5],
            "a null process is always ready, and the outer halos stay as they are",
            || by_name("jacobi-procnull"),
        ),
    ]
}

fn nonblocking() -> Vec<Row> {
    const READING: &str = "all four operations are under way before any is waited for; reading a \
                           buffer that is being sent, which the first edition forbids, is allowed \
                           since MPI 3.0";
    vec![
        Row::safe(
            "B2.16",
            "MPI: The Complete Reference, example 2.16",
            "nonblocking sends and receives",
            &[1, 2, 3, 5],
            READING,
            || by_name("jacobi-nonblocking"),
        ),
        Row::safe(
            "B2.26",
            "MPI: The Complete Reference, example 2.26",
            "the same with one wait for all",
            &[1, 2, 3, 5],
            READING,
            || by_name("jacobi-waitall"),
        ),
        Row::new(
            "B2.31",
            "MPI: The Complete Reference, example 2.31",
            "the same with persistent requests",
            vec![
                Case::safe(&[1, 2, 3, 5], READING, || by_name("jacobi-persistent")),
                Case::new(
                    &[2],
                    |_| Expect::wrong(Code::ResourceLeak),
                    "a persistent request that is inactive still exists until it is freed",
                    never_freed,
                )
                .named("as-printed"),
            ],
        ),
    ]
}

/// One exchange of two neighbours; nothing else matters here.
fn never_freed() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = world.process_at_rank(1 - world.rank());
    let mut halo = [world.rank() as f64; 4];
    let mut send = other.send_init(&halo[..], 0);
    let mut receive = other.receive_init(&halo[..], 0);
    receive.start();
    send.start_with(&halo[..]);
    send.wait_active();
    receive.wait_into(&mut halo[..]);
    assert_eq!(halo, [(1 - world.rank()) as f64; 4]);
}
