/* Ranks and threads that wait in loops without a call until memory changes. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

struct shared {
    atomic_int lock, count, sense;
    volatile int flag;
    volatile double number;
    int total;
};

static struct shared *all;
static int rank, size;
static volatile int ready, answer, alarmed;

static void lock(void) { while (atomic_exchange(&all->lock, 1)); }

static void barrier(int *sense) {
    *sense = !*sense;
    if (atomic_fetch_add(&all->count, 1) < size - 1) {
        while (atomic_load(&all->sense) != *sense);
        return;
    }
    atomic_store(&all->count, 0);
    atomic_store(&all->sense, *sense);
}

static int is_raised(const struct shared *of) { return of->flag; }

static void *other(void *nothing) {
    while (!ready);
    answer = 42;
    return nothing;
}

static void on_alarm(int signal) { alarmed = signal; }

int main(int argc, char **argv) {
    const char *what = argv[1];
    int unit, turn, sense = 0;
    pthread_t thread;
    MPI_Aint bytes;
    MPI_Win window;
    if (!strcmp(what, "thread")) pthread_create(&thread, NULL, other, NULL);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate_shared(rank ? 0 : sizeof *all, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &all, &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &all);
    if (rank == 0) memset((void *)all, 0, sizeof *all);
    MPI_Win_lock_all(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(what, "flag")) {
        /* The last rank raises it after a message that the first one has to take before. */
        if (rank == size - 1) {
            MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            windtunnel_compute(1e-4);
            all->number = 1.5;
            all->flag = 1;
        } else {
            if (rank == 0) MPI_Recv(&turn, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1)
                while (all->number == 0);
            while (!is_raised(all));
        }
    } else if (!strcmp(what, "locks")) {
        for (turn = 0; turn < 10; turn++) {
            lock();
            all->total += rank;
            if (turn % 3 == 0) MPI_Win_sync(window);
            atomic_store(&all->lock, 0);
            barrier(&sense);
        }
        if (all->total != 10 * size * (size - 1) / 2) printf("wrong: %d\n", all->total);
    } else if (!strcmp(what, "thread")) {
        ready = 1;
        while (!answer);
        pthread_join(thread, NULL);
    } else if (!strcmp(what, "alarm")) {
        signal(SIGALRM, on_alarm);
        alarm(1);
        while (!alarmed);
    } else if (!strcmp(what, "timeout") || !strcmp(what, "ticks")) {
        /* A message that does not come until the time is over, or never comes. */
        struct itimerval each = {{0, 10000}, {0, 10000}};
        MPI_Request request;
        int done = 0;
        signal(SIGALRM, on_alarm);
        MPI_Irecv(&turn, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
        if (!strcmp(what, "ticks")) {
            setitimer(ITIMER_REAL, &each, NULL);
            while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        }
        alarm(1);
        while (!done && !alarmed) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (!strcmp(what, "never")) {
        if (rank < 2)
            while (!all->flag)
                turn = rank;
        else
            MPI_Recv(&turn, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
