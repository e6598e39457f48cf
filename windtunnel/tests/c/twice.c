/* Calls that are equal but for their lines: in the branches of a condition, and in two functions. */
#include <mpi.h>

static void first(int *into)
{
    MPI_Recv(into, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* line 6 */
}

static void second(int *into)
{
    MPI_Recv(into, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* line 11 */
}

static void branches(int rank, int *value)
{
    int other = rank ^ 1;
    if (rank % 2 == 0) {
        *value = 2;
        MPI_Ssend(value, 1, MPI_INT, other, 0, MPI_COMM_WORLD); /* line 19 */
    } else {
        *value = 3;
        MPI_Ssend(value, 1, MPI_INT, other, 0, MPI_COMM_WORLD); /* line 22 */
    }
    MPI_Recv(value, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, value = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1) {
        void (*volatile chosen[2])(int *) = {first, second};
        chosen[rank](&value);
    } else {
        branches(rank, &value);
    }
    MPI_Finalize();
    return 0;
}
