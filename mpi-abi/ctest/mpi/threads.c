/* Several threads of a rank call MPI: each call blocks the thread that makes it, and no other. */
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
#include <unistd.h>

#define W MPI_COMM_WORLD
#define THREADS 4

static int level;

/* Each thread exchanges messages with its like on the next and the previous rank. */
static void *exchange(void *argument) {
    int mine = *(int *)argument, in = -1, main_thread = 1;
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Is_thread_main(&main_thread);
    CHECK(!main_thread);
    for (int round = 0; round < 10; round++) {
        int out = 1000 * rank + 10 * mine + round;
        MPI_Sendrecv(&out, 1, MPI_INT, next, mine, &in, 1, MPI_INT, before, mine, W,
                     MPI_STATUS_IGNORE);
        CHECK(in == 1000 * before + 10 * mine + round);
    }
    return argument;
}

static void all_exchange(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS], main_thread = 0;
    MPI_Is_thread_main(&main_thread);
    CHECK(main_thread);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, exchange, &numbers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *result;
        CHECK(pthread_join(threads[i], &result) == 0);
        CHECK(result == &numbers[i]);
    }
}

/* One thread sends to the rank's own other thread. */
static void *receive_own(void *argument) {
    MPI_Recv(argument, 1, MPI_INT, rank, 99, W, MPI_STATUS_IGNORE);
    return NULL;
}

static void send_to_self(void) {
    pthread_t thread;
    int in = 0, out = rank + 7;
    CHECK(pthread_create(&thread, NULL, receive_own, &in) == 0);
    MPI_Ssend(&out, 1, MPI_INT, rank, 99, W);
    pthread_join(thread, NULL);
    CHECK(in == out);
}

/* A queue of work on rank 0: a thread fills it, workers empty it and send what they found. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    int items[2], count, closed, sum;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .filled = PTHREAD_COND_INITIALIZER,
           .emptied = PTHREAD_COND_INITIALIZER};

static void *work(void *argument) {
    pthread_mutex_lock(&queue.lock);
    for (;;) {
        while (queue.count == 0 && !queue.closed)
            pthread_cond_wait(&queue.filled, &queue.lock);
        if (queue.count == 0)
            break;
        int item = queue.items[--queue.count];
        pthread_cond_signal(&queue.emptied);
        pthread_mutex_unlock(&queue.lock);
        windtunnel_compute(1e-6 * item);
        MPI_Send(&item, 1, MPI_INT, item % size, 5, W);
        pthread_mutex_lock(&queue.lock);
        queue.sum += item;
    }
    pthread_mutex_unlock(&queue.lock);
    return argument;
}

static void put(int item) {
    pthread_mutex_lock(&queue.lock);
    while (queue.count == 2)
        pthread_cond_wait(&queue.emptied, &queue.lock);
    queue.items[queue.count++] = item;
    pthread_cond_signal(&queue.filled);
    pthread_mutex_unlock(&queue.lock);
}

static void *put_all(void *argument) {
    for (int i = 0; i < 4 * size; i++)
        put(i);
    return argument;
}

static void share_work(void) {
    pthread_t workers[3], producer;
    queue.closed = queue.sum = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    if (rank == 0)
        pthread_create(&producer, NULL, put_all, NULL);
    for (int i = 0; i < 4; i++) {
        int item;
        MPI_Recv(&item, 1, MPI_INT, 0, 5, W, MPI_STATUS_IGNORE);
        CHECK(item % size == rank);
    }
    if (rank == 0)
        pthread_join(producer, NULL);
    pthread_mutex_lock(&queue.lock);
    queue.closed = 1;
    pthread_cond_broadcast(&queue.filled);
    pthread_mutex_unlock(&queue.lock);
    for (int i = 0; i < 3; i++)
        pthread_join(workers[i], NULL);
    CHECK(queue.sum == (rank == 0 ? 2 * size * (4 * size - 1) : 0));
}

/* Threads run at the same simulated time. */
static void *compute(void *argument) {
    windtunnel_compute(1e-3);
    return argument;
}

static void beside_each_other(void) {
    pthread_t threads[THREADS];
    double begin = MPI_Wtime();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, compute, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(MPI_Wtime() - begin > 0.999e-3 && MPI_Wtime() - begin < 1.001e-3);
}

/* Each thread has a communicator for its collective operations. */
static void *reduce(void *argument) {
    int one = 1, sum = 0;
    for (int i = 0; i < 3; i++)
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, *(MPI_Comm *)argument);
    CHECK(sum == size);
    return NULL;
}

static void collectives(void) {
    pthread_t threads[THREADS];
    MPI_Comm comms[THREADS];
    for (int i = 0; i < THREADS; i++) {
        MPI_Comm_dup(W, &comms[i]);
        pthread_create(&threads[i], NULL, reduce, &comms[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        MPI_Comm_free(&comms[i]);
    }
}

/* A thread waits for requests, another one frees objects. */
static void *wait_for_all(void *argument) {
    MPI_Waitall(2, argument, MPI_STATUSES_IGNORE);
    return NULL;
}

static void requests(void) {
    pthread_t thread;
    int in = 0, out = rank, before = (rank + size - 1) % size;
    MPI_Request both[2];
    MPI_Datatype pair;
    MPI_Irecv(&in, 1, MPI_INT, before, 8, W, &both[0]);
    MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 8, W, &both[1]);
    pthread_create(&thread, NULL, wait_for_all, both);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_free(&pair);
    pthread_join(thread, NULL);
    CHECK(in == before);
}

/* A thread that looks again and again lets the others go on. */
static volatile int flag;

static void *raise_flag(void *argument) {
    usleep(50);
    flag = 1;
    return argument;
}

static void look_for_flag(void) {
    pthread_t thread;
    flag = 0;
    pthread_create(&thread, NULL, raise_flag, NULL);
    while (!flag)
        sched_yield();
    pthread_join(thread, NULL);
}

/* A thread in no call may be left when MPI ends, and when the program does. */
static void *sleep_on(void *argument) {
    for (;;)
        usleep(1000);
    return argument;
}

int main(int argc, char **argv) {
    pthread_t sleeper;
    CHECK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level) == MPI_SUCCESS);
    CHECK(level == MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(W, &rank);
    MPI_Comm_size(W, &size);
    all_exchange();
    send_to_self();
    share_work();
    beside_each_other();
    collectives();
    requests();
    look_for_flag();
    pthread_create(&sleeper, NULL, sleep_on, NULL);
    pthread_detach(sleeper);
    MPI_Finalize();
    return 0;
}
