/* The null process: everything succeeds at once and nothing is moved. */
#include "check.h"

#define NOBODY MPI_PROC_NULL
#define W MPI_COMM_WORLD

static int untouched = 42;

static void null_status(const MPI_Status *status) {
    int count, flag;
    MPI_Get_count(status, MPI_INT, &count);
    MPI_Test_cancelled(status, &flag);
    CHECK(status->MPI_SOURCE == MPI_PROC_NULL && status->MPI_TAG == MPI_ANY_TAG);
    CHECK(count == 0 && !flag && untouched == 42);
}

static void sends(void) {
    MPI_Request request;
    CHECK(MPI_Send(&untouched, 1, MPI_INT, NOBODY, 1, W) == MPI_SUCCESS);
    CHECK(MPI_Ssend(&untouched, 1, MPI_INT, NOBODY, 1, W) == MPI_SUCCESS);
    CHECK(MPI_Rsend(&untouched, 1, MPI_INT, NOBODY, 1, W) == MPI_SUCCESS);
    CHECK(MPI_Bsend(&untouched, 1, MPI_INT, NOBODY, 1, W) == MPI_SUCCESS);
    MPI_Issend(&untouched, 1, MPI_INT, NOBODY, 1, W, &request);
    CHECK(request != MPI_REQUEST_NULL && MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    MPI_Irsend(&untouched, 1, MPI_INT, NOBODY, 1, W, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ibsend(&untouched, 1, MPI_INT, NOBODY, 1, W, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ssend_init(&untouched, 1, MPI_INT, NOBODY, 1, W, &request);
    for (int i = 0; i < 2; i++) MPI_Start(&request), MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void receives(void) {
    MPI_Status status;
    MPI_Request request;
    MPI_Message message;
    int flag = 0;
    MPI_Recv(&untouched, 1, MPI_INT, NOBODY, 1, W, &status), null_status(&status);
    MPI_Irecv(&untouched, 1, MPI_INT, NOBODY, MPI_ANY_TAG, W, &request);
    MPI_Wait(&request, &status), null_status(&status);
    MPI_Recv_init(&untouched, 1, MPI_INT, NOBODY, 1, W, &request);
    for (int i = 0; i < 2; i++)
        MPI_Start(&request), MPI_Wait(&request, &status), null_status(&status);
    MPI_Request_free(&request);
    MPI_Sendrecv(&rank, 1, MPI_INT, NOBODY, 1, &untouched, 1, MPI_INT, NOBODY, 1, W, &status);
    null_status(&status);
    MPI_Sendrecv_replace(&untouched, 1, MPI_INT, NOBODY, 1, NOBODY, 1, W, &status);
    null_status(&status);
    MPI_Probe(NOBODY, 1, W, &status), null_status(&status);
    MPI_Iprobe(NOBODY, 1, W, &flag, &status), null_status(&status);
    CHECK(flag);
    MPI_Mprobe(NOBODY, 1, W, &message, &status), null_status(&status);
    CHECK(message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(&untouched, 1, MPI_INT, &message, &status), null_status(&status);
    CHECK(message == MPI_MESSAGE_NULL);
    flag = 0;
    MPI_Improbe(NOBODY, 1, W, &flag, &message, &status), null_status(&status);
    CHECK(flag && message == MPI_MESSAGE_NO_PROC);
    MPI_Imrecv(&untouched, 1, MPI_INT, &message, &request);
    CHECK(message == MPI_MESSAGE_NULL);
    MPI_Wait(&request, &status), null_status(&status);
    MPI_Isendrecv(&rank, 1, MPI_INT, NOBODY, 1, &untouched, 1, MPI_INT, NOBODY, 1, W, &request);
    MPI_Wait(&request, &status), null_status(&status);
    MPI_Isendrecv_replace(&untouched, 1, MPI_INT, NOBODY, 1, NOBODY, 1, W, &request);
    MPI_Wait(&request, &status), null_status(&status);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    sends();
    receives();
    MPI_Finalize();
    return 0;
}
