/* Rank 0 puts eight bytes into the memory of rank 1 in each of several epochs of fences; the argument says how many. */
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
    MPI_Win_fence(0, window);
    for (int turn = 0; turn < turns; turn++) {
        if (rank == 0)
            MPI_Put(data, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, window);
        MPI_Win_fence(0, window);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
