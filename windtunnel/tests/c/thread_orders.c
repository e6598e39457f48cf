/* Two threads of rank 0, or of each rank, whose order decides; without an argument it does not. */
#include <mpi.h>
#include <pthread.h>
#include <string.h>

enum { FIRST = 100, SECOND = 200 };

static const char *how;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int values[2];

static void *receive(void *which)
{
    int *value = which;
    int tag = how ? 1 : 1 + (int)(value - values);
    MPI_Recv(value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

/* Receives from whoever a probe has found; the others send to rank 0. */
static void *probed(void *which)
{
    int *value = which, taken = !strcmp(how, "matched probe"), locks = !strcmp(how, "locked probe");
    MPI_Message message;
    MPI_Status status;
    if (locks)
        pthread_mutex_lock(&lock);
    if (taken) {
        MPI_Mprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(value, 1, MPI_INT, &message, &status);
    } else {
        MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(value, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, &status);
    }
    if (locks)
        pthread_mutex_unlock(&lock);
    return NULL;
}

/* Rank 1 answers only after it has the message of the other thread. */
static void *answered(void *which)
{
    int mine = 0, first = which == values;
    pthread_mutex_lock(&lock);
    if (first)
        MPI_Send(&mine, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    else
        MPI_Recv(&mine, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *collective(void *which)
{
    int one = 1, sum, locks = !strcmp(how, "collective");
    if (locks)
        pthread_mutex_lock(&lock);
    if (which == values)
        MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (locks)
        pthread_mutex_unlock(&lock);
    return NULL;
}

static void both(void *(*body)(void *))
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, body, &values[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    int rank, level, first = FIRST, second = SECOND;
    how = argc > 1 ? argv[1] : NULL;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (how && (!strcmp(how, "collective") || !strcmp(how, "unlocked"))) {
        both(collective);
    } else if (how && strstr(how, "probe")) {
        if (rank == 0)
            both(probed);
        else
            MPI_Send(&first, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else if (how && !strcmp(how, "lock")) {
        if (rank == 0)
            both(answered);
        if (rank == 1) {
            MPI_Recv(&first, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&first, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
        }
    } else {
        if (rank == 0)
            both(receive);
        if (rank == 1) {
            MPI_Send(&first, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            MPI_Send(&second, 1, MPI_INT, 0, how ? 1 : 2, MPI_COMM_WORLD);
        }
        if (rank == 0 && values[0] != FIRST)
            MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Finalize();
    return 0;
}
