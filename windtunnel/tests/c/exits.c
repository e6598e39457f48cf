/* Rank 1 ends as its argument says: with an exit code, by abort, or well. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && strcmp(argv[1], "abort") == 0) {
        MPI_Abort(MPI_COMM_WORLD, 7);
    }
    MPI_Finalize();
    return rank == 1 && strcmp(argv[1], "exit") == 0 ? 3 : 0;
}
