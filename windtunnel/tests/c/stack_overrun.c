/* Rank 1 writes far beyond a variable on the stack: itself, or by a receive of the same bytes of rank 0. The second argument says how far. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int rank, small[2];
    volatile int at, count = atoi(argv[2]);
    char *data = calloc(count, 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(argv[1], "receive"))
        MPI_Sendrecv(data, count, MPI_CHAR, !rank, 0, small, count, MPI_CHAR, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (!strcmp(argv[1], "own") && rank == 0)
        MPI_Send(small, count, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    else if (!strcmp(argv[1], "own"))
        MPI_Recv(small, count, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank == 1)
        for (at = 0; at < count; at++) ((volatile char *)small)[at] = 'x';
    MPI_Finalize();
    free(data);
    return 0;
}
