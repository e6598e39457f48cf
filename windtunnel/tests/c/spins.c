/* A thread waits for another one without a call, and counts meanwhile: line 20. */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>

static volatile int ready, set;
static volatile unsigned long turns;

static void *other(void *nothing) {
    while (!ready)
        sched_yield();
    set = 1;
    return nothing;
}

static void spin(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    ready = 1;
    while (!set) turns++;
    pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
    int rank, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        spin();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
