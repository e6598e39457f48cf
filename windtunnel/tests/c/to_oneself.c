/* Each rank waits for itself, or rank 0 sends what nobody receives: as the argument says. */
#include <mpi.h>
#include <string.h>
int main(int argc, char **argv) {
    int rank, out = 1, in = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(argv[1], "send")) {
        MPI_Send(&out, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (!strcmp(argv[1], "receive")) {
        MPI_Recv(&in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&out, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
    } else if (!strcmp(argv[1], "synchronous")) {
        MPI_Ssend(&out, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 0)
        MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
