/* Draws numbers from a counter in a window, without a flush: what is drawn may never be there. With an argument
   each is flushed. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, one = 1, drawn = 0, *counter;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &counter, &window);
    if (rank == 0)
        *counter = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    do {
        MPI_Fetch_and_op(&one, &drawn, MPI_INT, 0, 0, MPI_SUM, window);
        if (argc > 1)
            MPI_Win_flush(0, window);
    } while (drawn < 20);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
