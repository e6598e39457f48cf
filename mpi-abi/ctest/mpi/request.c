/* Requests that are null, inactive, complete, freed or wrong, in every function that takes them. */
#include "check.h"

#define SELF MPI_COMM_SELF
#define NULLS {MPI_REQUEST_NULL, MPI_REQUEST_NULL}

static int is_empty(const MPI_Status *status) {
    int count = -1, cancelled = -1;
    MPI_Get_count(status, MPI_INT, &count);
    MPI_Test_cancelled(status, &cancelled);
    return status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && count == 0 &&
           !cancelled;
}

/* Without an active request every completion ends at once, with empty statuses. */
static void without_active(MPI_Request *list, int count) {
    MPI_Request before[2] = {list[0], list[1]};
    MPI_Status status, all[2];
    int flag = 0, at = 0, done = 0, places[2];
    memset(all, 7, sizeof all);
    CHECK(MPI_Wait(&list[0], &all[0]) == MPI_SUCCESS && is_empty(&all[0]));
    CHECK(MPI_Test(&list[0], &flag, &all[1]) == MPI_SUCCESS && flag && is_empty(&all[1]));
    memset(all, 7, sizeof all);
    CHECK(MPI_Waitall(count, list, all) == MPI_SUCCESS);
    CHECK(is_empty(&all[0]) && is_empty(&all[count - 1]));
    memset(all, 7, sizeof all), flag = 0;
    CHECK(MPI_Testall(count, list, &flag, all) == MPI_SUCCESS && flag && is_empty(&all[0]));
    CHECK(MPI_Waitany(count, list, &at, &status) == MPI_SUCCESS && at == MPI_UNDEFINED);
    CHECK(is_empty(&status));
    flag = at = 0;
    CHECK(MPI_Testany(count, list, &at, &flag, &status) == MPI_SUCCESS && flag);
    CHECK(at == MPI_UNDEFINED && is_empty(&status));
    CHECK(MPI_Waitsome(count, list, &done, places, all) == MPI_SUCCESS && done == MPI_UNDEFINED);
    done = 0;
    CHECK(MPI_Testsome(count, list, &done, places, all) == MPI_SUCCESS && done == MPI_UNDEFINED);
    flag = 0, memset(&status, 7, sizeof status);
    CHECK(MPI_Request_get_status(list[0], &flag, &status) == MPI_SUCCESS && flag);
    CHECK(is_empty(&status));
    CHECK(list[0] == before[0] && list[count - 1] == before[count - 1]);
}

