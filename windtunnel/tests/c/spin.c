/* Ranks take turns with a lock in a window of rank 0. With an argument it is taken from the beginning. */
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Win window;
    int rank, size, *lock, one = 1, zero = 0, before;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &lock, &window);
    MPI_Win_lock_all(0, window);
    *lock = argc > 1;
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    do {
        MPI_Compare_and_swap(&one, &zero, &before, MPI_INT, 0, 0, window);
        MPI_Win_flush(0, window);
    } while (before != 0);
    /* The others look for far longer than ranks that wait for nothing may. */
    windtunnel_compute(0.5);
    MPI_Accumulate(&zero, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, window);
    MPI_Win_flush(0, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
