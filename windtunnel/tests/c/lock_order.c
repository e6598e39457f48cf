/* Ranks 0 and 1 take two locks of rank 2, each in its own order. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 1;
    MPI_Win one, two;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &one);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &two);
    if (rank < 2) {
        MPI_Win first = rank == 0 ? one : two, second = rank == 0 ? two : one;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, first);
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, first);
        MPI_Win_flush(2, first);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, second);
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, second);
        MPI_Win_unlock(2, second);
        MPI_Win_unlock(2, first);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&one);
    MPI_Win_free(&two);
    MPI_Finalize();
    return 0;
}
