/* Threads that access one target at the same time, and flush each other's accesses. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 4 };

static MPI_Win win;
static long drawn[THREADS];

static void *work(void *given) {
    long number = (long)given, one = 1, target = (rank + number) % size;
    for (int i = 0; i < 3; i++) {
        MPI_Fetch_and_op(&one, &drawn[number], MPI_LONG, target, 0, MPI_SUM, win);
        MPI_Win_flush(target, win);
        CHECK(drawn[number] >= i && drawn[number] < 3 * THREADS * size);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int level;
    long *sum, all;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(sizeof *sum, sizeof *sum, MPI_INFO_NULL, MPI_COMM_WORLD, &sum, &win);
    *sum = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(sum, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == 3L * THREADS * size);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
