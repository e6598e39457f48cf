/* Threads that go wrong; the first argument says how. */
#include "check.h"
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *wait_for_ever(void *argument) {
    pthread_mutex_lock(&one);
    pthread_cond_wait(&never, &one);
    return argument;
}

static void *take_two_one(void *argument) {
    pthread_mutex_lock(&two);
    usleep(10);
    pthread_mutex_lock(&one);
    return argument;
}

static void *call_mpi(void *argument) {
    MPI_Barrier(MPI_COMM_WORLD);
    return argument;
}

static void *receive(void *argument) {
    MPI_Recv(&size, 1, MPI_INT, (rank + 1) % 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return argument;
}

static void *exit_all(void *argument) {
    usleep(10);
    exit(argument ? 3 : 0);
}

static void *fail(void *argument) {
    assert(argument && "a thread");
    return argument;
}

static void *overflow(void *argument) {
    volatile char frame[1 << 16];
    frame[0] = 1;
    return frame[0] ? overflow((void *)((char *)argument + frame[0])) : argument;
}

static void *take_and_receive(void *argument) {
    pthread_mutex_lock(&one);
    MPI_Recv(argument, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

static pthread_t start(void *(*function)(void *), void *argument) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, function, argument) == 0);
    return thread;
}

int main(int argc, char **argv) {
    int level = strcmp(argv[1], "funneled") == 0 ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE;
    MPI_Init_thread(&argc, &argv, level, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(argv[1], "condition") == 0) {
        pthread_join(start(wait_for_ever, NULL), NULL);
    } else if (strcmp(argv[1], "alone") == 0) {
        wait_for_ever(NULL);
    } else if (strcmp(argv[1], "locks") == 0) {
        start(take_two_one, NULL);
        pthread_mutex_lock(&one);
        usleep(20);
        pthread_mutex_lock(&two);
    } else if (strcmp(argv[1], "again") == 0) {
        pthread_mutex_lock(&one);
        pthread_mutex_lock(&one);
    } else if (strcmp(argv[1], "funneled") == 0) {
        pthread_join(start(call_mpi, NULL), NULL);
    } else if (strcmp(argv[1], "ranks") == 0) {
        pthread_join(start(receive, NULL), NULL);
        MPI_Send(&rank, 1, MPI_INT, (rank + 1) % 2, 3, MPI_COMM_WORLD);
    } else if (strcmp(argv[1], "held") == 0) {
        int got;
        pthread_mutex_lock(&one);
        start(take_and_receive, &got);
        MPI_Ssend(&rank, 1, MPI_INT, (rank + 1) % 2, 4, MPI_COMM_WORLD);
    } else if (strcmp(argv[1], "finalize") == 0) {
        start(receive, NULL);
        usleep(1);
    } else if (strcmp(argv[1], "exit") == 0) {
        start(exit_all, rank == 1 ? &rank : NULL);
        receive(NULL);
    } else if (strcmp(argv[1], "leave") == 0) {
        MPI_Finalize();
        start(exit_all, NULL);
        wait_for_ever(NULL);
    } else if (strcmp(argv[1], "assertion") == 0) {
        pthread_join(start(fail, rank == 1 ? NULL : &rank), NULL);
    } else if (strcmp(argv[1], "cancel") == 0) {
        pthread_cancel(start(wait_for_ever, NULL));
    } else if (strcmp(argv[1], "overflow") == 0) {
        pthread_join(start(overflow, NULL), NULL);
    } else if (strcmp(argv[1], "look") == 0) {
        start(wait_for_ever, NULL);
        while (argc)
            sched_yield();
    }
    MPI_Finalize();
    return 0;
}
