/* Passes numbers round a ring: every rank sends to the right, then receives from the left. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = argc > 1 ? atoi(argv[1]) : 1;
    int *mine = calloc(count, sizeof *mine), *others = calloc(count, sizeof *others);
    mine[0] = rank;
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Send(mine, count, MPI_INT, right, 0, MPI_COMM_WORLD);
    MPI_Recv(others, count, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d received %d\n", rank, others[0]);
    free(mine);
    free(others);
    MPI_Finalize();
    return 0;
}
