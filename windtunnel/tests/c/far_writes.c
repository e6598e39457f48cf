/* Rank 0 writes far beyond an array on its stack: where no stack is, or up to the stack of rank 1 and over it. */
#include <mpi.h>
#include <stdint.h>
#include <string.h>

static void __attribute__((noinline)) fill(volatile char *from, intptr_t first, intptr_t end) {
    for (intptr_t at = first; at < end; at++)
        from[at] = 1;
}

int main(int argc, char **argv) {
    int rank;
    char mine[4096] = {0};
    intptr_t here = (intptr_t)mine, there;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv(&here, 1, MPI_AINT, !rank, 0, &there, 1, MPI_AINT, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(argv[1], "nowhere") && rank == 0)
        fill(mine, 72 << 20, (72 << 20) + 100);
    if (!strcmp(argv[1], "neighbour") && here < there)
        fill(mine, 128 << 10, there + 4000 - here);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
