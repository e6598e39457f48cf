/* A thread that makes no call of MPI runs while the main thread communicates and finalizes. */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_int stop;
static const char *how;

static void *beat(void *unused)
{
    (void)unused;
    while (!atomic_load(&stop)) {
        struct timespec time;
        if (strcmp(how, "yields") == 0)
            sched_yield();
        else if (strcmp(how, "sleeps") == 0)
            usleep(10);
        else if (strcmp(how, "computes") == 0)
            windtunnel_compute(1e-6);
        else
            clock_gettime(CLOCK_MONOTONIC, &time);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t thread;
    how = argv[1];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    pthread_create(&thread, NULL, beat, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    return 0;
}
