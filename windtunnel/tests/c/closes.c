/* Ranks close descriptors, their own and others: nobody else may notice. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
    const char *how = argv[1];
    int rank;
    if (strcmp(how, "before") == 0)
        for (int i = 3; i < 1024; i++)
            close(i);
    if (strcmp(how, "range") == 0)
        close_range(3, ~0u, 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(how, "all") == 0)
        for (int i = 0; i < 1024; i++)
            close(i);
    if (strcmp(how, "quiet") == 0 && rank != 0)
        dup2(open("/dev/null", O_WRONLY), 1);
    if (strcmp(how, "file") == 0 && rank == 0) {
        close(1);
        open(argv[2], O_CREAT | O_WRONLY | O_TRUNC, 0644);
    }
    if (strcmp(how, "raw") == 0) {
        syscall(SYS_close, 1);
        syscall(SYS_close, 2);
        open(argv[2], O_CREAT | O_WRONLY | O_TRUNC, 0644);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("result %d\n", rank);
    MPI_Finalize();
    return 0;
}
