/* Sends in all modes, receives, probes, statuses, persistent requests, cancel. */
#include "check.h"

static void modes(void) {
    int next = (rank + 1) % size, before = (rank + size - 1) % size, value = rank, got;
    char *room = malloc(1000), *back;
    int bytes;
    MPI_Status status;
    MPI_Request requests[2];
    MPI_Buffer_attach(room, 1000);
    MPI_Bsend(&value, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    CHECK(got == before && status.MPI_SOURCE == before && status.MPI_TAG == 1);
    MPI_Buffer_detach(&back, &bytes);
    CHECK(back == room && bytes == 1000);
    free(room);
    MPI_Issend(&value, 1, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&got, 1, MPI_INT, before, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(got == before && requests[0] == MPI_REQUEST_NULL);
    MPI_Sendrecv_replace(&value, 1, MPI_INT, next, 3, before, 3, MPI_COMM_WORLD, &status);
    CHECK(value == before);
}

static void probes(void) {
    if (size == 1)
        return;
    if (rank == 0) {
        double data[3] = {1, 2, 3};
        MPI_Send(data, 3, MPI_DOUBLE, size - 1, 7, MPI_COMM_WORLD);
    }
    if (rank == size - 1) {
        MPI_Status status;
        MPI_Message message;
        double data[3];
        int count;
        MPI_Mprobe(0, 7, MPI_COMM_WORLD, &message, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &count);
        CHECK(count == 3);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(count == 6);
        MPI_Mrecv(data, 3, MPI_DOUBLE, &message, &status);
        CHECK(data[2] == 3 && message == MPI_MESSAGE_NULL);
    }
}

static void persistent(void) {
    int next = (rank + 1) % size, before = (rank + size - 1) % size, out, in;
    MPI_Request requests[2];
    MPI_Send_init(&out, 1, MPI_INT, next, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&in, 1, MPI_INT, before, 4, MPI_COMM_WORLD, &requests[1]);
    for (int round = 0; round < 3; round++) {
        out = 10 * rank + round;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        CHECK(in == 10 * before + round);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    CHECK(requests[0] == MPI_REQUEST_NULL);
}

static void cancelled(void) {
    int got, flag;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
}

static void errors(void) {
    int got[1], code, kind;
    MPI_Status status;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Send(got, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
    MPI_Error_class(code, &kind);
    CHECK(kind == MPI_ERR_RANK);
    CHECK(MPI_Send(got, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
    CHECK(MPI_Send(got, 1, MPI_INT, 0, -5, MPI_COMM_WORLD) == MPI_ERR_TAG);
    CHECK(MPI_Send(got, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD) == MPI_ERR_TYPE);
    CHECK(MPI_Send(got, 1, MPI_INT, 0, 0, MPI_COMM_NULL) == MPI_ERR_COMM);
    if (rank == 0) {
        int two[2] = {1, 2};
        MPI_Request request;
        MPI_Isend(two, 2, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
        CHECK(MPI_Recv(got, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &status) == MPI_ERR_TRUNCATE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* A receive whose request was freed still puts its data where they belong. */
static void freed(void) {
    if (size < 2 || rank > 1) return;
    int value = -1, other = 1 - rank, five = 5, token = 0;
    MPI_Request request;
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, other, 7, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        CHECK(request == MPI_REQUEST_NULL);
        MPI_Send(&token, 1, MPI_INT, other, 8, MPI_COMM_WORLD);
        MPI_Recv(&token, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(value == 5);
    } else {
        MPI_Recv(&token, 1, MPI_INT, other, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ssend(&five, 1, MPI_INT, other, 7, MPI_COMM_WORLD);
        MPI_Send(&token, 1, MPI_INT, other, 9, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    modes();
    probes();
    persistent();
    cancelled();
    errors();
    freed();
    MPI_Finalize();
    return 0;
}
