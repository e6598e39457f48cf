/* Generalized requests: when the functions of the program are called, and with what. */
#include "check.h"

typedef struct {
    int queries, frees, cancels, complete, bytes, code;
} State;

static int query(void *extra, MPI_Status *status) {
    State *state = extra;
    state->queries++;
    MPI_Status_set_elements(status, MPI_INT, state->bytes);
    MPI_Status_set_cancelled(status, state->cancels > 0);
    status->MPI_SOURCE = 5;
    status->MPI_TAG = 6;
    return state->code;
}

static int release(void *extra) {
    State *state = extra;
    CHECK(state != NULL);
    state->frees++;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete) {
    State *state = extra;
    state->cancels++;
    state->complete = complete;
    return MPI_SUCCESS;
}

static MPI_Request start(State *state) {
    MPI_Request request;
    memset(state, 0, sizeof *state);
    state->bytes = 3;
    CHECK(MPI_Grequest_start(query, release, cancel, state, &request) == MPI_SUCCESS);
    return request;
}

static void waited_for(void) {
    State state;
    MPI_Request request = start(&state);
    MPI_Status status;
    int flag = 1, count;
    CHECK(MPI_Test(&request, &flag, &status) == MPI_SUCCESS && !flag && !state.queries);
    CHECK(MPI_Request_get_status(request, &flag, &status) == MPI_SUCCESS && !flag);
    CHECK(MPI_Grequest_complete(request) == MPI_SUCCESS && !state.queries && !state.frees);
    CHECK(MPI_Request_get_status(request, &flag, &status) == MPI_SUCCESS && flag);
    CHECK(state.queries == 1 && !state.frees && status.MPI_SOURCE == 5);
    CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS && request == MPI_REQUEST_NULL);
    CHECK(state.queries == 2 && state.frees == 1);
    CHECK(status.MPI_SOURCE == 5 && status.MPI_TAG == 6);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 3);
}

/* Every way to complete asks for the status, though nobody wants to see it. */
static void in_lists(void) {
    State states[2];
    int flag, at, done, places[2];
    for (int way = 0; way < 6; way++) {
        MPI_Request list[2] = {start(&states[0]), start(&states[1])};
        MPI_Status all[2];
        MPI_Grequest_complete(list[0]), MPI_Grequest_complete(list[1]);
        if (way == 0) MPI_Waitall(2, list, MPI_STATUSES_IGNORE);
        if (way == 1) MPI_Testall(2, list, &flag, all);
        if (way == 2) MPI_Waitsome(2, list, &done, places, all);
        if (way == 3) MPI_Testsome(2, list, &done, places, MPI_STATUSES_IGNORE);
        if (way == 4) MPI_Waitany(2, list, &at, all), MPI_Waitany(2, list, &at, all);
        if (way == 5)
            for (int i = 0; i < 2; i++) MPI_Testany(2, list, &at, &flag, MPI_STATUS_IGNORE);
        for (int i = 0; i < 2; i++)
            CHECK(states[i].queries == 1 && states[i].frees == 1 && list[i] == MPI_REQUEST_NULL);
    }
}

/* A request that was freed lives until it is complete. */
static void freed(void) {
    State state;
    MPI_Request request = start(&state), kept = request;
    CHECK(MPI_Request_free(&request) == MPI_SUCCESS && request == MPI_REQUEST_NULL);
    CHECK(!state.frees);
    CHECK(MPI_Grequest_complete(kept) == MPI_SUCCESS && state.frees == 1 && !state.queries);
    request = start(&state);
    MPI_Grequest_complete(request);
    CHECK(MPI_Request_free(&request) == MPI_SUCCESS && state.frees == 1 && !state.queries);
}

static void cancelled(void) {
    State state;
    MPI_Request request = start(&state);
    MPI_Status status;
    int flag;
    CHECK(MPI_Cancel(&request) == MPI_SUCCESS && state.cancels == 1 && !state.complete);
    MPI_Grequest_complete(request);
    CHECK(MPI_Cancel(&request) == MPI_SUCCESS && state.cancels == 2 && state.complete);
    MPI_Wait(&request, &status), MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
}

static void wrong(void) {
    State state;
    MPI_Request request = start(&state), list[1];
    MPI_Status status;
    int value;
    state.code = MPI_ERR_OTHER;
    MPI_Grequest_complete(request);
    CHECK(MPI_Wait(&request, &status) == MPI_ERR_OTHER && state.frees == 1);
    list[0] = start(&state), state.code = MPI_ERR_OTHER;
    MPI_Grequest_complete(list[0]);
    GIVES(MPI_ERR_IN_STATUS, MPI_Waitall(1, list, &status));
    CHECK(class_of(status.MPI_ERROR) == MPI_ERR_OTHER && state.frees == 1);
    MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
    GIVES(MPI_ERR_REQUEST, MPI_Grequest_complete(request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    GIVES(MPI_ERR_REQUEST, MPI_Grequest_complete(MPI_REQUEST_NULL));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    waited_for();
    in_lists();
    freed();
    cancelled();
    wrong();
    MPI_Finalize();
    return 0;
}
