/* All ranks look at a counter that nobody changes. The argument says how. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    long *memory, one = 1, value = 0;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    int locks = !strcmp(argv[1], "locks"), fetches = !strcmp(argv[1], "fetches");
    if (!locks) MPI_Win_lock_all(0, window);
    while (value == 0) {
        if (locks) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        if (fetches)
            MPI_Fetch_and_op(&one, &value, MPI_LONG, 0, 0, MPI_NO_OP, window);
        else
            MPI_Get(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window);
        if (locks)
            MPI_Win_unlock(0, window);
        else
            MPI_Win_flush(0, window);
    }
    if (!locks) MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
