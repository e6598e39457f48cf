/* Sleeps of a few milliseconds by every function, which no reading of the clock shows to be shorter. */
#include <mpi.h>
#include <poll.h>
#include <stdio.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int turn, early = 0;
    MPI_Init(&argc, &argv);
    for (turn = 0; turn < 2000; turn++) {
        struct timespec pause = {0, 2000000};
        struct timeval limit = {0, 2000};
        double begun = MPI_Wtime();
        switch (turn % 5) {
        case 0: usleep(2000); break;
        case 1: nanosleep(&pause, NULL); break;
        case 2: clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL); break;
        case 3: poll(NULL, 0, 2); break;
        default: select(0, NULL, NULL, NULL, &limit); break;
        }
        early += MPI_Wtime() - begun < 0.002;
    }
    printf("%d of %d sleeps are too short\n", early, turn);
    MPI_Finalize();
    return 0;
}
