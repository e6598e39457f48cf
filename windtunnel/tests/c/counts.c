/* Each rank adds to a counter of rank 0, which loads it: after a barrier, or much later, if there is an argument. Nothing
   in this program polls. */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size, one = 1, *counter;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window);
    *counter = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_flush(0, window);
    if (argc == 1) MPI_Barrier(MPI_COMM_WORLD);
    else windtunnel_compute(1);
    if (rank == 0 && *(volatile int *) counter != size) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
