/* Arguments that do not fit those of other ranks, and their right twins. */
#include "faults.h"

CASE(two_roots, 3, parameter-matching) {
    MPI_Gatherv(a, 1, MPI_INT, b, counts, places, MPI_INT, rank == 1, WORLD);
}

CASE(two_roots_nonblocking, 3, parameter-matching) {
    MPI_Ireduce(a, b, 1, MPI_INT, MPI_SUM, rank == 1, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(two_roots_persistent, 3, parameter-matching) {
    MPI_Bcast_init(a, 1, MPI_INT, rank == 1, WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(in_place_on_some_ranks, 3, parameter-matching) {
    MPI_Allreduce(rank ? (void *)b : MPI_IN_PLACE, a, 1, MPI_INT, MPI_SUM, WORLD);
}

CASE(in_place_on_some_ranks_of_an_exchange, 3, parameter-matching) {
    MPI_Alltoallv(rank ? MPI_IN_PLACE : (void *)b, counts, places, MPI_INT, a, counts, places, MPI_INT, WORLD);
}

CASE(in_place_on_some_ranks_nonblocking, 3, parameter-matching) {
    MPI_Ireduce_scatter_block(rank ? MPI_IN_PLACE : (void *)b, a, 1, MPI_INT, MPI_SUM, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(in_place_on_some_ranks_persistent, 3, parameter-matching) {
    MPI_Allgather_init(rank ? MPI_IN_PLACE : (void *)b, 1, MPI_INT, a, 1, MPI_INT, WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(in_place_as_each_rank_likes, 3, ok) {
    MPI_Scan(rank ? (void *)b : MPI_IN_PLACE, a, 1, MPI_INT, MPI_SUM, WORLD);
    MPI_Exscan(rank ? MPI_IN_PLACE : (void *)b, a, 1, MPI_INT, MPI_SUM, WORLD);
    MPI_Reduce_scatter(rank ? MPI_IN_PLACE : (void *)b, a, counts, MPI_INT, MPI_SUM, WORLD);
}

CASE(in_place_at_the_root, 3, ok) {
    MPI_Reduce(rank == 1 ? MPI_IN_PLACE : (void *)b, a, 1, MPI_INT, MPI_SUM, 1, WORLD);
    MPI_Gather(rank == 1 ? MPI_IN_PLACE : (void *)b, 1, MPI_INT, a, 1, MPI_INT, 1, WORLD);
    MPI_Scatter(a, 1, MPI_INT, rank == 1 ? MPI_IN_PLACE : (void *)b, 1, MPI_INT, 1, WORLD);
}

CASE(in_place_on_all_ranks, 3, ok) {
    MPI_Allreduce(MPI_IN_PLACE, a, 1, MPI_INT, MPI_SUM, WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 1, MPI_INT, WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 1, MPI_INT, WORLD);
}

CASE(two_operations, 3, parameter-matching) {
    MPI_Scan(a, b, 1, MPI_INT, rank ? MPI_SUM : MPI_PROD, WORLD);
}

CASE(two_operations_nonblocking, 3, parameter-matching) {
    MPI_Iallreduce(a, b, 1, MPI_INT, rank ? MPI_SUM : MPI_PROD, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(own_operation_against_sum, 3, parameter-matching) {
    MPI_Op_create(combine, 1, &op);
    MPI_Allreduce(a, b, 4, MPI_INT, rank ? op : MPI_SUM, WORLD);
    MPI_Op_free(&op);
}

CASE(derived_against_plain_type, 3, ok) {
    MPI_Type_contiguous(4, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (rank)
        MPI_Bcast(a, 4, MPI_INT, 0, WORLD);
    else
        MPI_Bcast(a, 1, type, 0, WORLD);
    MPI_Type_free(&type);
}

CASE(derived_type_too_long, 3, parameter-matching) {
    MPI_Type_contiguous(4, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (rank)
        MPI_Bcast(a, 3, MPI_INT, 0, WORLD);
    else
        MPI_Bcast(a, 1, type, 0, WORLD);
    MPI_Type_free(&type);
}

CASE(gather_of_another_type, 3, parameter-matching) {
    MPI_Gather(a, 1, rank == 1 ? MPI_FLOAT : MPI_INT, b, 1, MPI_INT, 0, WORLD);
}

CASE(root_gathers_another_type, 3, parameter-matching) {
    MPI_Gather(a, 1, MPI_INT, b, 1, rank == 0 ? MPI_FLOAT : MPI_INT, 0, WORLD);
}

CASE(scatter_into_another_type, 3, parameter-matching) {
    MPI_Scatterv(a, counts, places, MPI_INT, b, 1, rank == 1 ? MPI_FLOAT : MPI_INT, 0, WORLD);
}

CASE(one_rank_has_another_type, 3, parameter-matching) {
    MPI_Allgather(a, 1, rank == 1 ? MPI_FLOAT : MPI_INT, b, 1, rank == 1 ? MPI_FLOAT : MPI_INT,
        WORLD);
}

CASE(types_by_rank, 3, parameter-matching) {
    MPI_Datatype ty[8];
    for (int i = 0; i < 8; i++) {
        ty[i] = rank == 1 ? MPI_FLOAT : MPI_INT;
        places[i] = 4*i;
    }
    MPI_Alltoallw(a, counts, places, ty, b, counts, places, ty, WORLD);
}

CASE(reduce_scatter_of_two_types, 3, parameter-matching) {
    MPI_Reduce_scatter(a, b, counts, rank ? MPI_INT : MPI_FLOAT, MPI_SUM, WORLD);
}

CASE(another_type_nonblocking, 3, parameter-matching) {
    MPI_Ialltoall(a, 1, rank == 1 ? MPI_FLOAT : MPI_INT, b, 1, rank == 1 ? MPI_FLOAT : MPI_INT,
        WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(another_type_persistent, 3, parameter-matching) {
    MPI_Allgather_init(a, 1, rank == 1 ? MPI_FLOAT : MPI_INT, b, 1,
        rank == 1 ? MPI_FLOAT : MPI_INT, WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(too_little_for_the_root, 3, parameter-matching) {
    MPI_Gather(a, rank == 1 ? 0 : 1, MPI_INT, b, 1, MPI_INT, 0, WORLD);
}

CASE(more_than_is_scattered, 3, parameter-matching) {
    MPI_Scatterv(a, counts, places, MPI_INT, b, rank == 1 ? 2 : 1, MPI_INT, 0, WORLD);
}

CASE(more_than_is_gathered, 3, parameter-matching) {
    MPI_Allgatherv(a, rank == 1 ? 2 : 1, MPI_INT, b, counts, places, MPI_INT, WORLD);
}

CASE(counts_of_pairs_differ, 3, parameter-matching) {
    if (rank == 1)
        counts[0] = 2;
    places[1] = 2;
    places[2] = 4;
    MPI_Alltoallv(a, counts, places, MPI_INT, b, counts, places, MPI_INT, WORLD);
}

CASE(counts_in_another_order, 3, parameter-matching) {
    counts[0] = rank ? 1 : 2;
    counts[1] = rank ? 2 : 1;
    MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, WORLD);
}

CASE(nothing_against_one, 3, parameter-matching) {
    MPI_Bcast(a, rank == 1 ? 0 : 1, MPI_INT, 0, WORLD);
}

CASE(neighbours_types_differ, 3, parameter-matching) {
    int dims = size, per = 1;
    MPI_Cart_create(WORLD, 1, &dims, &per, 0, &comm);
    MPI_Neighbor_alltoall(a, 1, rank == 1 ? MPI_FLOAT : MPI_INT, b, 1,
        rank == 1 ? MPI_FLOAT : MPI_INT, comm);
    MPI_Comm_free(&comm);
}

CASE(neighbours_counts_differ, 3, parameter-matching) {
    int dims = size, per = 1, sc[2] = {1, 1}, rc[2] = {1, 1};
    if (rank == 1)
        sc[0] = 2;
    int dd[2] = {0, 2};
    MPI_Cart_create(WORLD, 1, &dims, &per, 0, &comm);
    MPI_Neighbor_alltoallv(a, sc, dd, MPI_INT, b, rc, dd, MPI_INT, comm);
    MPI_Comm_free(&comm);
}

CASE(numbers_as_bytes, 3, parameter-matching) {
    if (rank == 0)
        MPI_Send(a, 1, MPI_INT, 1, 0, WORLD);
    if (rank == 1)
        MPI_Recv(b, 4, MPI_BYTE, 0, 0, WORLD, MPI_STATUS_IGNORE);
}

CASE(packed_and_received, 3, ok) {
    char pk[64];
    int p = 0;
    if (rank == 0) {
        MPI_Pack(a, 2, MPI_INT, pk, 64, &p, WORLD);
        MPI_Send(pk, p, MPI_PACKED, 1, 0, WORLD);
    }
    if (rank == 1) {
        MPI_Recv(b, 2, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
    }
}

CASE(fields_in_another_order, 3, parameter-matching) {
    int bl[2] = {1, 1};
    MPI_Aint ds[2] = {0, 8};
    MPI_Datatype ty[2] = {MPI_INT, MPI_DOUBLE}, tz[2] = {MPI_DOUBLE, MPI_INT};
    MPI_Type_create_struct(2, bl, ds, ty, &type);
    MPI_Type_create_struct(2, bl, ds, tz, &type2);
    MPI_Type_commit(&type);
    MPI_Type_commit(&type2);
    if (rank == 0)
        MPI_Send(a, 1, type, 1, 0, WORLD);
    if (rank == 1)
        MPI_Recv(b, 1, type2, 0, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Type_free(&type2);
}

CASE(room_to_spare, 3, ok) {
    if (rank == 0)
        MPI_Send(a, 2, MPI_INT, 1, 0, WORLD);
    if (rank == 1)
        MPI_Recv(b, 5, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
}

CASE(persistent_receive_too_short, 3, parameter-matching) {
    if (rank == 0) {
        MPI_Send_init(a, 2, MPI_INT, 1, 0, WORLD, &request);
    } else
        MPI_Recv_init(b, 1, MPI_INT, 0, 0, WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(probed_message_of_another_type, 3, parameter-matching) {
    MPI_Message m;
    if (rank == 0)
        MPI_Send(a, 1, MPI_INT, 1, 0, WORLD);
    if (rank == 1) {
        MPI_Mprobe(0, 0, WORLD, &m, MPI_STATUS_IGNORE);
        MPI_Mrecv(b, 1, MPI_FLOAT, &m, MPI_STATUS_IGNORE);
    }
}

CASE(partitions_of_another_type, 3, parameter-matching) {
    if (rank == 0) {
        MPI_Psend_init(a, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready_range(0, 3, request);
    } else {
        MPI_Precv_init(b, 4, 1, MPI_FLOAT, 0, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(partitions_cut_otherwise, 2, ok) {
    if (rank == 0) {
        MPI_Psend_init(a, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready_range(0, 3, request);
    } else {
        MPI_Precv_init(b, 2, 2, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(types_between_groups, 4, parameter-matching) {
    MPI_Comm_split(WORLD, rank < 2, rank, &comm);
    MPI_Intercomm_create(comm, 0, WORLD, rank < 2 ? 2 : 0, 7, &inter);
    if (rank < 2)
        MPI_Bcast(a, 1, MPI_INT, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
    else
        MPI_Bcast(a, 1, MPI_FLOAT, 0, inter);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&inter);
}

CASE(operations_between_groups, 4, parameter-matching) {
    MPI_Comm_split(WORLD, rank < 2, rank, &comm);
    MPI_Intercomm_create(comm, 0, WORLD, rank < 2 ? 2 : 0, 7, &inter);
    MPI_Allreduce(a, b, 1, MPI_INT, rank < 2 ? MPI_SUM : MPI_MAX, inter);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&inter);
}

CASE(between_groups, 4, ok) {
    MPI_Comm_split(WORLD, rank < 2, rank, &comm);
    MPI_Intercomm_create(comm, 0, WORLD, rank < 2 ? 2 : 0, 7, &inter);
    MPI_Bcast(a, 1, MPI_INT, rank < 2 ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, inter);
    MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, inter);
    MPI_Barrier(inter);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&inter);
}

/* Runs `body` over an intercommunicator of ranks 0 and 1 and ranks 2 and 3. */
static void two_groups(void (*body)(void)) {
    MPI_Comm_split(WORLD, rank < 2, rank, &comm);
    MPI_Intercomm_create(comm, 0, WORLD, rank < 2 ? 2 : 0, 7, &inter);
    body();
    MPI_Barrier(inter);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&inter);
}

/* What the ranks give as the root, in order. */
static int given[4];

static void give(int first, int second, int third, int fourth) {
    int list[4] = {first, second, third, fourth};
    memcpy(given, list, sizeof given);
}

static void broadcast(void) {
    MPI_Bcast(a, 1, MPI_INT, given[rank], inter);
}

static void gather(void) {
    MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, given[rank], inter);
}

static void scatter(void) {
    MPI_Scatter(a, 1, MPI_INT, b, 1, MPI_INT, given[rank], inter);
}

static void reduce(void) {
    MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, given[rank], inter);
}

static void broadcast_later(void) {
    MPI_Ibcast(a, 1, MPI_INT, given[rank], inter, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(root_is_named, 4, ok) {
    give(MPI_PROC_NULL, MPI_ROOT, 1, 1);
    two_groups(broadcast);
    two_groups(gather);
    two_groups(scatter);
    two_groups(reduce);
    two_groups(broadcast_later);
}

CASE(root_in_the_second_group, 4, ok) {
    give(0, 0, MPI_ROOT, MPI_PROC_NULL);
    two_groups(gather);
    two_groups(reduce);
}

CASE(nobody_is_root, 4, parameter-matching) {
    give(MPI_PROC_NULL, MPI_PROC_NULL, 0, 0);
    two_groups(broadcast);
}

CASE(nobody_is_root_of_a_reduction, 4, parameter-matching) {
    give(0, 0, MPI_PROC_NULL, MPI_PROC_NULL);
    two_groups(reduce);
}

CASE(two_are_root, 4, parameter-matching) {
    give(MPI_ROOT, MPI_ROOT, 0, 0);
    two_groups(gather);
}

CASE(another_rank_is_named, 4, parameter-matching) {
    give(MPI_PROC_NULL, MPI_ROOT, 0, 0);
    two_groups(scatter);
}

CASE(two_ranks_are_named, 4, parameter-matching) {
    give(MPI_ROOT, MPI_PROC_NULL, 0, 1);
    two_groups(broadcast);
}

CASE(both_groups_have_a_root, 4, parameter-matching) {
    give(MPI_ROOT, MPI_PROC_NULL, MPI_ROOT, MPI_PROC_NULL);
    two_groups(broadcast);
}

CASE(no_group_has_the_root, 4, parameter-matching) {
    give(0, 0, 0, 0);
    two_groups(reduce);
}

CASE(one_of_the_roots_group_names_a_rank, 4, parameter-matching) {
    give(MPI_ROOT, 0, 0, 0);
    two_groups(broadcast);
}

CASE(one_of_the_others_names_nobody, 4, parameter-matching) {
    give(MPI_ROOT, MPI_PROC_NULL, 0, MPI_PROC_NULL);
    two_groups(gather);
}

CASE(nobody_is_root_later, 4, parameter-matching) {
    give(MPI_PROC_NULL, MPI_PROC_NULL, 1, 1);
    two_groups(broadcast_later);
}

static void broadcast_of_two_types(void) {
    MPI_Bcast(a, 1, rank == 3 ? MPI_FLOAT : MPI_INT, given[rank], inter);
}

CASE(types_of_the_receivers_differ, 4, parameter-matching) {
    give(MPI_PROC_NULL, MPI_ROOT, 1, 1);
    two_groups(broadcast_of_two_types);
}

/* A ring of all ranks. */
static void ring(void) {
    int all = size, closed = 1;
    MPI_Cart_create(WORLD, 1, &all, &closed, 0, &comm);
}

CASE(neighbours_expect_another_type, 3, parameter-matching) {
    ring();
    MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, rank == 1 ? MPI_FLOAT : MPI_INT, comm);
    MPI_Comm_free(&comm);
}

CASE(neighbours_lists_of_another_type, 3, parameter-matching) {
    type = rank == 1 ? MPI_FLOAT : MPI_INT;
    ring();
    MPI_Neighbor_allgatherv(a, 1, type, b, counts, places, type, comm);
    MPI_Comm_free(&comm);
}

CASE(neighbours_blocks_of_another_type, 3, parameter-matching) {
    ring();
    MPI_Neighbor_alltoallv(a, counts, places, rank == 1 ? MPI_FLOAT : MPI_INT, b, counts, places,
        MPI_INT, comm);
    MPI_Comm_free(&comm);
}

/* To the left go integers, to the right numbers of one of two types. */
static void to_both_sides(MPI_Datatype right) {
    MPI_Datatype sent[2] = {MPI_INT, right}, taken[2] = {MPI_FLOAT, MPI_INT};
    MPI_Aint at[2] = {0, 4};
    /* Of no type for the compiler, since the case decides which it is. */
    char from[8] = {0}, to[8];
    ring();
    MPI_Neighbor_alltoallw(from, counts, at, sent, to, counts, at, taken, comm);
    MPI_Comm_free(&comm);
}

CASE(neighbours_types_fit, 3, ok) {
    to_both_sides(MPI_FLOAT);
}

CASE(neighbours_types_fit_on_two_ranks, 2, ok) {
    to_both_sides(MPI_FLOAT);
}

CASE(neighbours_types_do_not_fit, 3, parameter-matching) {
    to_both_sides(rank == 2 ? MPI_INT : MPI_FLOAT);
}

CASE(neighbours_types_later, 3, parameter-matching) {
    MPI_Datatype types[2] = {MPI_INT, rank == 1 ? MPI_FLOAT : MPI_INT};
    MPI_Aint at[2] = {0, 4};
    ring();
    MPI_Ineighbor_alltoallw(a, counts, at, types, b, counts, at, types, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
}

CASE(neighbours_in_two_forms, 3, call-ordering) {
    ring();
    if (rank)
        MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, comm);
    else
        MPI_Neighbor_allgatherv(a, 1, MPI_INT, b, counts, places, MPI_INT, comm);
    MPI_Comm_free(&comm);
}

CASE(edges_of_a_graph_have_their_types, 3, ok) {
    int two[2] = {next, next}, from[2] = {prev, prev};
    MPI_Datatype types[2] = {MPI_INT, MPI_FLOAT};
    MPI_Aint at[2] = {0, 4};
    struct { int whole; float part; } sent = {0, 0}, taken;
    MPI_Dist_graph_create_adjacent(WORLD, 2, from, MPI_UNWEIGHTED, 2, two, MPI_UNWEIGHTED,
        MPI_INFO_NULL, 0, &comm);
    MPI_Neighbor_alltoallw(&sent, counts, at, types, &taken, counts, at, types, comm);
    MPI_Comm_free(&comm);
}

/* Half of a buffer, by a wait or not. */
static void half_of_longs(int waits) {
    long longs[4] = {1, 2, 3, 4};
    if (rank == 0) {
        MPI_Send(longs, 2, MPI_LONG, 1, 0, WORLD);
    } else if (waits) {
        MPI_Irecv(longs, 4, MPI_LONG, 0, 0, WORLD, &request);
        MPI_Wait(&request, &status);
    } else {
        MPI_Recv(longs, 4, MPI_LONG, 0, 0, WORLD, &status);
    }
}

CASE(counted_in_the_type_of_the_receive, 2, ok) {
    for (int waits = 0; waits < 2; waits++) {
        half_of_longs(waits);
        if (rank == 0)
            continue;
        MPI_Get_count(&status, MPI_LONG, &count);
        assert(count == 2);
        MPI_Get_count(&status, MPI_BYTE, &count);
        assert(count == 2 * sizeof(long));
        MPI_Get_elements(&status, sizeof(long) == 8 ? MPI_INT64_T : MPI_INT32_T, &count);
        assert(count == 2);
    }
}

CASE(counted_in_another_type, 2, parameter-matching) {
    half_of_longs(0);
    if (rank == 1)
        MPI_Get_count(&status, MPI_INT, &count);
}

CASE(elements_counted_in_another_type, 2, parameter-matching) {
    half_of_longs(1);
    if (rank == 1)
        MPI_Get_elements(&status, MPI_INT, &count);
}

static void combine_otherwise(void *left, void *right, int *length, MPI_Datatype *elements) {
    combine(right, right, length, elements);
}

static void reduce_by(MPI_User_function *function, int commute) {
    MPI_Op_create(function, commute, &op);
    MPI_Allreduce(a, b, 4, MPI_INT, op, WORLD);
    MPI_Op_free(&op);
}

CASE(one_operation_of_the_program, 3, ok) {
    reduce_by(combine, 1);
    reduce_by(combine_otherwise, 0);
}

CASE(operations_of_two_functions, 3, parameter-matching) {
    reduce_by(rank == 1 ? combine_otherwise : combine, 1);
}

CASE(operations_that_commute_on_some_ranks, 3, parameter-matching) {
    reduce_by(combine, rank != 1);
}
