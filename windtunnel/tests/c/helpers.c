/* Threads that communicate beside operations of the first thread. By default everything is in order;
   "early" reads what the window gets before the other rank has put it there. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static pthread_barrier_t meeting;
static MPI_Win window;
static long *room;

static void *exchange(void *unused) {
    int mine = rank, got;
    MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT,
                 (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (got != (rank + size - 1) % size) MPI_Abort(MPI_COMM_WORLD, 3);
    return unused;
}

/* A receive and a gather are pending while another thread communicates and ends. */
static void pending(void) {
    int in = -1, out = rank, *all = malloc(size * sizeof *all);
    MPI_Request list[3];
    pthread_t helper;
    MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &list[0]);
    MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &list[1]);
    MPI_Iallgather(&out, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &list[2]);
    pthread_create(&helper, NULL, exchange, NULL);
    pthread_join(helper, NULL);
    MPI_Waitall(3, list, MPI_STATUSES_IGNORE);
    if (in != (rank + size - 1) % size || all[size - 1] != size - 1) MPI_Abort(MPI_COMM_WORLD, 4);
    free(all);
}

static void *access(void *early) {
    long mine = rank, got;
    MPI_Put(&mine, 1, MPI_LONG, (rank + 1) % size, 0, 1, MPI_LONG, window);
    MPI_Win_flush((rank + 1) % size, window);
    pthread_barrier_wait(&meeting);
    if (!early) pthread_barrier_wait(&meeting);
    MPI_Get(&got, 1, MPI_LONG, rank, 0, 1, MPI_LONG, window);
    MPI_Win_flush(rank, window);
    if (early) pthread_barrier_wait(&meeting);
    if (!early && got != (rank + size - 1) % size) MPI_Abort(MPI_COMM_WORLD, 5);
    return NULL;
}

/* The first thread meets the other ranks between two accesses of another thread. */
static void ordered(int early) {
    pthread_t helper;
    MPI_Win_allocate(sizeof *room, sizeof *room, MPI_INFO_NULL, MPI_COMM_WORLD, &room, &window);
    *room = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    pthread_barrier_init(&meeting, NULL, 2);
    pthread_create(&helper, NULL, access, early ? &meeting : NULL);
    pthread_barrier_wait(&meeting);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_barrier_wait(&meeting);
    pthread_join(helper, NULL);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pending();
    ordered(argc > 1 && !strcmp(argv[1], "early"));
    MPI_Finalize();
    return 0;
}
