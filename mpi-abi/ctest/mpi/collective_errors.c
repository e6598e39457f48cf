/* Wrong arguments of collectives, in every form, and the classes they give. */
#include "check.h"

#define W MPI_COMM_WORLD
#define I MPI_INT
#define NONE MPI_DATATYPE_NULL
#define UNPACK(...) __VA_ARGS__

static MPI_Request request;
static int in[64], out[64], ones[8], at[8], minus[8];
static MPI_Count many[8], fewer[8];
static MPI_Aint places[8];
static MPI_Datatype types[8], nulls[8];

/* The same arguments to all forms; those with large counts too where arrays do not differ. */
#define FORMS(expected, blocking, nonblocking, arguments)                                          \
    GIVES(expected, MPI_##blocking(UNPACK arguments));                                             \
    GIVES(expected, MPI_##nonblocking(UNPACK arguments, &request));                                \
    GIVES(expected, MPI_##blocking##_init(UNPACK arguments, MPI_INFO_NULL, &request))
#define ALL(expected, blocking, nonblocking, arguments)                                            \
    FORMS(expected, blocking, nonblocking, arguments);                                             \
    GIVES(expected, MPI_##blocking##_c(UNPACK arguments));                                         \
    GIVES(expected, MPI_##nonblocking##_c(UNPACK arguments, &request));                            \
    GIVES(expected, MPI_##blocking##_init_c(UNPACK arguments, MPI_INFO_NULL, &request))

static void rooted(void) {
    const int bad[] = {-1, size, MPI_ROOT, MPI_PROC_NULL, MPI_ANY_SOURCE, 1 << 30};
    for (int i = 0; i < 6; i++) {
        ALL(MPI_ERR_ROOT, Bcast, Ibcast, (in, 1, I, bad[i], W));
        ALL(MPI_ERR_ROOT, Gather, Igather, (in, 1, I, out, 1, I, bad[i], W));
        FORMS(MPI_ERR_ROOT, Gatherv, Igatherv, (in, 1, I, out, ones, at, I, bad[i], W));
        ALL(MPI_ERR_ROOT, Scatter, Iscatter, (in, 1, I, out, 1, I, bad[i], W));
        FORMS(MPI_ERR_ROOT, Scatterv, Iscatterv, (in, ones, at, I, out, 1, I, bad[i], W));
        ALL(MPI_ERR_ROOT, Reduce, Ireduce, (in, out, 1, I, MPI_SUM, bad[i], W));
    }
    ALL(MPI_ERR_COUNT, Bcast, Ibcast, (in, -1, I, 0, W));
    ALL(MPI_ERR_TYPE, Bcast, Ibcast, (in, 1, NONE, 0, W));
    ALL(MPI_ERR_COMM, Bcast, Ibcast, (in, 1, I, 0, MPI_COMM_NULL));
    ALL(MPI_ERR_BUFFER, Bcast, Ibcast, (NULL, 1, I, 0, W));
    ALL(MPI_ERR_BUFFER, Bcast, Ibcast, (MPI_IN_PLACE, 1, I, 0, W));
    ALL(MPI_ERR_COUNT, Gather, Igather, (in, -1, I, out, 1, I, 0, W));
    ALL(MPI_ERR_TYPE, Gather, Igather, (in, 1, NONE, out, 1, I, 0, W));
    ALL(MPI_ERR_COMM, Gather, Igather, (in, 1, I, out, 1, I, 0, MPI_COMM_NULL));
    ALL(MPI_ERR_BUFFER, Gather, Igather, (NULL, 1, I, out, 1, I, 0, W));
    ALL(MPI_ERR_COUNT, Gather, Igather, (in, 1, I, out, -1, I, rank, W));
    ALL(MPI_ERR_TYPE, Gather, Igather, (in, 1, I, out, 1, NONE, rank, W));
    ALL(MPI_ERR_BUFFER, Gather, Igather, (in, 1, I, in, 1, I, rank, W));
    ALL(MPI_ERR_BUFFER, Gather, Igather, (in, 1, I, MPI_IN_PLACE, 1, I, rank, W));
    FORMS(MPI_ERR_COUNT, Gatherv, Igatherv, (in, 1, I, out, minus, at, I, rank, W));
    FORMS(MPI_ERR_TYPE, Gatherv, Igatherv, (in, 1, I, out, ones, at, NONE, rank, W));
    FORMS(MPI_ERR_ARG, Gatherv, Igatherv, (in, 1, I, out, NULL, at, I, rank, W));
    FORMS(MPI_ERR_ARG, Gatherv, Igatherv, (in, 1, I, out, ones, NULL, I, rank, W));
    ALL(MPI_ERR_COUNT, Scatter, Iscatter, (in, 1, I, out, -1, I, 0, W));
    ALL(MPI_ERR_COUNT, Scatter, Iscatter, (in, -1, I, out, 1, I, rank, W));
    ALL(MPI_ERR_TYPE, Scatter, Iscatter, (in, 1, I, out, 1, NONE, 0, W));
    ALL(MPI_ERR_TYPE, Scatter, Iscatter, (in, 1, NONE, out, 1, I, rank, W));
    ALL(MPI_ERR_COMM, Scatter, Iscatter, (in, 1, I, out, 1, I, 0, MPI_COMM_NULL));
    ALL(MPI_ERR_BUFFER, Scatter, Iscatter, (in, 1, I, in, 1, I, rank, W));
    ALL(MPI_ERR_BUFFER, Scatter, Iscatter, (in, 1, I, NULL, 1, I, rank, W));
    ALL(MPI_ERR_BUFFER, Scatter, Iscatter, (MPI_IN_PLACE, 1, I, out, 1, I, rank, W));
    FORMS(MPI_ERR_COUNT, Scatterv, Iscatterv, (in, minus, at, I, out, 1, I, rank, W));
    FORMS(MPI_ERR_ARG, Scatterv, Iscatterv, (in, NULL, at, I, out, 1, I, rank, W));
    if (size > 1 && rank > 0) {
        /* Only the root may say in place. */
        ALL(MPI_ERR_BUFFER, Gather, Igather, (MPI_IN_PLACE, 1, I, out, 1, I, 0, W));
        ALL(MPI_ERR_BUFFER, Scatter, Iscatter, (in, 1, I, MPI_IN_PLACE, 1, I, 0, W));
        ALL(MPI_ERR_BUFFER, Reduce, Ireduce, (MPI_IN_PLACE, out, 1, I, MPI_SUM, 0, W));
    }
}

static void unrooted(void) {
    ALL(MPI_ERR_COUNT, Allgather, Iallgather, (in, -1, I, out, 1, I, W));
    ALL(MPI_ERR_COUNT, Allgather, Iallgather, (in, 1, I, out, -1, I, W));
    ALL(MPI_ERR_TYPE, Allgather, Iallgather, (in, 1, NONE, out, 1, I, W));
    ALL(MPI_ERR_TYPE, Allgather, Iallgather, (in, 1, I, out, 1, NONE, W));
    ALL(MPI_ERR_COMM, Allgather, Iallgather, (in, 1, I, out, 1, I, MPI_COMM_NULL));
    ALL(MPI_ERR_BUFFER, Allgather, Iallgather, (out, 1, I, out, 1, I, W));
    ALL(MPI_ERR_BUFFER, Allgather, Iallgather, (in, 1, I, MPI_IN_PLACE, 1, I, W));
    ALL(MPI_ERR_BUFFER, Allgather, Iallgather, (in, 1, I, NULL, 1, I, W));
    FORMS(MPI_ERR_COUNT, Allgatherv, Iallgatherv, (in, 1, I, out, minus, at, I, W));
    FORMS(MPI_ERR_TYPE, Allgatherv, Iallgatherv, (in, 1, I, out, ones, at, NONE, W));
    FORMS(MPI_ERR_BUFFER, Allgatherv, Iallgatherv, (out, 1, I, out, ones, at, I, W));
    ALL(MPI_ERR_COUNT, Alltoall, Ialltoall, (in, -1, I, out, 1, I, W));
    ALL(MPI_ERR_COUNT, Alltoall, Ialltoall, (in, 1, I, out, -1, I, W));
    ALL(MPI_ERR_TYPE, Alltoall, Ialltoall, (in, 1, NONE, out, 1, I, W));
    ALL(MPI_ERR_COMM, Alltoall, Ialltoall, (in, 1, I, out, 1, I, MPI_COMM_NULL));
    ALL(MPI_ERR_BUFFER, Alltoall, Ialltoall, (in, 1, I, in, 1, I, W));
    FORMS(MPI_ERR_COUNT, Alltoallv, Ialltoallv, (in, minus, at, I, out, ones, at, I, W));
    FORMS(MPI_ERR_COUNT, Alltoallv, Ialltoallv, (in, ones, at, I, out, minus, at, I, W));
    FORMS(MPI_ERR_TYPE, Alltoallv, Ialltoallv, (in, ones, at, NONE, out, ones, at, I, W));
    FORMS(MPI_ERR_ARG, Alltoallv, Ialltoallv, (in, NULL, at, I, out, ones, at, I, W));
    FORMS(MPI_ERR_BUFFER, Alltoallv, Ialltoallv, (in, ones, at, I, in, ones, at, I, W));
    FORMS(MPI_ERR_TYPE, Alltoallw, Ialltoallw, (in, ones, at, nulls, out, ones, at, types, W));
    FORMS(MPI_ERR_COUNT, Alltoallw, Ialltoallw, (in, ones, at, types, out, minus, at, types, W));
    FORMS(MPI_ERR_ARG, Alltoallw, Ialltoallw, (in, ones, at, NULL, out, ones, at, types, W));
    GIVES(MPI_ERR_COUNT, MPI_Alltoallv_c(in, fewer, places, I, out, many, places, I, W));
    GIVES(MPI_ERR_COUNT, MPI_Gatherv_c(in, 1, I, out, fewer, places, I, rank, W));
    GIVES(MPI_ERR_COUNT, MPI_Allgatherv_c(in, 1, I, out, fewer, places, I, W));
    GIVES(MPI_ERR_COUNT, MPI_Scatterv_c(in, fewer, places, I, out, 1, I, rank, W));
    GIVES(MPI_ERR_COUNT, MPI_Reduce_scatter_c(in, out, fewer, I, MPI_SUM, W));
    GIVES(MPI_ERR_TYPE, MPI_Alltoallw_c(in, many, places, nulls, out, many, places, types, W));
    GIVES(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
    GIVES(MPI_ERR_COMM, MPI_Ibarrier(MPI_COMM_NULL, &request));
    GIVES(MPI_ERR_COMM, MPI_Barrier_init(MPI_COMM_NULL, MPI_INFO_NULL, &request));
}

#define REDUCTION(blocking, nonblocking)                                                           \
    ALL(MPI_ERR_COUNT, blocking, nonblocking, (in, out, -1, I, MPI_SUM, W));                       \
    ALL(MPI_ERR_TYPE, blocking, nonblocking, (in, out, 1, NONE, MPI_SUM, W));                      \
    ALL(MPI_ERR_OP, blocking, nonblocking, (in, out, 1, I, MPI_OP_NULL, W));                       \
    ALL(MPI_ERR_OP, blocking, nonblocking, (in, out, 1, MPI_DOUBLE, MPI_BOR, W));                  \
    ALL(MPI_ERR_COMM, blocking, nonblocking, (in, out, 1, I, MPI_SUM, MPI_COMM_NULL));             \
    ALL(MPI_ERR_BUFFER, blocking, nonblocking, (in, in, 1, I, MPI_SUM, W));                        \
    ALL(MPI_ERR_BUFFER, blocking, nonblocking, (NULL, out, 1, I, MPI_SUM, W))

static void reductions(void) {
    REDUCTION(Allreduce, Iallreduce);
    REDUCTION(Scan, Iscan);
    REDUCTION(Reduce_scatter_block, Ireduce_scatter_block);
    ALL(MPI_ERR_BUFFER, Allreduce, Iallreduce, (in, MPI_IN_PLACE, 1, I, MPI_SUM, W));
    ALL(MPI_ERR_BUFFER, Allreduce, Iallreduce, (in, NULL, 1, I, MPI_SUM, W));
    ALL(MPI_ERR_COUNT, Exscan, Iexscan, (in, out, -1, I, MPI_SUM, W));
    ALL(MPI_ERR_TYPE, Exscan, Iexscan, (in, out, 1, NONE, MPI_SUM, W));
    ALL(MPI_ERR_OP, Exscan, Iexscan, (in, out, 1, I, MPI_OP_NULL, W));
    ALL(MPI_ERR_COMM, Exscan, Iexscan, (in, out, 1, I, MPI_SUM, MPI_COMM_NULL));
    ALL(MPI_ERR_COUNT, Reduce, Ireduce, (in, out, -1, I, MPI_SUM, 0, W));
    ALL(MPI_ERR_TYPE, Reduce, Ireduce, (in, out, 1, NONE, MPI_SUM, 0, W));
    ALL(MPI_ERR_OP, Reduce, Ireduce, (in, out, 1, I, MPI_OP_NULL, 0, W));
    ALL(MPI_ERR_COMM, Reduce, Ireduce, (in, out, 1, I, MPI_SUM, 0, MPI_COMM_NULL));
    ALL(MPI_ERR_BUFFER, Reduce, Ireduce, (in, in, 1, I, MPI_SUM, rank, W));
    ALL(MPI_ERR_BUFFER, Reduce, Ireduce, (in, NULL, 1, I, MPI_SUM, rank, W));
    FORMS(MPI_ERR_COUNT, Reduce_scatter, Ireduce_scatter, (in, out, minus, I, MPI_SUM, W));
    FORMS(MPI_ERR_TYPE, Reduce_scatter, Ireduce_scatter, (in, out, ones, NONE, MPI_SUM, W));
    FORMS(MPI_ERR_OP, Reduce_scatter, Ireduce_scatter, (in, out, ones, I, MPI_OP_NULL, W));
    FORMS(MPI_ERR_ARG, Reduce_scatter, Ireduce_scatter, (in, out, NULL, I, MPI_SUM, W));
    FORMS(MPI_ERR_BUFFER, Reduce_scatter, Ireduce_scatter, (in, in, ones, I, MPI_SUM, W));
}

static void neighborhoods(void) {
    MPI_Comm ring;
    int dims[1] = {size}, periods[1] = {1};
    ALL(MPI_ERR_TOPOLOGY, Neighbor_allgather, Ineighbor_allgather, (in, 1, I, out, 1, I, W));
    ALL(MPI_ERR_TOPOLOGY, Neighbor_alltoall, Ineighbor_alltoall, (in, 1, I, out, 1, I, W));
    FORMS(MPI_ERR_TOPOLOGY, Neighbor_alltoallv, Ineighbor_alltoallv,
          (in, ones, at, I, out, ones, at, I, W));
    FORMS(MPI_ERR_TOPOLOGY, Neighbor_allgatherv, Ineighbor_allgatherv,
          (in, 1, I, out, ones, at, I, W));
    FORMS(MPI_ERR_TOPOLOGY, Neighbor_alltoallw, Ineighbor_alltoallw,
          (in, ones, places, types, out, ones, places, types, W));
    ALL(MPI_ERR_COMM, Neighbor_allgather, Ineighbor_allgather, (in, 1, I, out, 1, I, MPI_COMM_NULL));
    MPI_Cart_create(W, 1, dims, periods, 0, &ring);
    ALL(MPI_ERR_COUNT, Neighbor_allgather, Ineighbor_allgather, (in, -1, I, out, 1, I, ring));
    ALL(MPI_ERR_TYPE, Neighbor_alltoall, Ineighbor_alltoall, (in, 1, I, out, 1, NONE, ring));
    ALL(MPI_ERR_BUFFER, Neighbor_allgather, Ineighbor_allgather, (MPI_IN_PLACE, 1, I, out, 1, I, ring));
    ALL(MPI_ERR_BUFFER, Neighbor_alltoall, Ineighbor_alltoall, (MPI_IN_PLACE, 1, I, out, 1, I, ring));
    FORMS(MPI_ERR_COUNT, Neighbor_allgatherv, Ineighbor_allgatherv, (in, 1, I, out, minus, at, I, ring));
    FORMS(MPI_ERR_COUNT, Neighbor_alltoallv, Ineighbor_alltoallv,
          (in, minus, at, I, out, ones, at, I, ring));
    FORMS(MPI_ERR_TYPE, Neighbor_alltoallw, Ineighbor_alltoallw,
          (in, ones, places, nulls, out, ones, places, types, ring));
    MPI_Comm_free(&ring);
}

/* What is under way is completed: it is neither freed nor cancelled. */
static void requests(void) {
    int sum = 0;
    MPI_Request request;
    MPI_Comm twin = MPI_COMM_NULL;
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    GIVES(MPI_ERR_REQUEST, MPI_Cancel(&request));
    GIVES(MPI_ERR_REQUEST, MPI_Request_free(&request));
    CHECK(request != MPI_REQUEST_NULL && MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(sum == size * (size - 1) / 2);
    MPI_Comm_idup(MPI_COMM_WORLD, &twin, &request);
    GIVES(MPI_ERR_REQUEST, MPI_Request_free(&request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&twin);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    GIVES(MPI_ERR_REQUEST, MPI_Request_free(&request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(MPI_Request_free(&request) == MPI_SUCCESS && request == MPI_REQUEST_NULL);
}

/* A call without a place for what it makes makes nothing: nothing is left at the end. */
static void no_places(void) {
    MPI_Comm self = MPI_COMM_SELF;
    MPI_Group group;
    MPI_Request request;
    int no = 0, one = 1;
    MPI_Comm_group(self, &group);
    GIVES(MPI_ERR_ARG, MPI_Ibarrier(self, NULL));
    GIVES(MPI_ERR_ARG, MPI_Barrier_init(self, MPI_INFO_NULL, NULL));
    GIVES(MPI_ERR_ARG, MPI_Op_create((MPI_User_function *)no_places, 1, NULL));
    GIVES(MPI_ERR_ARG, MPI_Comm_dup(self, NULL));
    GIVES(MPI_ERR_ARG, MPI_Comm_idup(self, NULL, &request));
    GIVES(MPI_ERR_ARG, MPI_Comm_split(self, 0, 0, NULL));
    GIVES(MPI_ERR_ARG, MPI_Comm_create(self, group, NULL));
    GIVES(MPI_ERR_ARG, MPI_Comm_create_group(self, group, 0, NULL));
    GIVES(MPI_ERR_ARG, MPI_Cart_create(self, 1, &one, &no, 0, NULL));
    GIVES(MPI_ERR_ARG, MPI_Comm_group(self, NULL));
    GIVES(MPI_ERR_ARG, MPI_Group_incl(group, 1, &no, NULL));
    MPI_Group_free(&group);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    for (int i = 0; i < 8; i++) {
        ones[i] = many[i] = 1, minus[i] = fewer[i] = -1, at[i] = i, places[i] = i;
        types[i] = MPI_INT, nulls[i] = MPI_DATATYPE_NULL;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    rooted();
    unrooted();
    reductions();
    neighborhoods();
    requests();
    no_places();
    /* Nothing of all that has disturbed the communicator. */
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == size * (size - 1) / 2);
    MPI_Finalize();
    return 0;
}
