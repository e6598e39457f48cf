/* Without an argument other than 0 it ends at once, and with one never. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    volatile long steps = 0;
    MPI_Init(&argc, &argv);
    while (argc > 1 && atoi(argv[1]))
        steps++;
    MPI_Finalize();
    return 0;
}
