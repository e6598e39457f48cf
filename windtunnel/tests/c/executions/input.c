/* Rank 0 reads standard input; without it the program goes another way. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, steps = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && scanf("%d", &steps) != 1) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d steps\n", steps);
    MPI_Finalize();
    return 0;
}
