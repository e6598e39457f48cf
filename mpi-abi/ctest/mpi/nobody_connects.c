/* Waits at a port to which nobody comes. */
#include <mpi.h>

int main(int argc, char **argv) {
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm other;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    }
    MPI_Finalize();
    return 0;
}
