/* Collectives with derived types, equal signatures written differently, nothing to move, in place,
   many at once, and on communicators that are freed meanwhile. */
#include "check.h"

enum { MOST = 8 };
#define W MPI_COMM_WORLD
#define I MPI_INT

/* Ranks that are odd describe the same data by another type. */
static void other_words(void) {
    MPI_Datatype two, column;
    int a[4 * MOST], b[4 * MOST], matrix[4];
    MPI_Type_contiguous(2, I, &two);
    MPI_Type_vector(2, 1, 2, I, &column);
    MPI_Type_commit(&two), MPI_Type_commit(&column);
    for (int i = 0; i < 4; i++)
        a[i] = rank == 0 ? i + 1 : 0;
    if (rank % 2)
        MPI_Bcast(a, 2, two, 0, W);
    else
        MPI_Bcast(a, 4, I, 0, W);
    CHECK(a[0] == 1 && a[3] == 4);
    matrix[0] = 10 * rank, matrix[1] = -5, matrix[2] = 10 * rank + 1, matrix[3] = -5;
    /* The column here, two integers there. */
    MPI_Gather(matrix, 1, column, b, 2, I, 0, W);
    for (int i = 0; rank == 0 && i < size; i++)
        CHECK(b[2 * i] == 10 * i && b[2 * i + 1] == 10 * i + 1);
    MPI_Allgather(matrix, 1, column, b, 1, two, W);
    for (int i = 0; i < size; i++)
        CHECK(b[2 * i] == 10 * i && b[2 * i + 1] == 10 * i + 1);
    matrix[0] = matrix[2] = 0;
    MPI_Scatter(b, 2, I, matrix, 1, column, 0, W);
    CHECK(matrix[0] == 10 * rank && matrix[1] == -5 && matrix[2] == 10 * rank + 1);
    MPI_Alltoall(b, 1, two, a, 2, I, W);
    CHECK(a[2 * size - 1] == 10 * rank + 1);
    int counts[MOST], starts[MOST];
    for (int i = 0; i < size; i++)
        counts[i] = 2, starts[i] = 2 * (size - 1 - i);
    matrix[0] = rank, matrix[2] = -rank;
    MPI_Gatherv(matrix, 1, column, a, counts, starts, I, size - 1, W);
    for (int i = 0; rank == size - 1 && i < size; i++)
        CHECK(a[starts[i]] == i && a[starts[i] + 1] == -i);
    MPI_Type_free(&two), MPI_Type_free(&column);
}

/* A matrix in blocks: columns go out, rows come in. */
static void transpose(void) {
    int a[MOST][MOST], b[MOST][MOST], counts[MOST], from[MOST], into[MOST];
    MPI_Datatype column, types[MOST], rows[MOST];
    MPI_Type_vector(size, 1, MOST, I, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < size; i++) {
        counts[i] = 1, from[i] = 4 * i, into[i] = 4 * MOST * i, types[i] = column;
        MPI_Type_contiguous(size, I, &rows[i]);
        MPI_Type_commit(&rows[i]);
        for (int j = 0; j < size; j++)
            a[j][i] = 100 * rank + 10 * i + j;
    }
    MPI_Alltoallw(a, counts, from, types, b, counts, into, rows, W);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            CHECK(b[i][j] == 100 * i + 10 * rank + j);
    for (int i = 0; i < size; i++)
        MPI_Type_free(&rows[i]);
    MPI_Type_free(&column);
}

