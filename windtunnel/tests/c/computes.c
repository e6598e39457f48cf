/* Computes between calls; the first argument says what else it does. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile double sum;

static void work(long steps)
{
    for (long step = 0; step < steps; step++)
        sum += 1.0 / (double)(step + 1);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int rank, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    work(rank == 0 ? 4000000 : 400000);
    MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (strcmp(what, "more") == 0 && rank == 1)
        MPI_Gather(&rank, 1, MPI_INT, &token, 1, MPI_INT, 0, MPI_COMM_SELF);
    if (strcmp(what, "clocks") == 0) {
        struct timespec begun, ended;
        clock_gettime(CLOCK_REALTIME, &begun);
        usleep(20000);
        clock_gettime(CLOCK_REALTIME, &ended);
        double slept = (double)(ended.tv_sec - begun.tv_sec)
                       + 1e-9 * (double)(ended.tv_nsec - begun.tv_nsec);
        if (rank == 0)
            printf("%s, slept %s, MPI %s\n", time(NULL) < 1000000000 ? "then" : "today",
                   slept >= 0.02 && slept < 10 ? "well" : "badly",
                   MPI_Wtime() < 0.02 ? "did not" : "did");
    }
    if (strcmp(what, "fails") == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(what, "less") != 0)
        MPI_Barrier(MPI_COMM_WORLD);
    work(400000);
    MPI_Finalize();
    return 0;
}
