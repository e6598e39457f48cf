/* A rank computes for ever in some executions: the argument says in which. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    volatile unsigned even = 0;
    int rank, size, from, before = 0, falls = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double start = MPI_Wtime();
    if (strcmp(argv[1], "late") == 0) {
        falls = rank == 0 && start > 1e-6;
    } else if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 1; i < size; i++) {
            MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            falls += from < before;
            before = from;
        }
        falls = falls == size - 2;
    }
    while (falls && even % 2 == 0) even += 2;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