static void nothing(void) {
    int none[MOST] = {0};
    MPI_Datatype empty, types[MOST];
    MPI_Type_contiguous(0, I, &empty);
    MPI_Type_commit(&empty);
    for (int i = 0; i < MOST; i++)
        types[i] = I;
    MPI_Bcast(NULL, 0, I, 0, W);
    MPI_Bcast(NULL, 5, empty, 0, W);
    MPI_Gather(NULL, 0, I, NULL, 0, I, 0, W);
    MPI_Gatherv(NULL, 0, I, NULL, none, none, I, 0, W);
    MPI_Scatter(NULL, 0, I, NULL, 0, I, 0, W);
    MPI_Scatterv(NULL, none, none, I, NULL, 0, I, 0, W);
    MPI_Allgather(NULL, 0, I, NULL, 0, I, W);
    MPI_Allgatherv(NULL, 0, I, NULL, none, none, I, W);
    MPI_Alltoall(NULL, 0, I, NULL, 0, I, W);
    MPI_Alltoallv(NULL, none, none, I, NULL, none, none, I, W);
    MPI_Alltoallw(NULL, none, none, types, NULL, none, none, types, W);
    MPI_Reduce(NULL, NULL, 0, I, MPI_SUM, 0, W);
    MPI_Allreduce(NULL, NULL, 0, I, MPI_SUM, W);
    MPI_Reduce_scatter(NULL, NULL, none, I, MPI_SUM, W);
    MPI_Reduce_scatter_block(NULL, NULL, 0, I, MPI_SUM, W);
    MPI_Scan(NULL, NULL, 0, I, MPI_SUM, W);
    MPI_Exscan(NULL, NULL, 0, I, MPI_SUM, W);
    /* Arguments that do not count on this rank. */
    int a[MOST], one = rank;
    MPI_Gather(&one, 1, I, rank ? NULL : a, rank ? -7 : 1, rank ? MPI_DATATYPE_NULL : I, 0, W);
    MPI_Scatter(rank ? NULL : a, rank ? -7 : 1, rank ? MPI_DATATYPE_NULL : I, &one, 1, I, 0, W);
    CHECK(one == rank);
    MPI_Exscan(&rank, rank ? &one : NULL, 1, I, MPI_SUM, W);
    CHECK(one == rank * (rank - 1) / 2 || rank == 0);
    MPI_Reduce(&rank, rank ? NULL : &one, 1, I, MPI_SUM, 0, W);
    CHECK(rank || one == size * (size - 1) / 2);
    /* Some ranks bring nothing. */
    int counts[MOST], starts[MOST], total = 0;
    for (int i = 0; i < size; i++)
        counts[i] = i % 2, starts[i] = total, total += counts[i];
    MPI_Allgatherv(rank % 2 ? &rank : NULL, rank % 2, I, a, counts, starts, I, W);
    for (int i = 0; i < size; i++)
        CHECK(i % 2 == 0 || a[starts[i]] == i);
    MPI_Type_free(&empty);
}

static void in_place(void) {
    int a[2 * MOST], counts[MOST], starts[MOST], bytes[MOST];
    MPI_Datatype types[MOST];
    MPI_Request requests[4];
    for (int i = 0; i < size; i++)
        counts[i] = 1, starts[i] = 2 * i, bytes[i] = 8 * i, types[i] = I;
    for (int i = 0; i < 2 * MOST; i++)
        a[i] = 100 * rank + i;
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 2, I, W);
    for (int i = 0; i < size; i++)
        CHECK(a[2 * i] == 100 * i + 2 * rank && a[2 * i + 1] == 100 * i + 2 * rank + 1);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, a, counts, starts, I, W);
    for (int i = 0; i < size; i++)
        CHECK(a[2 * i] == 100 * rank + 2 * i);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, a, counts, bytes, types, W);
    for (int i = 0; i < size; i++)
        CHECK(a[2 * i] == 100 * i + 2 * rank);
    for (int i = 0; i < 2 * MOST; i++)
        a[i] = i / 2 == rank ? 50 + rank : -1;
    MPI_Allgatherv(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, a, counts, starts, I, W);
    for (int i = 0; i < size; i++)
        CHECK(a[2 * i] == 50 + i && a[2 * i + 1] == (i == rank ? 50 + rank : -1));
    for (int root = 0; root < size; root++) {
        int b[MOST], one = rank + 7;
        b[root] = rank + 7;
        MPI_Gather(rank == root ? MPI_IN_PLACE : &one, 1, I, b, 1, I, root, W);
        for (int i = 0; rank == root && i < size; i++)
            CHECK(b[i] == i + 7);
        a[2 * root] = rank + 9;
        one = rank + 9;
        MPI_Gatherv(rank == root ? MPI_IN_PLACE : &one, 1, I, a, counts, starts, I, root, W);
        for (int i = 0; rank == root && i < size; i++) {
            CHECK(a[2 * i] == i + 9);
            a[2 * i] = 60 + i;
        }
        one = -1;
        MPI_Scatterv(a, counts, starts, I, rank == root ? MPI_IN_PLACE : &one, 1, I, root, W);
        CHECK(one == (rank == root ? -1 : 60 + rank));
        MPI_Reduce(rank == root ? MPI_IN_PLACE : b, b, 1, I, MPI_MAX, root, W);
    }
    for (int i = 0; i < MOST; i++)
        a[i] = rank + i;
    MPI_Reduce_scatter_block(MPI_IN_PLACE, a, 1, I, MPI_SUM, W);
    CHECK(a[0] == size * (size - 1) / 2 + size * rank);
    for (int i = 0; i < MOST; i++)
        a[i] = rank + i;
    MPI_Reduce_scatter(MPI_IN_PLACE, a, counts, I, MPI_SUM, W);
    CHECK(a[0] == size * (size - 1) / 2 + size * rank);
    /* Nonblocking, on four buffers. */
    int b[4] = {rank, rank, rank, rank}, all[MOST];
    all[rank] = rank;
    MPI_Iallreduce(MPI_IN_PLACE, &b[0], 1, I, MPI_SUM, W, &requests[0]);
    MPI_Iscan(MPI_IN_PLACE, &b[1], 1, I, MPI_SUM, W, &requests[1]);
    MPI_Iexscan(MPI_IN_PLACE, &b[2], 1, I, MPI_SUM, W, &requests[2]);
    MPI_Iallgather(MPI_IN_PLACE, 0, I, all, 1, I, W, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    CHECK(b[0] == size * (size - 1) / 2 && b[1] == rank * (rank + 1) / 2);
    CHECK(b[2] == (rank ? rank * (rank - 1) / 2 : rank) && all[size - 1] == size - 1);
}

