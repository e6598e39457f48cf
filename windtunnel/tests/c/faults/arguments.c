/* Arguments that are wrong by themselves, and their right twins. */
#include "faults.h"

CASE(negative_count, 3, invalid-argument) {
    MPI_Sendrecv(a, 1, MPI_INT, next, 0, b, -1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
}

CASE(send_to_any_source, 3, invalid-argument) {
    MPI_Send(a, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD);
}

CASE(no_such_source, 3, invalid-argument) {
    MPI_Recv(a, 1, MPI_INT, size, 0, WORLD, MPI_STATUS_IGNORE);
}

CASE(negative_tag, 3, invalid-argument) {
    MPI_Recv(a, 1, MPI_INT, prev, -3, WORLD, MPI_STATUS_IGNORE);
}

CASE(null_type, 3, invalid-argument) {
    MPI_Send(a, 1, MPI_DATATYPE_NULL, next, 0, WORLD);
}

CASE(null_operation, 3, invalid-argument) {
    MPI_Iallreduce(a, b, 1, MPI_INT, MPI_OP_NULL, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(null_communicator, 3, invalid-argument) {
    MPI_Comm_dup(MPI_COMM_NULL, &comm);
}

CASE(freed_operation, 3, invalid-argument) {
    MPI_Op_create(combine, 1, &op);
    MPI_Op o2 = op;
    MPI_Op_free(&op);
    MPI_Allreduce(a, b, 1, MPI_INT, o2, WORLD);
}

CASE(freed_group, 3, invalid-argument) {
    MPI_Comm_group(WORLD, &g);
    g2 = g;
    MPI_Group_free(&g);
    MPI_Group_size(g2, &count);
}

CASE(type_freed_twice, 3, invalid-argument) {
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    type2 = type;
    MPI_Type_free(&type);
    MPI_Type_free(&type2);
}

CASE(predefined_type_freed, 3, invalid-argument) {
    type = MPI_INT;
    MPI_Type_free(&type);
}

CASE(type_not_committed, 3, invalid-argument) {
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    if (rank == 0)
        MPI_Send(a, 2, MPI_INT, 1, 0, WORLD);
    if (rank == 1)
        MPI_Recv(a, 1, type, 0, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

CASE(null_buffer_at_the_root, 3, invalid-argument) {
    MPI_Gather(a, 1, MPI_INT, NULL, 1, MPI_INT, 0, WORLD);
}

CASE(null_buffer_where_nothing_is_received, 3, ok) {
    MPI_Gather(a, 1, MPI_INT, rank ? NULL : b, rank ? 0 : 1, rank ? MPI_DATATYPE_NULL : MPI_INT,
        0, WORLD);
}

CASE(no_such_root, 3, invalid-argument) {
    MPI_Ibcast(a, 1, MPI_INT, size+3, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(sum_of_a_derived_type, 3, invalid-argument) {
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Allreduce(a, b, 1, type, MPI_SUM, WORLD);
    MPI_Type_free(&type);
}

CASE(logical_and_of_reals, 3, invalid-argument) {
    MPI_Reduce(d, e, 1, MPI_DOUBLE, MPI_LAND, 0, WORLD);
}

CASE(sum_of_bytes, 3, invalid-argument) {
    MPI_Allreduce(a, b, 1, MPI_BYTE, MPI_SUM, WORLD);
}

CASE(bits_of_bytes, 3, ok) {
    MPI_Allreduce(a, b, 1, MPI_BYTE, MPI_BOR, WORLD);
}

CASE(in_place_beside_the_root, 3, invalid-argument) {
    MPI_Reduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, 0, WORLD);
}

CASE(in_place_everywhere, 3, ok) {
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 1, MPI_INT, WORLD);
}

CASE(buffers_are_one, 3, invalid-argument) {
    MPI_Gather(b, 1, MPI_INT, b, 1, MPI_INT, 0, WORLD);
}

CASE(buffers_overlap, 3, invalid-argument) {
    MPI_Allreduce(a, a+1, 2, MPI_INT, MPI_SUM, WORLD);
}

CASE(exchange_into_what_is_sent, 3, invalid-argument) {
    MPI_Sendrecv(a, 2, MPI_INT, next, 0, a+1, 2, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
}

CASE(buffers_side_by_side, 3, ok) {
    MPI_Allreduce(a, a+2, 2, MPI_INT, MPI_SUM, WORLD);
}

CASE(blocks_overlap, 3, invalid-argument) {
    places[1] = 0;
    MPI_Gatherv(a, 1, MPI_INT, b, counts, places, MPI_INT, 0, WORLD);
}

/* A column of two numbers whose rows have four, each after `ints` numbers. */
static MPI_Datatype column_after(int ints) {
    MPI_Datatype column, placed;
    MPI_Type_vector(2, 1, 4, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, ints * sizeof(int), &placed);
    MPI_Type_free(&column);
    MPI_Type_commit(&placed);
    return placed;
}

CASE(column_overlaps_a_row, 3, invalid-argument) {
    MPI_Datatype column = column_after(1);
    MPI_Sendrecv(a, 1, column, next, 0, a+4, 2, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
}

CASE(columns_side_by_side, 3, ok) {
    MPI_Datatype column = column_after(1);
    MPI_Sendrecv(a, 1, column, next, 0, a+1, 1, column, prev, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Gatherv(a, 2, MPI_INT, b, counts, places, column, 0, WORLD);
    MPI_Type_free(&column);
}

CASE(columns_over_each_other, 3, invalid-argument) {
    MPI_Datatype column = column_after(4);
    MPI_Gatherv(a, 2, MPI_INT, b, counts, places, column, 0, WORLD);
    MPI_Type_free(&column);
}

CASE(null_request_started, 3, request-lifecycle) {
    request = MPI_REQUEST_NULL;
    MPI_Start(&request);
}

CASE(neighbours_of_nobody, 3, invalid-argument) {
    MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, WORLD);
}

CASE(grid_too_large, 3, invalid-argument) {
    int dims[2] = {size, 2}, per[2] = {0, 0};
    MPI_Cart_create(WORLD, 2, dims, per, 0, &comm);
}

CASE(attached_buffer_too_small, 3, invalid-argument) {
    int s;
    void*p;
    static char bf[MPI_BSEND_OVERHEAD+8];
    MPI_Buffer_attach(bf, sizeof bf);
    MPI_Bsend(a, 100, MPI_INT, next, 0, WORLD);
    MPI_Recv(b, 100, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&p, &s);
}

CASE(no_such_partition, 3, invalid-argument) {
    MPI_Psend_init(a, 2, 1, MPI_INT, next, 0, WORLD, MPI_INFO_NULL, &request);
    MPI_Precv_init(b, 2, 1, MPI_INT, prev, 0, WORLD, MPI_INFO_NULL, &second);
    MPI_Start(&request);
    MPI_Start(&second);
    MPI_Pready(2, request);
}

CASE(partitions_from_anywhere, 3, invalid-argument) {
    MPI_Precv_init(b, 2, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, MPI_INFO_NULL, &second);
}

static void on_window(int (*make)(MPI_Comm_errhandler_function *, MPI_Errhandler *)) {
    MPI_Errhandler handler;
    MPI_Win window;
    make(hear, &handler);
    MPI_Win_create(a, sizeof(int), 1, MPI_INFO_NULL, WORLD, &window);
    MPI_Win_set_errhandler(window, handler);
    MPI_Errhandler_free(&handler);
    MPI_Win_free(&window);
}

static int for_windows(MPI_Comm_errhandler_function *function, MPI_Errhandler *handler) {
    return MPI_Win_create_errhandler((MPI_Win_errhandler_function *)function, handler);
}

CASE(handler_of_communicators_on_a_window, 3, invalid-argument) { on_window(MPI_Comm_create_errhandler); }

CASE(handler_of_windows_on_a_window, 3, ok) { on_window(for_windows); }

CASE(handler_that_the_program_calls, 3, ok) {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_dup(WORLD, &comm);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
}

CASE(dimensions_that_are_all_given, 3, ok) {
    int dims[2] = {1, 2};
    MPI_Dims_create(4, 2, dims);
}

/* Two elements, whose extent is that of the argument. */
static void pairs_of_extent(int ints) {
    MPI_Type_contiguous(2, MPI_INT, &type2);
    MPI_Type_create_resized(type2, 0, ints * sizeof(int), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&type2);
}

CASE(gathered_blocks_overlap, 3, invalid-argument) {
    pairs_of_extent(1);
    MPI_Gather(a, 2, MPI_INT, b, 1, type, 0, WORLD);
    MPI_Type_free(&type);
}

CASE(exchanged_blocks_overlap, 3, invalid-argument) {
    pairs_of_extent(1);
    MPI_Ialltoall(a, 2, MPI_INT, b, 1, type, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

CASE(gathered_blocks_apart, 3, ok) {
    pairs_of_extent(3);
    MPI_Gather(a, 2, MPI_INT, b, 1, type, 0, WORLD);
    MPI_Allgather(a, 2, MPI_INT, b, 1, type, WORLD);
    MPI_Type_free(&type);
}

CASE(overlapping_entries_are_sent, 3, ok) {
    pairs_of_extent(1);
    MPI_Scatter(a, 2, type, b, 4, MPI_INT, 0, WORLD);
    if (rank == 0)
        MPI_Bcast(a, 2, type, 0, WORLD);
    else
        MPI_Bcast(b, 4, MPI_INT, 0, WORLD);
    MPI_Type_free(&type);
}
