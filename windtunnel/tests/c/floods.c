/* Keeps 64 messages of 32 MiB under way, which nobody has received yet. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    static char data[32 << 20];
    MPI_Request requests[64];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 64; i++) {
        if (rank == 0)
            MPI_Isend(data, sizeof data, MPI_CHAR, 1, i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 64; i++)
        if (rank == 1)
            MPI_Recv(data, sizeof data, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Waitall(64, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
