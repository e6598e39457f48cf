/* Says who it is. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("%s: %d of %d\n", argc > 1 ? argv[1] : "", rank, size);
    MPI_Finalize();
    return 0;
}
