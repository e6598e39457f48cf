/* A put of data, then an atomic flag, which may overtake it. With the argument `flush` the data are complete before. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, flushes = argc > 1 && !strcmp(argv[1], "flush");
    long *memory, one = 1, sent = 42, none = 0, flag = 0, seen = 42;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memory[0] = memory[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        MPI_Put(&sent, 1, MPI_LONG, 1, 1, 1, MPI_LONG, window);
        if (flushes) MPI_Win_flush(1, window);
        MPI_Accumulate(&one, 1, MPI_LONG, 1, 0, 1, MPI_LONG, MPI_REPLACE, window);
        MPI_Win_flush(1, window);
    } else if (rank == 1) {
        while (!flag) {
            MPI_Fetch_and_op(&none, &flag, MPI_LONG, 1, 0, MPI_NO_OP, window);
            MPI_Win_flush(1, window);
        }
        MPI_Win_sync(window);
        seen = memory[1];
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return seen != 42;
}
