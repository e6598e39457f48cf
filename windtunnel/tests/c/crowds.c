/* Starts many threads, each of which needs a stack. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 1000 };

static void *wait_for_all(void *gate) {
    pthread_barrier_wait(gate);
    return NULL;
}

int main(int argc, char **argv) {
    int level;
    pthread_t threads[THREADS];
    pthread_barrier_t gate;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    pthread_barrier_init(&gate, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, wait_for_all, &gate) != 0)
            abort();
    pthread_barrier_wait(&gate);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
