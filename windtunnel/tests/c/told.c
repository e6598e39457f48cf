/* What findings say: how often, of whom, in whose words, and who called. The tests know the lines. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, buffer[64];

static void post(MPI_Request *request, int from) { /* line 8 */
    MPI_Irecv(buffer, 1, MPI_INT, from, 0, MPI_COMM_WORLD, request); /* line 9 */
}

static void finish(MPI_Request *request) {
    MPI_Wait(request, MPI_STATUS_IGNORE); /* line 13 */
}

static void solve(int from) {
    MPI_Request request;
    post(&request, from); /* line 18 */
    finish(&request);     /* line 19 */
}

/* Sixty-four receives into one place, a hundred times. */
static void one_buffer(void) {
    MPI_Request requests[64];
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 64; i++)
            if (rank) MPI_Isend(&buffer[i], 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &requests[i]);
            else post(&requests[i], 1);
        if (rank < 2) MPI_Waitall(64, requests, MPI_STATUSES_IGNORE);
    }
}

static void make(MPI_Comm *comm) {
    MPI_Comm_dup(MPI_COMM_WORLD, comm); /* line 34 */
}

static void leak(void) {
    MPI_Comm comm;
    for (int i = 0; i < 5; i++) make(&comm); /* line 39 */
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!strcmp(how, "one buffer")) one_buffer();
    if (!strcmp(how, "waits")) solve(1 - rank); /* line 48 */
    if (!strcmp(how, "leaks")) leak();          /* line 49 */
    if (!strcmp(how, "both")) {
        leak();
        if (rank == 0) MPI_Comm_dup(MPI_COMM_SELF, &(MPI_Comm){MPI_COMM_NULL});
    }
    if (!strcmp(how, "sends"))
        for (int i = 0; i < 100; i++) MPI_Send(&i, 1, MPI_INT, (rank + 1) % ranks, 3, MPI_COMM_WORLD);
    if (!strcmp(how, "disagrees")) {
        if (rank) MPI_Barrier(MPI_COMM_WORLD);
        else MPI_Allreduce(&rank, buffer, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (!strcmp(how, "amounts")) {
        if (rank) MPI_Bcast(buffer, 2, MPI_INT, 0, MPI_COMM_WORLD); /* line 61 */
        else MPI_Bcast(buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);      /* line 62 */
    }
    if (!strcmp(how, "any")) {
        MPI_Status status;
        if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD); /* line 66 */
        else MPI_Recv(buffer, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status); /* line 67 */
        if (!rank) MPI_Recv(buffer, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &status); /* line 68 */
    }
    if (!strcmp(how, "one too many")) {
        MPI_Request requests[2];
        for (int tag = 0; tag < 2; tag++)
            MPI_Isend(&ranks, 1, MPI_INT, (rank + 1) % ranks, tag, MPI_COMM_WORLD, &requests[tag]); /* line 73 */
        MPI_Recv(buffer, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* line 75 */
    }
    if (!strcmp(how, "views")) {
        MPI_File file;
        MPI_File_open(MPI_COMM_WORLD, "views.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
        MPI_File_write_ordered(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_set_view(file, 1000 * (rank + 1), MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
        MPI_File_write_all(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_write_shared(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE); /* line 83 */
        MPI_File_close(&file);
    }
    if (!strcmp(how, "blocks")) {
        int blocks[2][64] = {{0}}, each = rank == 3 ? 1 : 2;
        MPI_Alltoall(blocks[0], each, MPI_INT, blocks[1], each, MPI_INT, MPI_COMM_WORLD); /* line 88 */
    }
    MPI_Finalize();
    return !strcmp(how, "exits");
}
