/* Each rank adds to a counter of the next one and completes that; the argument says how often. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long *counter, one = 1, before;
    int rank, size, turns = atoi(argv[1]);
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window);
    *counter = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    for (int turn = 0; turn < turns; turn++) {
        MPI_Fetch_and_op(&one, &before, MPI_LONG, (rank + 1) % size, 0, MPI_SUM, window);
        MPI_Win_flush((rank + 1) % size, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
