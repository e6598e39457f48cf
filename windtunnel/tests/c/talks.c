/* Writes more than a pipe takes, and aborts if a process that it starts ignores SIGPIPE. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int line = 0; line < 20000; line++)
        puts("a line of the program");
    fflush(stdout);
    /* SIGPIPE is number 13: bit 12 of the ignored signals. */
    if (system("test $((0x$(sed -n 's/^SigIgn:\t//p' /proc/self/status) >> 12 & 1)) -eq 0"))
        MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Finalize();
    return 0;
}