static void no_requests_at_all(void) {
    int flag = 0, at = 0, done = 0;
    CHECK(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    CHECK(MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE) == MPI_SUCCESS && flag);
    CHECK(MPI_Waitany(0, NULL, &at, MPI_STATUS_IGNORE) == MPI_SUCCESS && at == MPI_UNDEFINED);
    flag = 0;
    CHECK(MPI_Testany(0, NULL, &at, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && flag);
    CHECK(MPI_Waitsome(0, NULL, &done, NULL, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    CHECK(done == MPI_UNDEFINED);
    CHECK(MPI_Startall(0, NULL) == MPI_SUCCESS);
}

static void inactive(void) {
    int value;
    MPI_Request list[2] = NULLS;
    without_active(list, 2);
    MPI_Recv_init(&value, 1, MPI_INT, 0, 1, SELF, &list[0]);
    MPI_Send_init(&value, 1, MPI_INT, 0, 1, SELF, &list[1]);
    without_active(list, 2);
    MPI_Request_free(&list[0]), MPI_Request_free(&list[1]);
    CHECK(list[0] == MPI_REQUEST_NULL && list[1] == MPI_REQUEST_NULL);
}

/* Started again and again, alone and together; a wait makes them inactive, not null. */
static void persistent(void) {
    int out[2] = {1, 2}, in[2] = {0, 0}, flag, at, done, places[2];
    MPI_Request list[2];
    MPI_Status status, all[2];
    MPI_Recv_init(in, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, SELF, &list[0]);
    MPI_Send_init(out, 2, MPI_INT, 0, 5, SELF, &list[1]);
    for (int round = 0; round < 5; round++) {
        out[0] = round, in[0] = -1;
        MPI_Request first = list[0];
        MPI_Start(&list[0]), MPI_Startall(1, &list[1]);
        flag = 0;
        if (round == 0) MPI_Wait(&list[0], &status);
        if (round == 1) MPI_Waitany(1, list, &at, &status);
        if (round == 2) MPI_Waitsome(1, list, &done, places, &status);
        if (round == 3) while (!flag) MPI_Testany(1, list, &at, &flag, &status);
        if (round == 4) MPI_Waitall(2, list, all), status = all[0];
        MPI_Wait(&list[1], MPI_STATUS_IGNORE);
        CHECK(in[0] == round && list[0] == first);
        CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 5);
        without_active(list, 2);
    }
    MPI_Start(&list[1]);
    CHECK(MPI_Request_free(&list[1]) == MPI_SUCCESS && list[1] == MPI_REQUEST_NULL);
    MPI_Recv(in, 2, MPI_INT, 0, 5, SELF, MPI_STATUS_IGNORE);
    MPI_Request_free(&list[0]);
}

/* A status may be looked at as often as one likes; what has come is in its place. */
static void looked_at(void) {
    int in[2] = {0, 0}, out = 9, flag = 0, at = -1, count, places[2];
    MPI_Request list[2], send;
    MPI_Status status, all[2];
    MPI_Irecv(&in[0], 1, MPI_INT, 0, 1, SELF, &list[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, 0, 2, SELF, &list[1]);
    CHECK(MPI_Request_get_status(list[0], &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && !flag);
    CHECK(MPI_Testall(2, list, &flag, all) == MPI_SUCCESS && !flag);
    CHECK(MPI_Testsome(2, list, &count, places, all) == MPI_SUCCESS && count == 0);
    flag = 1, at = 3;
    CHECK(MPI_Testany(2, list, &at, &flag, &status) == MPI_SUCCESS && !flag);
    CHECK(at == MPI_UNDEFINED);
    MPI_Isend(&out, 1, MPI_INT, 0, 2, SELF, &send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    for (int twice = 0; twice < 2; twice++) {
        flag = 0;
        while (!flag) MPI_Request_get_status(list[1], &flag, &status);
        CHECK(in[1] == 9 && status.MPI_TAG == 2 && list[1] != MPI_REQUEST_NULL);
    }
    in[1] = 10;
    MPI_Wait(&list[1], &status);
    CHECK(in[1] == 10 && status.MPI_SOURCE == 0 && status.MPI_TAG == 2);
    MPI_Isend(&out, 1, MPI_INT, 0, 1, SELF, &send);
    MPI_Wait(&send, MPI_STATUS_IGNORE), MPI_Wait(&list[0], MPI_STATUS_IGNORE);
    CHECK(in[0] == 9);
}

/* The same of several requests at once; none of them is gone afterwards. */
static void looked_at_together(void) {
#if MPI_VERSION >= 5
    int in[2] = {0, 0}, out = 9, flag = 1, at = 5, count = 5, places[2];
    MPI_Request list[3], send;
    MPI_Status status, all[3];
    MPI_Irecv(&in[0], 1, MPI_INT, 0, 1, SELF, &list[0]);
    list[1] = MPI_REQUEST_NULL;
    MPI_Irecv(&in[1], 1, MPI_INT, 0, 2, SELF, &list[2]);
    CHECK(MPI_Request_get_status_all(3, list, &flag, all) == MPI_SUCCESS && !flag);
    flag = 1;
    CHECK(MPI_Request_get_status_any(3, list, &at, &flag, &status) == MPI_SUCCESS && !flag);
    CHECK(MPI_Request_get_status_some(3, list, &count, places, all) == MPI_SUCCESS && !count);
    MPI_Isend(&out, 1, MPI_INT, 0, 2, SELF, &send), MPI_Wait(&send, MPI_STATUS_IGNORE);
    while (!flag) MPI_Request_get_status_any(3, list, &at, &flag, &status);
    CHECK(at == 2 && status.MPI_TAG == 2 && in[1] == 9);
    CHECK(MPI_Request_get_status_some(3, list, &count, places, all) == MPI_SUCCESS && count == 1);
    CHECK(places[0] == 2 && all[0].MPI_TAG == 2);
    CHECK(MPI_Request_get_status_all(3, list, &flag, all) == MPI_SUCCESS && !flag);
    MPI_Isend(&out, 1, MPI_INT, 0, 1, SELF, &send), MPI_Wait(&send, MPI_STATUS_IGNORE);
    while (!flag) MPI_Request_get_status_all(3, list, &flag, all);
    CHECK(all[0].MPI_TAG == 1 && is_empty(&all[1]) && all[2].MPI_TAG == 2 && in[0] == 9);
    MPI_Waitall(3, list, all);
    CHECK(all[0].MPI_TAG == 1 && all[2].MPI_TAG == 2);
    CHECK(MPI_Request_get_status_all(3, list, &flag, all) == MPI_SUCCESS && flag);
    CHECK(MPI_Request_get_status_any(3, list, &at, &flag, &status) == MPI_SUCCESS && flag);
    CHECK(at == MPI_UNDEFINED && is_empty(&status) && is_empty(&all[2]));
    CHECK(MPI_Request_get_status_some(3, list, &count, places, all) == MPI_SUCCESS);
    CHECK(count == MPI_UNDEFINED);
    GIVES(MPI_ERR_COUNT, MPI_Request_get_status_all(-1, list, &flag, all));
    GIVES(MPI_ERR_COUNT, MPI_Request_get_status_any(-1, list, &at, &flag, all));
    GIVES(MPI_ERR_COUNT, MPI_Request_get_status_some(-1, list, &count, places, all));
#endif
}

/* What was freed while active still happens; a type that was freed is used to the end. */
static void freed(void) {
    int matrix[6] = {1, 2, 3, 4, 5, 6}, in[3] = {0, 0, 0}, done = 0;
    MPI_Datatype column;
    MPI_Request send, receive;
    MPI_Type_vector(3, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Irecv(in, 3, MPI_INT, 0, 1, SELF, &receive);
    MPI_Isend(matrix, 1, column, 0, 1, SELF, &send);
    MPI_Type_free(&column);
    MPI_Request_free(&send);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    CHECK(in[0] == 1 && in[1] == 3 && in[2] == 5);
    MPI_Irecv(&done, 1, MPI_INT, 0, 2, SELF, &receive);
    MPI_Request_free(&receive);
    MPI_Ssend(matrix, 1, MPI_INT, 0, 2, SELF);
    /* What was sent later has come, so the data are there. */
    MPI_Sendrecv(matrix, 1, MPI_INT, 0, 3, in, 1, MPI_INT, 0, 3, SELF, MPI_STATUS_IGNORE);
    CHECK(done == 1);
}

static void cancelled(void) {
    int in = 0, out = 3, flag;
    MPI_Request request, send;
    MPI_Status status;
    MPI_Irecv(&in, 1, MPI_INT, 0, 1, SELF, &request);
    CHECK(MPI_Cancel(&request) == MPI_SUCCESS && request != MPI_REQUEST_NULL);
    MPI_Wait(&request, &status), MPI_Test_cancelled(&status, &flag);
    CHECK(flag && request == MPI_REQUEST_NULL);
    /* A receive that has its message is not cancelled. */
    MPI_Irecv(&in, 1, MPI_INT, 0, 1, SELF, &request);
    MPI_Ssend(&out, 1, MPI_INT, 0, 1, SELF);
    MPI_Cancel(&request), MPI_Wait(&request, &status), MPI_Test_cancelled(&status, &flag);
    CHECK(!flag && in == 3 && status.MPI_TAG == 1);
    /* A persistent one can be started again, and a cancelled send is never seen. */
    MPI_Recv_init(&in, 1, MPI_INT, 0, 1, SELF, &request);
    GIVES(MPI_ERR_REQUEST, MPI_Cancel(&request));
    MPI_Start(&request), MPI_Cancel(&request), MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag && request != MPI_REQUEST_NULL);
    MPI_Issend(&out, 1, MPI_INT, 0, 1, SELF, &send);
    MPI_Cancel(&send), MPI_Wait(&send, &status), MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
    out = 4, MPI_Start(&request);
    MPI_Send(&out, 1, MPI_INT, 0, 1, SELF);
    MPI_Wait(&request, &status), MPI_Test_cancelled(&status, &flag);
    CHECK(!flag && in == 4);
    MPI_Request_free(&request);
}

static void wrong(void) {
    int value = 0, flag, at, done;
    MPI_Request null = MPI_REQUEST_NULL, list[2] = NULLS, request, copy;
    MPI_Status all[2];
    GIVES(MPI_ERR_REQUEST, MPI_Request_free(&null));
    GIVES(MPI_ERR_REQUEST, MPI_Start(&null));
    GIVES(MPI_ERR_REQUEST, MPI_Startall(2, list));
    GIVES(MPI_ERR_REQUEST, MPI_Cancel(&null));
    GIVES(MPI_ERR_COUNT, MPI_Waitall(-1, list, all));
    GIVES(MPI_ERR_COUNT, MPI_Testall(-1, list, &flag, all));
    GIVES(MPI_ERR_COUNT, MPI_Waitany(-1, list, &at, all));
    GIVES(MPI_ERR_COUNT, MPI_Testany(-1, list, &at, &flag, all));
    GIVES(MPI_ERR_COUNT, MPI_Waitsome(-1, list, &done, &at, all));
    GIVES(MPI_ERR_COUNT, MPI_Testsome(-1, list, &done, &at, all));
    GIVES(MPI_ERR_COUNT, MPI_Startall(-1, list));
    MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, SELF, &request);
    copy = request;
    GIVES(MPI_ERR_REQUEST, MPI_Start(&request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    GIVES(MPI_ERR_REQUEST, MPI_Wait(&copy, MPI_STATUS_IGNORE));
    MPI_Recv_init(&value, 1, MPI_INT, 0, 1, SELF, &request);
    MPI_Start(&request);
    GIVES(MPI_ERR_REQUEST, MPI_Start(&request));
    MPI_Cancel(&request), MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_Request_free(&request);
    MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, SELF, &list[0]);
    list[1] = list[0];
    GIVES(MPI_ERR_REQUEST, MPI_Waitall(2, list, all));
    MPI_Ibarrier(SELF, &request);
    GIVES(MPI_ERR_REQUEST, MPI_Cancel(&request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* One of several fails: the call says so, and the statuses say which. */
static void one_of_several_fails(void) {
    int two[2] = {1, 2}, in[3][2], done, places[2];
    MPI_Request list[3], sends[2];
    MPI_Status all[3];
    for (int way = 0; way < 2; way++) {
        MPI_Irecv(in[0], 2, MPI_INT, 0, 1, SELF, &list[0]);
        MPI_Irecv(in[1], 1, MPI_INT, 0, 2, SELF, &list[1]);
        MPI_Isend(two, 2, MPI_INT, 0, 1, SELF, &sends[0]);
        MPI_Isend(two, 2, MPI_INT, 0, 2, SELF, &sends[1]);
        MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
        if (way == 0) {
            GIVES(MPI_ERR_IN_STATUS, MPI_Waitall(2, list, all));
            CHECK(all[0].MPI_ERROR == MPI_SUCCESS);
            CHECK(class_of(all[1].MPI_ERROR) == MPI_ERR_TRUNCATE);
        } else {
            for (int left = 2, bad = 0; left > 0; left -= done) {
                int code = class_of(MPI_Waitsome(2, list, &done, places, all));
                for (int i = 0; i < done; i++) {
                    bad += places[i] == 1;
                    if (code == MPI_ERR_IN_STATUS)
                        CHECK(class_of(all[i].MPI_ERROR) == (places[i] ? MPI_ERR_TRUNCATE : 0));
                }
                CHECK(code == (bad ? MPI_ERR_IN_STATUS : MPI_SUCCESS));
                bad = 0;
            }
        }
        CHECK(list[0] == MPI_REQUEST_NULL && list[1] == MPI_REQUEST_NULL && in[0][1] == 2);
    }
    MPI_Irecv(in[0], 1, MPI_INT, 0, 1, SELF, &list[0]);
    MPI_Isend(two, 2, MPI_INT, 0, 1, SELF, &sends[0]);
    all[0].MPI_ERROR = 77;
    GIVES(MPI_ERR_TRUNCATE, MPI_Waitany(1, list, &done, all));
    CHECK(done == 0);
    CHECK(all[0].MPI_ERROR == 77 && "one status leaves the error field alone");
    MPI_Wait(&sends[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    no_requests_at_all();
    inactive();
    persistent();
    looked_at();
    looked_at_together();
    freed();
    cancelled();
    wrong();
    one_of_several_fails();
    MPI_Finalize();
    return 0;
}
