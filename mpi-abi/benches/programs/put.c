/* Rank 0 puts eight bytes into the memory of rank 1 and completes each of them; the argument says how often. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char data[8] = {0}, *memory;
    int rank, turns = atoi(argv[1]);
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    if (rank == 0)
        for (int turn = 0; turn < turns; turn++) {
            MPI_Put(data, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, window);
            MPI_Win_flush(1, window);
        }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
