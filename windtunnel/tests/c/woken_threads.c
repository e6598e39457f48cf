/* Two threads wait for a condition. Then one of them receives into a variable which the other uses. The arguments say which
   one receives, and whether they are woken while the mutex is held. */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready, may_go, rank;
static long receiver;
static double value;

static void *work(void *number) {
    pthread_mutex_lock(&mutex);
    ready++;
    while (!may_go) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    if ((long)number == receiver)
        MPI_Recv(&value, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        value *= 0.5;
    return NULL;
}

static int all_wait(void) {
    pthread_mutex_lock(&mutex);
    int all = ready == 2;
    pthread_mutex_unlock(&mutex);
    return all;
}

int main(int argc, char **argv) {
    pthread_t threads[2];
    int provided, inside = argc > 2;
    double sent = 1;
    receiver = argc > 1 ? atol(argv[1]) : 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (long number = 0; number < 2; number++) pthread_create(&threads[number], NULL, work, (void *)number);
    while (!all_wait()) sched_yield();
    pthread_mutex_lock(&mutex);
    may_go = 1;
    if (inside) pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    if (!inside) pthread_cond_broadcast(&condition);
    MPI_Send(&sent, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
    for (int number = 0; number < 2; number++) pthread_join(threads[number], NULL);
    MPI_Finalize();
    return 0;
}
