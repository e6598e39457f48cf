//! The exercises and programming assignments.

use mpi_api::api::{
    PROC_NULL, initialize, point_to_point::send_receive_into, topology::SimpleCommunicator,
    traits::*,
};

use super::super::{Case, Expect, Row, declare};
use crate::program::by_name;

pub(super) fn rows() -> Vec<Row> {
    let mut rows = exercises();
    rows.extend(assignments());
    rows
}

fn safe(ranks: &'static [u32], reason: &'static str, body: fn()) -> Vec<Case> {
    vec![Case::new(ranks, |_| Expect::safe(), reason, body)]
}

fn exercises() -> Vec<Row> {
    vec![
        Row::new(
            "P13.E1",
            "Pacheco, Parallel Programming with MPI, chapter 13, exercise 1",
            "ring allgather with synchronous sends, completed",
            safe(&[2, 3, 4], "odd ranks receive first", || {
                by_name("allgather-ring-synchronous");
            }),
        ),
        Row::new(
            "P13.E2",
            "Pacheco, Parallel Programming with MPI, chapter 13, exercise 2",
            "ring allgather with ready sends, completed",
            safe(&[2, 3, 4], "the barrier proves that every receive is posted", || {
                by_name("allgather-ring-ready");
            }),
        ),
        Row::new(
            "P13.E3",
            "Pacheco, Parallel Programming with MPI, chapter 13, exercise 3",
            "all receives first, then a loop of tests that hands blocks on",
            safe(&[1, 2, 3, 4], "every receive is posted before the first send", || {
                by_name("allgather-ring-test");
            }),
        ),
        Row::new(
            "P13.E4",
            "Pacheco, Parallel Programming with MPI, chapter 13, exercise 4",
            "all receives first, then wait for any",
            safe(&[1, 2, 3, 4], "every receive is posted before the first send", || {
                by_name("allgather-ring-waitany");
            }),
        ),
    ]
}

fn assignments() -> Vec<Row> {
    vec![
        Row::new(
            "P13.A1",
            "Pacheco, Parallel Programming with MPI, chapter 13, assignment 1",
            "hypercube allgather for any number of ranks",
            vec![
                Case::new(
                    &[1, 2, 3, 5, 6, 7, 8],
                    |_| Expect::safe(),
                    "ranks beyond the largest hypercube are served by one inside it",
                    || by_name("allgather-cube-any"),
                ),
                Case::new(
                    &[6],
                    |_| Expect::safe().reaching(&["4 misses [2, 3]; 5 misses [2, 3]"]),
                    "with null partners from the highest bit down, blocks do not reach everybody",
                    || with_null_partners(true),
                )
                .named("high-to-low"),
                Case::new(
                    &[6],
                    |_| Expect::safe().reaching(&["2 misses [4, 5]; 3 misses [4, 5]"]),
                    "nor from the lowest bit up, which the text suggests",
                    || with_null_partners(false),
                )
                .named("low-to-high"),
            ],
        ),
        Row::new(
            "P13.A2",
            "Pacheco, Parallel Programming with MPI, chapter 13, assignment 2",
            "all-to-all on a ring",
            safe(&[1, 2, 3, 5], "every pass sends and receives at once", || {
                by_name("alltoall-ring");
            }),
        ),
        Row::new(
            "P13.A3",
            "Pacheco, Parallel Programming with MPI, chapter 13, assignment 3",
            "all-to-all on a hypercube",
            safe(&[1, 2, 4, 8], "both operations of a stage are under way at once", || {
                by_name("alltoall-cube");
            }),
        ),
    ]
}

/// Exchanges all that is known with the partner of each bit, if there is such a rank.
fn with_null_partners(from_the_highest: bool) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let mut known = vec![false; world.size() as usize];
    known[world.rank() as usize] = true;
    let stages = (world.size() as usize).next_power_of_two().trailing_zeros();
    for stage in 0..stages {
        let bit = 1 << if from_the_highest { stages - 1 - stage } else { stage };
        exchange(&world, world.rank() ^ bit, &mut known);
    }
    let missing: Vec<usize> = (0..known.len()).filter(|block| !known[*block]).collect();
    if !missing.is_empty() {
        declare(format!("{} misses {missing:?}", world.rank()));
    }
}

fn exchange(world: &SimpleCommunicator, partner: i32, known: &mut [bool]) {
    let partner = if partner < world.size() { partner } else { PROC_NULL };
    let partner = world.process_at_rank(partner);
    let mut theirs = vec![false; known.len()];
    send_receive_into(known, &partner, &mut theirs[..], &partner);
    for (mine, theirs) in known.iter_mut().zip(theirs) {
        *mine |= theirs;
    }
}
