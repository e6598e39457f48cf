/* Two ranks send eight bytes to and fro; the argument says how often. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char data[8] = {0};
    int rank, turns = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int turn = 0; turn < 2 * turns; turn++) {
        if (turn % 2 == rank)
            MPI_Send(data, 8, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(data, 8, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
