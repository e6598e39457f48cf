/* Faults before its first MPI call. */
#include <mpi.h>

int main(int argc, char **argv) {
    if (argc < 2)
        *(volatile int *)8 = 1;
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
