/* A communicator that a further thread makes is never freed. */
#include <mpi.h>
#include <pthread.h>

static void *maker(void *unused)
{
    MPI_Comm made;
    (void)unused;
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &made);
    MPI_Barrier(made);
    return NULL;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    pthread_create(&thread, NULL, maker, NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
