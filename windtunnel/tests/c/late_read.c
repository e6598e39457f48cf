/* A rank computes for long on this machine and then reads a buffer that a receive owns: line 17. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, early, *into = malloc(4000);
    double sum = 1;
    long turn;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(into, 1000, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    for (turn = 0; turn < 60000000; turn++) sum = sum * 1.0000001 + 1e-9;
    early = into[0];
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (sum < 0) printf("%d\n", early);
    free(into);
    MPI_Finalize();
    return 0;
}
