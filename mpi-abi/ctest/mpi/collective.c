/* Collectives: in place, vectors, user operations, nonblocking, persistent. */
#include "check.h"

static void product(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] *= ((int *)in)[i];
}

static void moves(void) {
    int *all = malloc(size * sizeof(int)), *two = malloc(size * sizeof(int)), one = rank;
    int *counts = malloc(size * sizeof(int)), *places = malloc(size * sizeof(int));
    MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++)
        CHECK(all[i] == i);
    MPI_Scatter(all, 1, MPI_INT, rank == 0 ? MPI_IN_PLACE : &one, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK(one == rank);
    MPI_Bcast(all, size, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK(all[size - 1] == size - 1);
    all[rank] = 100 + rank;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK(all[i] == 100 + i);
    MPI_Alltoall(all, 1, MPI_INT, two, 1, MPI_INT, MPI_COMM_WORLD);
    CHECK(two[0] == 100 + rank);
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = size - 1 - i;
    }
    MPI_Allgatherv(&rank, 1, MPI_INT, two, counts, places, MPI_INT, MPI_COMM_WORLD);
    CHECK(two[0] == size - 1);
    free(all), free(two), free(counts), free(places);
}

static void reductions(void) {
    int one = rank + 1, result, expected = 1, flag;
    struct { double value; int place; } mine = {-rank, rank}, best;
    MPI_Op op;
    MPI_Request request;
    MPI_Op_create(product, 1, &op);
    MPI_Op_commutative(op, &flag);
    CHECK(flag);
    for (int i = 1; i <= size; i++)
        expected *= i;
    MPI_Allreduce(&one, &result, 1, MPI_INT, op, MPI_COMM_WORLD);
    CHECK(result == expected);
    MPI_Op_free(&op);
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    CHECK(best.place == size - 1);
    MPI_Scan(&one, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(result == (rank + 1) * (rank + 2) / 2);
    MPI_Iallreduce(&one, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(result == size);
    MPI_Allreduce_init(&one, &result, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (one = rank + 5; one < rank + 7; one++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(result == one - rank);
    }
    MPI_Request_free(&request);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &rank, &rank, 1, MPI_INT, MPI_BOR, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    moves();
    reductions();
    MPI_Finalize();
    return 0;
}
