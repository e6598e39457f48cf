/* A number is received, and used as a count before it is known to be there; ranks print parts of one line in turn. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, count = -1, mine = 4, data[8] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int turn = 0; turn < size; turn++) {
        if (turn == rank) {
            printf("part %d%s", rank, rank < size - 1 ? ", " : "\n");
            fflush(stdout);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Iallreduce(&mine, &count, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &request);
    if (argc < 2)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Bcast(data, count, MPI_INT, 0, MPI_COMM_WORLD);
    if (argc > 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
