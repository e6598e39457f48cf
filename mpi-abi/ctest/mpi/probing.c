/* Probes, plain and matched: what they see, what they take, and in which order. */
#include "check.h"

#define W MPI_COMM_WORLD

static int next, before;

static int length_of(MPI_Status *status) {
    int count;
    MPI_Get_count(status, MPI_INT, &count);
    return count;
}

/* The length is asked for first, then there is room. */
static void lengths(void) {
    int *in, out[5] = {1, 2, 3, 4, 5};
    MPI_Request send;
    MPI_Status status, again;
    MPI_Isend(out, rank % 5 + 1, MPI_INT, next, 3, W, &send);
    CHECK(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &status) == MPI_SUCCESS);
    CHECK(status.MPI_SOURCE == before && status.MPI_TAG == 3);
    CHECK(length_of(&status) == before % 5 + 1);
    /* A probe takes nothing. */
    MPI_Probe(before, 3, W, &again);
    CHECK(length_of(&again) == length_of(&status));
    in = malloc(length_of(&status) * sizeof *in);
    MPI_Recv(in, length_of(&status), MPI_INT, status.MPI_SOURCE, status.MPI_TAG, W, &again);
    CHECK(in[length_of(&again) - 1] == before % 5 + 1);
    free(in);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
}

static void nothing_there(void) {
    int flag = 1;
    MPI_Status status;
    MPI_Message message = MPI_MESSAGE_NULL;
    CHECK(MPI_Iprobe(MPI_ANY_SOURCE, 77, W, &flag, &status) == MPI_SUCCESS && !flag);
    flag = 1;
    CHECK(MPI_Improbe(MPI_ANY_SOURCE, 77, W, &flag, &message, &status) == MPI_SUCCESS && !flag);
    CHECK(message == MPI_MESSAGE_NULL);
}

/* What a matched probe took is nobody else's; the next message is the one behind it. */
static void taken(void) {
    int out[3] = {10, 20, 30}, in = 0, flag = 0;
    MPI_Request sends[3], request;
    MPI_Message first, second;
    MPI_Status status;
    for (int i = 0; i < 3; i++) MPI_Isend(&out[i], 1, MPI_INT, next, 4, W, &sends[i]);
    CHECK(MPI_Mprobe(before, 4, W, &first, &status) == MPI_SUCCESS && first != MPI_MESSAGE_NULL);
    while (!flag) MPI_Improbe(MPI_ANY_SOURCE, 4, W, &flag, &second, MPI_STATUS_IGNORE);
    MPI_Recv(&in, 1, MPI_INT, before, 4, W, &status);
    CHECK(in == 30);
    CHECK(MPI_Imrecv(&in, 1, MPI_INT, &second, &request) == MPI_SUCCESS);
    MPI_Wait(&request, &status);
    CHECK(in == 20 && second == MPI_MESSAGE_NULL && status.MPI_SOURCE == before);
    CHECK(MPI_Mrecv(&in, 1, MPI_INT, &first, &status) == MPI_SUCCESS);
    CHECK(in == 10 && first == MPI_MESSAGE_NULL && status.MPI_TAG == 4);
    MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
}

/* Empty messages, derived types and communicators of one's own are probed alike. */
static void kinds(void) {
    int row[4] = {1, 2, 3, 4}, in[2] = {0, 0}, flag;
    MPI_Datatype ends;
    MPI_Comm twin;
    MPI_Request sends[2];
    MPI_Message message;
    MPI_Status status;
    MPI_Comm_dup(W, &twin);
    MPI_Type_vector(2, 1, 3, MPI_INT, &ends), MPI_Type_commit(&ends);
    MPI_Isend(NULL, 0, MPI_INT, next, 5, W, &sends[0]);
    MPI_Isend(row, 1, ends, next, 5, twin, &sends[1]);
    MPI_Mprobe(before, 5, twin, &message, &status);
    CHECK(length_of(&status) == 2);
    MPI_Mrecv(in, 2, MPI_INT, &message, &status);
    CHECK(in[0] == 1 && in[1] == 4 && length_of(&status) == 2);
    CHECK(MPI_Iprobe(before, 5, twin, &flag, &status) == MPI_SUCCESS && !flag);
    MPI_Mprobe(before, 5, W, &message, &status);
    CHECK(length_of(&status) == 0);
    MPI_Mrecv(NULL, 0, MPI_INT, &message, &status);
    CHECK(length_of(&status) == 0);
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    MPI_Type_free(&ends), MPI_Comm_free(&twin);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    next = (rank + 1) % size, before = (rank + size - 1) % size;
    nothing_there();
    lengths();
    taken();
    kinds();
    MPI_Finalize();
    return 0;
}
