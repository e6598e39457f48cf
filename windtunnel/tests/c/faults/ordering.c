/* Calls in the wrong order or not by everyone, and their right twins. */
#include "faults.h"

CASE(crossed_collectives, 3, call-ordering) {
    if (rank == 0) {
        MPI_Barrier(WORLD);
        MPI_Bcast(a, 1, MPI_INT, 0, WORLD);
    } else {
        MPI_Bcast(a, 1, MPI_INT, 0, WORLD);
        MPI_Barrier(WORLD);
    }
}

CASE(gather_against_gatherv, 3, call-ordering) {
    if (rank == 0)
        MPI_Gatherv(a, 1, MPI_INT, b, counts, places, MPI_INT, 0, WORLD);
    else
        MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, WORLD);
}

CASE(reduce_scatter_against_its_block_form, 3, call-ordering) {
    if (rank == 0)
        MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, WORLD);
    else
        MPI_Reduce_scatter_block(a, b, 1, MPI_INT, MPI_SUM, WORLD);
}

CASE(duplicate_against_barrier, 3, call-ordering) {
    if (rank == 0) {
        MPI_Comm_dup(WORLD, &comm);
        MPI_Barrier(WORLD);
    } else {
        MPI_Barrier(WORLD);
        MPI_Comm_dup(WORLD, &comm);
    }
    MPI_Comm_free(&comm);
}

CASE(root_stays_away, 3, call-ordering) {
    if (rank)
        MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, 0, WORLD);
}

CASE(nonblocking_skipped, 3, call-ordering) {
    if (rank != 1) {
        MPI_Ibcast(a, 1, MPI_INT, 0, WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

CASE(one_round_less, 3, call-ordering) {
    for (int i = 0; i < (rank == 1 ? 9 : 10); i++)
        MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, WORLD);
}

CASE(skipped_on_a_duplicate, 3, call-ordering) {
    MPI_Comm_dup(WORLD, &comm);
    if (rank != 1)
        MPI_Barrier(comm);
    MPI_Comm_free(&comm);
}

CASE(blocking_against_nonblocking, 3, call-ordering) {
    if (rank == 0)
        MPI_Bcast(a, 1, MPI_INT, 0, WORLD);
    else {
        MPI_Ibcast(a, 1, MPI_INT, 0, WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

CASE(blocking_against_persistent, 3, call-ordering) {
    if (rank == 0)
        MPI_Bcast(a, 1, MPI_INT, 0, WORLD);
    else {
        MPI_Bcast_init(a, 1, MPI_INT, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
}

CASE(nonblocking_against_persistent, 3, call-ordering) {
    if (rank == 0) {
        MPI_Ibcast(a, 1, MPI_INT, 0, WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Bcast_init(a, 1, MPI_INT, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
}

CASE(two_nonblocking_crossed, 3, call-ordering) {
    if (rank == 0) {
        MPI_Ibarrier(WORLD, &requests[0]);
        MPI_Ibcast(a, 1, MPI_INT, 0, WORLD, &requests[1]);
    } else {
        MPI_Ibcast(a, 1, MPI_INT, 0, WORLD, &requests[0]);
        MPI_Ibarrier(WORLD, &requests[1]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

CASE(waits_in_any_order, 3, ok) {
    MPI_Ibarrier(WORLD, &requests[0]);
    MPI_Ibcast(a, 1, MPI_INT, 0, WORLD, &requests[1]);
    MPI_Wait(&requests[rank == 0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[rank != 0], MPI_STATUS_IGNORE);
}

CASE(crossed_communicators, 3, parameter-matching) {
    MPI_Comm_dup(WORLD, &comm);
    if (rank == 0) {
        MPI_Barrier(WORLD);
        MPI_Barrier(comm);
    } else {
        MPI_Barrier(comm);
        MPI_Barrier(WORLD);
    }
    MPI_Comm_free(&comm);
}

CASE(crossed_but_nonblocking, 3, ok) {
    MPI_Comm_dup(WORLD, &comm);
    MPI_Ibarrier(rank ? WORLD : comm, &requests[0]);
    MPI_Ibarrier(rank ? comm : WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&comm);
}

CASE(persistent_started_in_any_order, 3, ok) {
    MPI_Barrier_init(WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Bcast_init(a, 1, MPI_INT, 0, WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Start(&requests[rank == 0]);
    MPI_Start(&requests[rank != 0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

CASE(persistent_round_after_round, 3, ok) {
    MPI_Barrier_init(WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Bcast_init(a, 1, MPI_INT, 0, WORLD, MPI_INFO_NULL, &requests[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

CASE(message_left_over, 2, call-ordering) {
    static char bf[2000];
    void*p;
    int s;
    if (rank == 0) {
        MPI_Buffer_attach(bf, 2000);
        MPI_Bsend(a, 1, MPI_INT, 1, 0, WORLD);
    }
    MPI_Barrier(WORLD);
}

CASE(kinds_between_groups, 4, call-ordering) {
    MPI_Comm_split(WORLD, rank < 2, rank, &comm);
    MPI_Intercomm_create(comm, 0, WORLD, rank < 2 ? 2 : 0, 7, &inter);
    if (rank < 2)
        MPI_Barrier(inter);
    else
        MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, inter);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&inter);
}

CASE(neighbour_stays_away, 3, call-ordering) {
    int dims = size, per = 1;
    MPI_Cart_create(WORLD, 1, &dims, &per, 0, &comm);
    if (rank != 1)
        MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, comm);
    MPI_Comm_free(&comm);
}
