/* Every clock tells simulated time; sleeping lets it pass. */
#include "testing.h"
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(void) {
    struct timeval before, after;
    struct timespec pause = {3, 500000000};
    double start = monotonic();
    time_t day = time(NULL);
    gettimeofday(&before, NULL);
    sleep(100);
    usleep(250000);
    nanosleep(&pause, NULL);
    gettimeofday(&after, NULL);
    printf("%.3f %.3f %ld %ld %.2f\n", monotonic() - start,
           after.tv_sec - before.tv_sec + 1e-6 * (after.tv_usec - before.tv_usec),
           (long)(time(NULL) - day), (long)day, clock() / (double)CLOCKS_PER_SEC);
    MPI_Barrier(0);
    return 0;
}
