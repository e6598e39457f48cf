/* Parent and child each wait for the other's message. */
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Comm other;
    int value;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other,
                       MPI_ERRCODES_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, 0, 0, other);
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
