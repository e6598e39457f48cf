/* Programs that wait for a time to come: with the clock alone, and while they ask for a message. */
#include "check.h"
#include <sys/time.h>
#include <time.h>

static double of_day(void) {
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

static double processor(void) { return (double)clock() / CLOCKS_PER_SEC; }

static double date(void) { return (double)time(NULL); }

static void until(double (*clock)(void), double seconds) {
    double start = clock(), begun = MPI_Wtime();
    while (clock() - start < seconds) {
    }
    CHECK(MPI_Wtime() - begun < 1.1 * seconds);
}

/* Nobody sends: the program gives up when the time is over. */
static void in_vain(void) {
    double start = MPI_Wtime();
    int flag = 0, value;
    while (!flag && MPI_Wtime() - start < 0.25)
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag && MPI_Wtime() - start < 0.3);
    MPI_Request request;
    start = MPI_Wtime();
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
    while (!flag && MPI_Wtime() - start < 0.25)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* One rank sends late; the others ask all the time. */
static void late(void) {
    int value = 5, flag = 0;
    MPI_Request request;
    if (rank == 0) {
        double start = MPI_Wtime();
        while (MPI_Wtime() - start < 0.002) {
        }
        for (int i = 1; i < size; i++)
            MPI_Send(&value, 1, MPI_INT, i, 2, MPI_COMM_WORLD);
        return;
    }
    value = -1;
    MPI_Irecv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    CHECK(value == 5);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    /* Who reads the clock now and then loses no time. */
    double start = MPI_Wtime();
    for (int i = 0; i < 100; i++)
        CHECK(MPI_Wtime() == start);
    until(MPI_Wtime, 1e-4);
    until(MPI_Wtime, 1.0);
    for (int i = 0; i < 20; i++)
        until(MPI_Wtime, 0.05);
    until(of_day, 0.5);
    until(processor, 0.5);
    start = date();
    while (date() - start < 2) {
    }
    in_vain();
    MPI_Barrier(MPI_COMM_WORLD);
    late();
    MPI_Finalize();
    return 0;
}
