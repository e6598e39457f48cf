/* All ranks share one array and read each other's part. */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size, unit;
    long *own, *first;
    MPI_Aint bytes;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate_shared(sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
    MPI_Win_fence(0, window);
    *own = 10 * rank;
    MPI_Win_fence(0, window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &first);
    if (first[size - 1] != 10 * (size - 1))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
