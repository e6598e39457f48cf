/* The memory of a receive is released before the message comes, as a Fortran compiler does with a copy of a section. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    enum { COUNT = 1000 };
    int rank, size, at;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *from = malloc(COUNT * sizeof *from), *into;
    for (at = 0; at < COUNT; at++) from[at] = rank;
    MPI_Isend(from, COUNT, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    free(from);
    into = malloc(COUNT * sizeof *into);
    MPI_Irecv(into, COUNT, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    free(into);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
