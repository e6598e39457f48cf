/* Rank 1 never calls MPI again. */
#include <mpi.h>
#include <stdio.h>

static volatile unsigned turning = 1;

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "rank %d is here\n", rank);
    if (rank == 1)
        while (turning) {
            turning += 2; } /* line 14 */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
