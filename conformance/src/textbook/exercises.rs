//! The exercises and programming assignments.

use mpi_api::api::{
    PROC_NULL, collective::SystemOperation, initialize, point_to_point::send_receive_into,
    request::scope, topology::SimpleCommunicator, traits::*,
};

use super::super::{Case, Expect, Row, declare};
use scenarios::program::by_name;

pub(super) fn rows() -> Vec<Row> {
    let mut rows = exercises();
    rows.extend(assignments());
    rows
}

fn exercises() -> Vec<Row> {
    vec![
        Row::safe(
            "P13.E1",
            "Pacheco, Parallel Programming with MPI, chapter 13, exercise 1",
            "ring allgather with synchronous sends, completed",
            &[2, 3, 4],
            "odd ranks receive first",
            || {
                by_name("allgather-ring-synchronous");
            },
        ),
        Row::safe(
            "P13.E2",
            "Pacheco, Parallel Programming with MPI, chapter 13, exercise 2",
            "ring allgather with ready sends, completed",
            &[2, 3, 4],
            "the barrier proves that every receive is posted",
            || {
                by_name("allgather-ring-ready");
            },
        ),
        Row::new(
            "P13.E3",
            "Pacheco, Parallel Programming with MPI, chapter 13, exercise 3",
            "all receives first, then a loop of tests that hands blocks on",
            vec![
                Case::safe(&[1, 2, 3, 4], "every receive is posted before the first send", || {
                    by_name("allgather-ring-test")
                }),
                Case::safe(
                    &[2],
                    "blocks of one tag come in the order sent: what is handed on out of turn lands \
                     in another's place",
                    out_of_turn,
                )
                .named("one-tag"),
            ],
        ),
        Row::safe(
            "P13.E4",
            "Pacheco, Parallel Programming with MPI, chapter 13, exercise 4",
            "all receives first, then wait for any",
            &[1, 2, 3, 4],
            "every receive is posted before the first send",
            || {
                by_name("allgather-ring-waitany");
            },
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
                Case::safe(
                    &[1, 2, 3, 5, 6, 7, 8],
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
                Case::new(
                    &[3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15],
                    |_| Expect::safe().reaching(&["incomplete"]),
                    "neither order is right for any number that is no power of two",
                    never_enough,
                )
                .named("every-number"),
                Case::new(
                    &[2, 4, 8, 16],
                    |_| Expect::safe().reaching(&["complete"]),
                    "either order is right for a power of two",
                    never_enough,
                )
                .named("powers-of-two"),
            ],
        ),
        Row::safe(
            "P13.A2",
            "Pacheco, Parallel Programming with MPI, chapter 13, assignment 2",
            "all-to-all on a ring",
            &[1, 2, 3, 5],
            "every pass sends and receives at once",
            || {
                by_name("alltoall-ring");
            },
        ),
        Row::safe(
            "P13.A3",
            "Pacheco, Parallel Programming with MPI, chapter 13, assignment 3",
            "all-to-all on a hypercube",
            &[1, 2, 4, 8],
            "both operations of a stage are under way at once",
            || {
                by_name("alltoall-cube");
            },
        ),
    ]
}

fn with_null_partners(from_the_highest: bool) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let missing = missing(&world, from_the_highest);
    if !missing.is_empty() {
        declare(format!("{} misses {missing:?}", world.rank()));
    }
}

/// Rank 0 says whether anybody misses anything, which has to be so in both orders or in none.
fn never_enough() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let mine = [true, false].map(|order| missing(&world, order).len() as i32);
    let mut all = [0; 2];
    world.all_reduce_into(&mine[..], &mut all[..], SystemOperation::sum());
    assert_eq!(all[0] == 0, all[1] == 0);
    if world.rank() == 0 {
        declare(if all[0] == 0 { "complete" } else { "incomplete" });
    }
}

/// Exchanges all that is known with the partner of each bit, if there is such a rank: the blocks
/// that do not come.
fn missing(world: &SimpleCommunicator, from_the_highest: bool) -> Vec<usize> {
    let mut known = vec![false; world.size() as usize];
    known[world.rank() as usize] = true;
    let stages = (world.size() as usize).next_power_of_two().trailing_zeros();
    for stage in 0..stages {
        let bit = 1 << if from_the_highest { stages - 1 - stage } else { stage };
        exchange(world, world.rank() ^ bit, &mut known);
    }
    (0..known.len()).filter(|block| !known[*block]).collect()
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

/// Rank 0 hands on the second block before the first, as a loop of tests may do.
fn out_of_turn() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        for block in [1, 0] {
            world.process_at_rank(1).send(&block);
        }
    } else {
        let mut places = [-1; 2];
        let [first, second] = &mut places;
        scope(|scope| {
            let from = world.process_at_rank(0);
            let first = from.immediate_receive_into(scope, first);
            let second = from.immediate_receive_into(scope, second);
            first.wait();
            second.wait();
        });
        assert_eq!(places, [1, 0], "misplaced: each block is where the other belongs");
    }
}
