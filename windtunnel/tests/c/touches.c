/* Each rank fills 64 MiB before its first call, or one rank 64 GiB without any. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    static char *all[1024];
    size_t block = 64 << 20;
    if (argc > 1)
        for (int i = 0; i < 1024; i++)
            memset(all[i] = malloc(block), i, block);
    char *own = malloc(block);
    memset(own, 1, block);
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    free(own);
    return 0;
}
