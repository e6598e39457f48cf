/* Programs that are right and rely on what not every library provides; the first argument names one. Those of
 * which the name begins with "sound" rely on nothing. Two ranks. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int rank, level;
static const char *wanted;

static int is(const char *name) {
    return strcmp(name, wanted) == 0;
}

static void large_tag(int tag) {
    int value = 5;
    if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void started(int other_tag, int at_once) {
    int values[2] = {1, 2};
    MPI_Request requests[2];
    for (int i = 0; i < 2; i++) {
        int tag = i * other_tag;
        if (rank == 0) MPI_Send_init(&values[i], 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &requests[i]);
        if (rank == 1) MPI_Recv_init(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &requests[i]);
    }
    for (int round = 0; round < 2; round++) {
        if (at_once)
            MPI_Startall(2, requests);
        else
            for (int i = 0; i < 2; i++) MPI_Start(&requests[i]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 2; i++) MPI_Request_free(&requests[i]);
}

static void scatters(int distance) {
    double all[8] = {0}, own[4];
    int counts[2] = {4, 4}, from[2] = {0, distance};
    MPI_Scatterv(all, counts, from, MPI_DOUBLE, own, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

/* A library puts its own buffer into the place of the program's, which has none. */
static void detaches(void) {
    static char room[100 + MPI_BSEND_OVERHEAD];
    void *before = room, *mine;
    int bytes = 1, length, value = 3;
    MPI_Buffer_detach(&before, &bytes);
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&mine, &length);
    if (before || bytes || mine != room || length != sizeof room) MPI_Abort(MPI_COMM_WORLD, 7);
}

static int sum;

static void sends(int reads, int twice) {
    int values[64] = {0}, received[64];
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Isend(values, 64, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        if (reads) sum += values[3];
        if (twice) MPI_Isend(values, 64, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(1 + twice, requests, MPI_STATUSES_IGNORE);
        sum += values[5];
    } else {
        for (int tag = 0; tag <= twice; tag++)
            MPI_Recv(received, 64, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void *exchange(void *unused) {
    int other;
    (void)unused;
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

static void threads(int compares) {
    pthread_t thread;
    if (compares && level < MPI_THREAD_MULTIPLE) {
        exchange(NULL);
        return;
    }
    pthread_create(&thread, NULL, exchange, NULL);
    pthread_join(thread, NULL);
}

static void ready(int barrier) {
    int value = 1;
    MPI_Request request;
    if (rank == 1) usleep(1000);
    if (rank == 1) MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    if (barrier) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(&rank, 0, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Rsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void of_the_larger_first(void *in, void *out, int *count, MPI_Datatype *type) {
    int *left = in, *right = out, bytes;
    MPI_Type_size(*type, &bytes);
    if (left[0] > right[0]) memcpy(right, left, *count * bytes);
}

static void combines(int as_one) {
    int values[2] = {rank, 5 - rank};
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(of_the_larger_first, 1, &op);
    MPI_Allreduce(MPI_IN_PLACE, values, as_one ? 1 : 2, as_one ? pair : MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
}

int main(int argc, char **argv) {
    wanted = argc > 1 ? argv[1] : "";
    if (strstr(wanted, "level"))
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (is("large_tag")) large_tag(32768);
    if (is("sound_tag")) large_tag(32767);
    if (is("starts")) started(0, 1);
    if (is("sound_starts_with_tags")) started(1, 1);
    if (is("sound_starts_in_order")) started(0, 0);
    if (is("reads")) sends(1, 0);
    if (is("sends_twice")) sends(0, 1);
    if (is("sound_send")) sends(0, 0);
    if (is("ready")) ready(0);
    if (is("sound_ready")) ready(1);
    if (is("scatters")) scatters(3);
    if (is("sound_scatter")) scatters(4);
    if (is("sound_detach")) detaches();
    if (is("pairs")) combines(0);
    if (is("sound_pairs")) combines(1);
    if (is("level")) threads(0);
    if (is("sound_level")) threads(1);
    MPI_Finalize();
    return 0;
}
