/* Rank 1 probes for any message and leaves there what is not for it. */
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WORK = 1, END = 2, ROUNDS = 3 };

static void *worker(void *unused)
{
    int value = 0;
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Send(&round, 1, MPI_INT, 0, WORK, MPI_COMM_WORLD);
        usleep(1000);
        MPI_Recv(&value, 1, MPI_INT, 0, WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void listen(int waits)
{
    MPI_Status status;
    int flag = 1;
    do {
        if (waits)
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        else
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    } while (!flag || status.MPI_TAG != END);
    MPI_Recv(NULL, 0, MPI_INT, 0, END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int rank, level, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    /* A file that is made leaves errno as it was. */
    char name[1024];
    snprintf(name, sizeof name, "%s-%d", argv[0], rank);
    unlink(name);
    errno = 0;
    FILE *file = fopen(name, "w");
    if (!file || errno)
        MPI_Abort(MPI_COMM_WORLD, 4);
    fclose(file);
    if (!strcmp(how, "waits") || !strcmp(how, "polls")) {
        if (rank == 0)
            MPI_Send(&value, 1, MPI_INT, 1, WORK, MPI_COMM_WORLD);
        if (rank == 1)
            listen(!strcmp(how, "waits"));
    } else if (rank == 0) {
        for (int round = 0; round < ROUNDS; round++) {
            MPI_Recv(&value, 1, MPI_INT, 1, WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&value, 1, MPI_INT, 1, WORK, MPI_COMM_WORLD);
        }
        MPI_Send(NULL, 0, MPI_INT, 1, END, MPI_COMM_WORLD);
    } else if (rank == 1) {
        pthread_t thread;
        pthread_create(&thread, NULL, worker, NULL);
        listen(1);
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
    return 0;
}
