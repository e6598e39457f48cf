/* What common MPI libraries take though the standard does not allow it, one case for each argument. */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
#define W MPI_COMM_WORLD
#define NEED(condition) do { if (!(condition)) exit(3); } while (0)

static void characters(void) {
    char mine = (char)('a' + rank), most = 0;
    MPI_Allreduce(&mine, &most, 1, MPI_CHAR, MPI_MAX, W);
    NEED(most == 'a' + size - 1);
}

/* Keeps the status of a receive in the variable of a test that is not successful. */
static void status(void) {
    int mine = rank, other = -1, done = 1;
    MPI_Status status;
    MPI_Request request;
    MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, 4, &other, 1, MPI_INT, 1 - rank, 4, W, &status);
    MPI_Irecv(&other, 1, MPI_INT, 1 - rank, 5, W, &request);
    MPI_Test(&request, &done, &status);
    MPI_Send(&mine, 1, MPI_INT, done ? 1 - rank : status.MPI_SOURCE, 5, W);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    NEED(other == 1 - rank);
}

static void addresses(void) {
    MPI_Aint mine = 4 * rank, all = 7;
    MPI_Count some = 4 * rank, any = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_AINT, MPI_LAND, W);
    MPI_Allreduce(&some, &any, 1, MPI_COUNT, MPI_LOR, W);
    NEED(all == 0 && any == 1);
}

static void freed(void) {
    int mine = rank, sum = -1, done = 0;
    MPI_Request request;
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, W, &request);
    while (!done) MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    NEED(request == MPI_REQUEST_NULL && sum == size * (size - 1) / 2);
}

static void under_way(void) {
    MPI_Request request;
    if (rank == 0) MPI_Recv(NULL, 0, MPI_INT, 1, 0, W, MPI_STATUS_IGNORE);
    MPI_Ibarrier(W, &request);
    if (rank == 1) {
        MPI_Request_free(&request);
        MPI_Send(NULL, 0, MPI_INT, 0, 0, W);
    } else {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void entries(void) {
    int from[2] = {1, 2}, into = 0;
    MPI_Datatype same;
    MPI_Type_vector(2, 1, 0, MPI_INT, &same);
    MPI_Type_commit(&same);
    if (rank == 0) MPI_Send(from, 2, MPI_INT, 1, 0, W);
    if (rank == 1) MPI_Recv(&into, 1, same, 0, 0, W, MPI_STATUS_IGNORE);
    NEED(rank != 1 || into == 2);
    MPI_Type_free(&same);
}

static void blocks(void) {
    int mine = rank + 1, all = 0, counts[64], places[64];
    for (int i = 0; i < 64; i++) counts[i] = 1, places[i] = 0;
    MPI_Gatherv(&mine, 1, MPI_INT, &all, counts, places, MPI_INT, 0, W);
    NEED(rank != 0 || (all > 0 && all <= size));
}

static void keyval(void) {
    int first, again;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &first, NULL);
    again = first;
    MPI_Comm_set_attr(W, first, &rank);
    MPI_Comm_free_keyval(&first);
    MPI_Comm_free_keyval(&again);
    NEED(again == MPI_KEYVAL_INVALID);
}

static void nothing(void) {
    if (rank == 0) MPI_Send(NULL, 0, MPI_DATATYPE_NULL, 1, 0, W);
    if (rank == 1) MPI_Recv(NULL, 0, MPI_DATATYPE_NULL, 0, 0, W, MPI_STATUS_IGNORE);
    MPI_Bcast(NULL, 0, MPI_DATATYPE_NULL, 0, W);
}

static void names(void) {
    long value = 5 + rank, root = rank ? 0 : 9, all[64] = {0};
    int64_t other = 0;
    if (rank == 0) MPI_Send(&value, 1, MPI_LONG, 1, 0, W);
    if (rank == 1) MPI_Recv(&other, 1, MPI_INT64_T, 0, 0, W, MPI_STATUS_IGNORE);
    NEED(rank != 1 || other == 5);
    MPI_Bcast(&root, 1, rank ? MPI_LONG_LONG : MPI_LONG, 0, W);
    NEED(root == 9);
    MPI_Allgather(&value, 1, MPI_LONG, all, 1, MPI_INT64_T, W);
    NEED(all[1] == 6);
}

static void returned(void) {
    int one = 1, error = MPI_SUCCESS, class = MPI_SUCCESS;
    float other[4] = {0};
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    if (rank == 0) MPI_Send(&one, 1, MPI_INT, 1, 0, W);
    if (rank == 1) error = MPI_Recv(other, 4, MPI_FLOAT, 0, 0, W, MPI_STATUS_IGNORE);
    MPI_Error_class(error, &class);
    NEED(class == (rank == 1 ? MPI_ERR_TYPE : MPI_SUCCESS));
    MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}

/* How many ranks heard of an error about types. */
static int heard(int error) {
    int class, mine, all;
    MPI_Error_class(error, &class);
    mine = class == MPI_ERR_TYPE;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, W);
    NEED(mine || error == MPI_SUCCESS);
    return all;
}

static void returned_by_all(void) {
    MPI_Datatype type = rank ? MPI_FLOAT : MPI_INT;
    /* Of no type for the compiler, since the ranks differ in it. */
    char one[8] = {1, 2}, other[16] = {0};
    int error;
    MPI_Request request;
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    NEED(heard(MPI_Bcast(one, 2, type, 0, W)) == 1);
    NEED(heard(MPI_Allgather(one, 1, type, other, 1, type, W)) >= 1);
    NEED(heard(MPI_Scatter(one, 1, type, other, 1, type, 0, W)) == 1);
    MPI_Ibcast(one, 2, type, 1, W, &request);
    error = MPI_Wait(&request, MPI_STATUS_IGNORE);
    NEED(request == MPI_REQUEST_NULL && heard(error) == 1);
    MPI_Bcast(one, 2, MPI_INT, 0, W);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}

static void buffered(void) {
    char room[3 * (sizeof(int) + 96)];
    void *gone;
    int into, bytes;
    MPI_Buffer_attach(room, sizeof room);
    for (int i = 0; i < 3; i++) MPI_Bsend(&rank, 1, MPI_INT, (rank + 1) % size, i, W);
    for (int i = 0; i < 3; i++)
        MPI_Recv(&into, 1, MPI_INT, (rank + size - 1) % size, i, W, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&gone, &bytes);
    NEED(bytes == (int)sizeof room);
}

static void unlike(void) {
    int value = 1;
    float other;
    if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, W);
    if (rank == 1) MPI_Recv(&other, 1, MPI_FLOAT, 0, 0, W, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    static const struct { const char *name; void (*run)(void); } cases[] = {
        {"status", status},
        {"characters", characters}, {"addresses", addresses}, {"freed", freed},
        {"under-way", under_way},   {"entries", entries},     {"blocks", blocks},
        {"keyval", keyval},         {"nothing", nothing},     {"names", names},
        {"returned", returned},     {"buffered", buffered},   {"unlike", unlike},
        {"returned-by-all", returned_by_all},
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(W, &rank);
    MPI_Comm_size(W, &size);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        if (argc > 1 && !strcmp(argv[1], cases[i].name)) cases[i].run();
    MPI_Finalize();
    return 0;
}
