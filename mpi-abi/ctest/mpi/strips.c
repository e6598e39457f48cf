/* Nonblocking messages of rows and columns, completed in every way. */
#include "check.h"

#include <string.h>

enum { SIDE = 7 };

static int rank, size, next, before;

/* Exchanges two columns and two rows with the neighbours, and completes the requests by `how`. */
static void exchange(MPI_Datatype type, int bytes, int how)
{
    char out[SIDE][SIDE][8], in[SIDE][SIDE][8], wanted[SIDE][SIDE][8];
    MPI_Datatype column;
    MPI_Type_vector(SIDE, 1, SIDE * 8 / bytes, type, &column);
    MPI_Type_commit(&column);
    memset(in, 0, sizeof in);
    memset(wanted, 0, sizeof wanted);
    for (int at = 0; at < (int)sizeof out; at++)
        ((char *)out)[at] = at * 3 + rank;
    for (int row = 0; row < SIDE; row++)
        for (int byte = 0; byte < 8; byte++) {
            int here = (row * SIDE) * 8 + byte;
            if (byte < bytes) {
                wanted[row][0][byte] = (here + 1 * 8) * 3 + before;
                wanted[row][SIDE - 1][byte] = (here + 2 * 8) * 3 + next;
            }
        }
    for (int at = 0; at < 3 * bytes; at++)
        ((char *)wanted[3][2])[at] = (SIDE * 8 * 5 + at) * 3 + before;

    MPI_Request r[8];
    MPI_Status statuses[8];
    MPI_Irecv(in[0][0], 1, column, before, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(in[0][SIDE - 1], 1, column, next, 2, MPI_COMM_WORLD, &r[1]);
    MPI_Irecv(in[3][2], 3, type, before, MPI_ANY_TAG, MPI_COMM_WORLD, &r[2]);
    MPI_Irecv(in[5][5], 0, type, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[3]);
    MPI_Isend(out[0][1], 1, column, next, 1, MPI_COMM_WORLD, &r[4]);
    MPI_Isend(out[0][2], 1, column, before, 2, MPI_COMM_WORLD, &r[5]);
    MPI_Isend(out[5][0], 3, type, next, 3, MPI_COMM_WORLD, &r[6]);
    r[7] = MPI_REQUEST_NULL;
    if (how == 0) {
        MPI_Waitall(8, r, statuses);
        CHECK(statuses[0].MPI_SOURCE == before && statuses[0].MPI_TAG == 1);
        CHECK(statuses[3].MPI_SOURCE == MPI_PROC_NULL);
        int count;
        MPI_Get_count(&statuses[2], type, &count);
        CHECK(count == 3 && statuses[2].MPI_TAG == 3);
    } else if (how == 1) {
        for (int at = 7; at >= 0; at--)
            MPI_Wait(&r[at], MPI_STATUS_IGNORE);
    } else if (how == 2) {
        int index, ended = 0;
        while (MPI_Waitany(8, r, &index, statuses), index != MPI_UNDEFINED)
            ended++;
        CHECK(ended == 7);
    } else {
        for (int flag = 0; !flag;)
            MPI_Request_get_status(r[0], &flag, statuses);
        MPI_Request_free(&r[6]);
        MPI_Waitall(7, r, MPI_STATUSES_IGNORE);
    }
    for (int at = 0; at < 8; at++)
        CHECK(r[at] == MPI_REQUEST_NULL);
    CHECK(memcmp(in, wanted, sizeof in) == 0);
    MPI_Type_free(&column);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    for (int how = 0; how < 4; how++) {
        exchange(MPI_DOUBLE, 8, how);
        exchange(MPI_INT, 4, how);
        exchange(MPI_SHORT, 2, how);
    }
    MPI_Finalize();
    return 0;
}
