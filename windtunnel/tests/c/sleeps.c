/* Sleeps until a timer has fired; what it prints does not end its last line. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;

static void tick(int number)
{
    (void)number;
    ticks++;
}

int main(int argc, char **argv)
{
    struct itimerval soon = {{0, 0}, {0, 1000}};
    struct timespec until;
    MPI_Init(&argc, &argv);
    signal(SIGALRM, tick);
    setitimer(ITIMER_REAL, &soon, NULL);
    while (!ticks) {
        if (argc > 1 && !strcmp(argv[1], "until")) {
            clock_gettime(CLOCK_REALTIME, &until);
            until.tv_nsec += 500000;
            until.tv_sec += until.tv_nsec / 1000000000;
            until.tv_nsec %= 1000000000;
            clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
        } else {
            usleep(500);
        }
    }
    printf("%d tick", (int)ticks);
    MPI_Finalize();
    return 0;
}
