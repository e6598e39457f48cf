/* A thread hands over a result and then waits for more. The first thread says that there is none, but, unless there is an
   argument, does not notify the condition: where the other one is waiting by then, it waits for ever. */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t handed_over;
static int work = 1, closed;

static void *worker(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (!work && !closed)
            pthread_cond_wait(&changed, &mutex);
        int ends = !work;
        work = 0;
        pthread_mutex_unlock(&mutex);
        if (ends)
            return unused;
        MPI_Barrier(MPI_COMM_WORLD);
        sem_post(&handed_over);
    }
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    sem_init(&handed_over, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&handed_over);
    pthread_mutex_lock(&mutex);
    closed = 1;
    if (argc > 1)
        pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
