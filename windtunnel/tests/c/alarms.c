/* Timers that expire while a rank waits in an MPI call. */
#include <mpi.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile int ticks;
static volatile double at[16];

static void tick(int signal) {
    (void)signal;
    if (ticks < 16)
        at[ticks] = MPI_Wtime();
    ticks++;
}

static void leave(int signal) {
    (void)signal;
    printf("gives up at %.3f\n", MPI_Wtime());
    exit(7);
}

static void leave_quietly(int signal) {
    (void)signal;
    exit(0);
}

static void stop(int signal) {
    (void)signal;
    fprintf(stderr, "timeout at %.3f\n", MPI_Wtime());
    MPI_Abort(MPI_COMM_WORLD, 9);
}

static void talk(int signal) {
    (void)signal;
    int value = 1;
    MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
}

static void every(double seconds) {
    struct timeval period = {(time_t)seconds, (suseconds_t)(1e6 * (seconds - (time_t)seconds))};
    struct itimerval timer = {period, period};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void show(void) {
    printf("%d ticks", ticks);
    for (int i = 0; i < ticks && i < 16; i++)
        printf(" %.3f", at[i]);
    printf("; %d at %.1f\n", ticks, MPI_Wtime());
}

static void receive(int source, int tag) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 0 sends after 5.5 seconds. */
static void late(int rank) {
    int value = 1;
    if (rank == 0) {
        usleep(5500000);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        receive(0, 0);
        show();
    }
}

/* A timer that is a descriptor. */
static void descriptor(void) {
    struct itimerspec times = {{0, 500000000}, {2, 0}}, left;
    unsigned long long count = 0;
    double begun = MPI_Wtime();
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct pollfd place = {timer, POLLIN, 0};
    timerfd_settime(timer, 0, &times, NULL);
    timerfd_gettime(timer, &left);
    printf("%ld.%ld", (long)left.it_value.tv_sec, left.it_interval.tv_nsec / 100000000);
    printf(" %d", poll(&place, 1, 100));
    printf(" %zd", read(timer, &count, sizeof count));
    printf(" %llu %.3f", count, MPI_Wtime() - begun);
    sleep(2);
    printf(" %zd", read(timer, &count, sizeof count));
    printf(" %llu %.3f", count, MPI_Wtime() - begun);
    printf(" %d", poll(&place, 1, -1));
    printf(" %.3f", MPI_Wtime() - begun);
    close(timer);
    /* One that is polled without blocking, at a date. */
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct itimerspec date = {{0, 0}, {now.tv_sec + 1, now.tv_nsec}};
    timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &date, NULL);
    begun = MPI_Wtime();
    while (read(timer, &count, sizeof count) < 0) {
    }
    double took = MPI_Wtime() - begun;
    printf(" %llu %s\n", count, took >= 1 && took < 1.1 ? "there" : "astray");
    close(timer);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *name = argv[1];
    signal(SIGALRM, tick);
    if (!strcmp(name, "once")) {
        if (rank == 1)
            alarm(2);
        late(rank);
    } else if (!strcmp(name, "periodic")) {
        if (rank == 1)
            every(1);
        late(rank);
    } else if (!strcmp(name, "created")) {
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
        struct itimerspec times = {{0, 250000000}, {4, 500000000}};
        timer_t timer;
        signal(SIGUSR1, tick);
        timer_create(CLOCK_MONOTONIC, &event, &timer);
        if (rank == 1)
            timer_settime(timer, 0, &times, NULL);
        late(rank);
    } else if (!strcmp(name, "cancelled")) {
        alarm(1000);
        MPI_Barrier(MPI_COMM_WORLD);
        alarm(0);
        late(rank);
    } else if (!strcmp(name, "deadlock")) {
        if (rank == 1) {
            alarm(2);
            receive(0, 8);
        } else {
            receive(1, 8);
        }
    } else if (!strcmp(name, "endless")) {
        every(1);
        receive(1 - rank, 8);
    } else if (!strcmp(name, "leaves")) {
        signal(SIGALRM, leave);
        if (rank == 1) {
            alarm(3);
            receive(0, 8);
        }
    } else if (!strcmp(name, "leaves_barrier")) {
        signal(SIGALRM, leave_quietly);
        if (rank == 1)
            alarm(3);
        else
            sleep(10);
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (!strcmp(name, "stops")) {
        signal(SIGALRM, stop);
        if (rank == 1) {
            alarm(3);
            receive(0, 8);
        }
    } else if (!strcmp(name, "talks")) {
        signal(SIGALRM, talk);
        if (rank == 1)
            alarm(2);
        late(rank);
    } else if (!strcmp(name, "descriptor")) {
        if (rank == 0)
            descriptor();
    } else if (!strcmp(name, "guarded")) {
        /* A limit that is far away, as a watchdog, and messages in any order. */
        signal(SIGALRM, stop);
        alarm(100);
        int value = rank;
        if (rank == 0)
            for (int i = 1; i < 3; i++)
                receive(MPI_ANY_SOURCE, 0);
        else
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        alarm(0);
    }
    MPI_Finalize();
    return 0;
}
