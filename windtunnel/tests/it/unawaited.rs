//! Collective calls in which no rank waits are made by all ranks, in the same order.

use super::advice::{Case, tell};

/// The functions of `c/unawaited.c`.
const CASES: [Case; 14] = [
    (
        "hint_of_one_rank",
        &["WT0005"],
        &["MPI_Comm_set_info is collective, and rank 1 takes no part"],
    ),
    ("hint_before_a_barrier", &["WT0005"], &["has MPI_Barrier", "has MPI_Comm_set_info"]),
    ("hint_of_a_window", &["WT0005"], &["has MPI_Win_set_info", "has MPI_Win_fence"]),
    ("hints_of_all", &[], &[]),
    ("made_by_one_rank", &["WT0005"], &["MPI_Bcast_init is collective, and rank 1 takes no part"]),
    ("made_before_a_barrier", &["WT0005"], &["has MPI_Barrier", "has MPI_Bcast_init"]),
    ("made_in_two_orders", &["WT0005"], &["has MPI_Barrier_init", "has MPI_Bcast_init"]),
    ("made_and_blocking", &["WT0005"], &["has MPI_Bcast_init", "has MPI_Bcast "]),
    ("started_in_two_orders", &[], &[]),
    (
        "places_changed_between_starts",
        &["WT0024"],
        &["changes an array that MPI_Allgatherv_init still owns", "MPI_Start"],
    ),
    ("places_changed_before_the_end", &["WT0024"], &["MPI_Request_free", "2.4.1"]),
    ("places_changed_behind_the_end", &[], &[]),
    ("types_freed_behind_the_initialization", &[], &[]),
    ("ended_before_a_hint", &["WT0027"], &["rank 1"]),
];

#[test]
fn all_ranks_make_collective_calls_that_wait_for_nobody() {
    tell("unawaited.c", &CASES);
}
