/* Each rank hands one float on to the next; the argument says how many rounds. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, rounds = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    float mine = rank, other;
    for (int step = 0; step < rounds * size; step++) {
        MPI_Sendrecv(&mine, 1, MPI_FLOAT, (rank + 1) % size, 0, &other, 1, MPI_FLOAT,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        mine = other;
    }
    if (mine != rank)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
