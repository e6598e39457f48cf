/* The sum of sixteen doubles over all ranks; the argument says how often. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double mine[16], sum[16];
    int rank, times = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int at = 0; at < 16; at++)
        mine[at] = rank + at;
    for (int turn = 0; turn < times; turn++)
        MPI_Allreduce(mine, sum, 16, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