/* Many outstanding at once, completed in any order, with messages between. */
static void many(void) {
    enum { MANY = 60 };
    MPI_Request requests[MANY], started[3];
    int in[MANY], out[MANY], got = -1, next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int i = 0; i < MANY; i++) {
        in[i] = i + rank, out[i] = -1;
        if (i % 3 == 0)
            MPI_Iallreduce(&in[i], &out[i], 1, I, MPI_SUM, W, &requests[i]);
        else if (i % 3 == 1)
            MPI_Ibcast(&in[i], 1, I, i % size, W, &requests[i]);
        else
            MPI_Ibarrier(W, &requests[i]);
    }
    MPI_Sendrecv(&rank, 1, I, next, 0, &got, 1, I, before, 0, W, MPI_STATUS_IGNORE);
    CHECK(got == before);
    for (int done = 0; done < MANY / 2; done++) {
        int index;
        MPI_Waitany(MANY, requests, &index, MPI_STATUS_IGNORE);
        CHECK(index >= 0 && index < MANY && requests[index] == MPI_REQUEST_NULL);
    }
    MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; i++) {
        CHECK(i % 3 != 0 || out[i] == size * i + size * (size - 1) / 2);
        CHECK(i % 3 != 1 || in[i] == i + i % size);
    }
    /* Persistent ones, started together. */
    MPI_Allreduce_init(&in[0], &out[0], 1, I, MPI_MAX, W, MPI_INFO_NULL, &started[0]);
    MPI_Bcast_init(&in[1], 1, I, 0, W, MPI_INFO_NULL, &started[1]);
    MPI_Barrier_init(W, MPI_INFO_NULL, &started[2]);
    for (int again = 0; again < 3; again++) {
        in[0] = rank * again, in[1] = rank ? -1 : again;
        MPI_Startall(3, started);
        MPI_Waitall(3, started, MPI_STATUSES_IGNORE);
        CHECK(out[0] == (size - 1) * again && in[1] == again);
    }
    for (int i = 0; i < 3; i++) {
        MPI_Request_free(&started[i]);
        CHECK(started[i] == MPI_REQUEST_NULL);
    }
}

static void freed_meanwhile(void) {
    MPI_Comm twin, later;
    MPI_Request requests[3];
    int sum = -1, got = -1, result;
    MPI_Comm_dup(W, &twin);
    MPI_Iallreduce(&rank, &sum, 1, I, MPI_SUM, twin, &requests[0]);
    MPI_Irecv(&got, 1, I, (rank + size - 1) % size, 3, twin, &requests[1]);
    MPI_Isend(&rank, 1, I, (rank + 1) % size, 3, twin, &requests[2]);
    MPI_Comm_free(&twin);
    CHECK(twin == MPI_COMM_NULL);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    CHECK(sum == size * (size - 1) / 2 && got == (rank + size - 1) % size);
    MPI_Comm_dup(W, &twin);
    MPI_Comm_idup(twin, &later, &requests[0]);
    MPI_Comm_free(&twin);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Comm_compare(W, later, &result);
    CHECK(result == MPI_CONGRUENT);
    MPI_Comm_disconnect(&later);
    CHECK(later == MPI_COMM_NULL);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    other_words();
    transpose();
    nothing();
    in_place();
    many();
    freed_meanwhile();
    MPI_Finalize();
    return 0;
}
