/* Buffered mode: buffers of the process, of communicators and of sessions; flushing them. */
#include "check.h"

#define W MPI_COMM_WORLD
/* What a message takes here: its data, though a program must reserve MPI_BSEND_OVERHEAD. */
enum { ONE = sizeof(int) };

static int in;

/* Takes the message of a buffered send to this process itself. */
static void take(int expected, MPI_Comm comm, int at) {
    in = -1;
    MPI_Recv(&in, 1, MPI_INT, at, 1, comm, MPI_STATUS_IGNORE);
    CHECK(in == expected);
}

static void of_the_process(void) {
    static char room[2 * ONE];
    void *back = room;
    int value = 1, bytes = 1;
    GIVES(MPI_ERR_BUFFER, MPI_Bsend(&value, 1, MPI_INT, rank, 1, W));
    CHECK(MPI_Buffer_detach(&back, &bytes) == MPI_SUCCESS && !back && bytes == 0);
    GIVES(MPI_ERR_ARG, MPI_Buffer_attach(room, -1));
    GIVES(MPI_ERR_BUFFER, MPI_Buffer_attach(NULL, 10));
    CHECK(MPI_Buffer_attach(room, sizeof room) == MPI_SUCCESS);
    GIVES(MPI_ERR_BUFFER, MPI_Buffer_attach(room, sizeof room));
    for (int again = 0; again < 3; again++) {
        for (value = 1; value <= 2; value++)
            CHECK(MPI_Bsend(&value, 1, MPI_INT, rank, 1, W) == MPI_SUCCESS);
        GIVES(MPI_ERR_BUFFER, MPI_Bsend(&value, 1, MPI_INT, rank, 1, W));
        take(1, W, rank), take(2, W, rank);
    }
    CHECK(MPI_Buffer_detach(&back, &bytes) == MPI_SUCCESS);
    CHECK(back == room && bytes == sizeof room);
}

/* What had no room was not begun, and can be when there is room. */
static void begun_later(void) {
    static char room[ONE];
    void *back;
    int value = 8, bytes;
    MPI_Request request, none = MPI_REQUEST_NULL;
    GIVES(MPI_ERR_BUFFER, MPI_Ibsend(&value, 1, MPI_INT, rank, 1, W, &none));
    CHECK(none == MPI_REQUEST_NULL);
    MPI_Bsend_init(&value, 1, MPI_INT, rank, 1, W, &request);
    GIVES(MPI_ERR_BUFFER, MPI_Start(&request));
    value = 9;
    MPI_Buffer_attach(room, sizeof room);
    CHECK(MPI_Start(&request) == MPI_SUCCESS && MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    take(9, W, rank);
    MPI_Request_free(&request);
    MPI_Buffer_detach(&back, &bytes);
}

/* One of several has no room: those before it have begun, it and those after it have not. */
static void some_begun(void) {
    static char room[ONE];
    void *back;
    int values[3] = {1, 2, 3}, got = 0, bytes;
    MPI_Request all[4];
    MPI_Recv_init(&got, 1, MPI_INT, rank, 1, W, &all[0]);
    for (int i = 0; i < 3; i++) {
        MPI_Bsend_init(&values[i], 1, MPI_INT, rank, 1, W, &all[i + 1]);
    }
    MPI_Buffer_attach(room, sizeof room);
    MPI_Request two[2] = {all[1], all[2]};
    MPI_Bsend(values, 1, MPI_INT, rank, 9, W);
    GIVES(MPI_ERR_BUFFER, MPI_Startall(4, all));
    CHECK(MPI_Wait(&all[1], MPI_STATUS_IGNORE) == MPI_SUCCESS && "it was not begun");
    MPI_Recv(&in, 1, MPI_INT, rank, 9, W, MPI_STATUS_IGNORE);
    CHECK(MPI_Start(&all[3]) == MPI_SUCCESS && MPI_Wait(&all[3], MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(MPI_Wait(&all[0], MPI_STATUS_IGNORE) == MPI_SUCCESS && got == 3);
    GIVES(MPI_ERR_BUFFER, MPI_Startall(2, two));
    CHECK(MPI_Waitall(2, two, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    take(1, W, rank);
    for (int i = 0; i < 4; i++) {
        CHECK(MPI_Request_free(&all[i]) == MPI_SUCCESS);
    }
    MPI_Buffer_detach(&back, &bytes);
}

/* As large as what is sent needs. */
static void automatic(void) {
    enum { N = 50 };
    int values[N], bytes = 7;
    void *back = NULL;
    MPI_Request requests[N];
    CHECK(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0) == MPI_SUCCESS);
    for (int i = 0; i < N; i++) {
        values[i] = i;
        CHECK(MPI_Ibsend(&values[i], 1, MPI_INT, rank, 1, W, &requests[i]) == MPI_SUCCESS);
    }
    MPI_Waitall(N, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; i++) take(i, W, rank);
    CHECK(MPI_Buffer_detach(&back, &bytes) == MPI_SUCCESS);
    CHECK(back == MPI_BUFFER_AUTOMATIC && bytes == 0);
}

/* A communicator's own buffer is used before the process's. */
static void of_communicators(void) {
    static char mine[ONE], world[ONE];
    void *back;
    int value = 5, bytes;
    MPI_Count large;
    MPI_Comm twin;
    MPI_Request request;
    MPI_Comm_dup(W, &twin);
    MPI_Buffer_attach(world, sizeof world);
    CHECK(MPI_Comm_attach_buffer(twin, mine, sizeof mine) == MPI_SUCCESS);
    GIVES(MPI_ERR_BUFFER, MPI_Comm_attach_buffer(twin, mine, sizeof mine));
    CHECK(MPI_Bsend(&value, 1, MPI_INT, rank, 1, twin) == MPI_SUCCESS);
    GIVES(MPI_ERR_BUFFER, MPI_Bsend(&value, 1, MPI_INT, rank, 1, twin));
    CHECK(MPI_Bsend(&value, 1, MPI_INT, rank, 1, W) == MPI_SUCCESS);
    CHECK(MPI_Comm_iflush_buffer(twin, &request) == MPI_SUCCESS);
    take(5, twin, rank), take(5, W, rank);
    CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS && request == MPI_REQUEST_NULL);
    CHECK(MPI_Comm_flush_buffer(twin) == MPI_SUCCESS);
    CHECK(MPI_Comm_detach_buffer(twin, &back, &bytes) == MPI_SUCCESS);
    CHECK(back == mine && bytes == sizeof mine);
    CHECK(MPI_Comm_detach_buffer(twin, &back, &bytes) == MPI_SUCCESS && !back && bytes == 0);
    CHECK(MPI_Comm_attach_buffer_c(twin, mine, sizeof mine) == MPI_SUCCESS);
    CHECK(MPI_Comm_detach_buffer_c(twin, &back, &large) == MPI_SUCCESS && large == sizeof mine);
    /* Without its own the communicator takes the process's again. */
    CHECK(MPI_Bsend(&value, 1, MPI_INT, rank, 1, twin) == MPI_SUCCESS);
    take(5, twin, rank);
    MPI_Buffer_detach(&back, &bytes);
    GIVES(MPI_ERR_COMM, MPI_Comm_attach_buffer(MPI_COMM_NULL, mine, sizeof mine));
    MPI_Comm_free(&twin);
}

static void of_sessions(void) {
    static char mine[ONE];
    void *back;
    int value = 6, bytes;
    MPI_Count large;
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm, twin;
    MPI_Request request;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://SELF", &group);
    MPI_Comm_create_from_group(group, "buffered", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_dup(comm, &twin);
    CHECK(MPI_Session_attach_buffer(session, mine, sizeof mine) == MPI_SUCCESS);
    GIVES(MPI_ERR_BUFFER, MPI_Session_attach_buffer(session, mine, sizeof mine));
    CHECK(MPI_Bsend(&value, 1, MPI_INT, 0, 1, twin) == MPI_SUCCESS);
    GIVES(MPI_ERR_BUFFER, MPI_Bsend(&value, 1, MPI_INT, 0, 1, comm));
    GIVES(MPI_ERR_BUFFER, MPI_Bsend(&value, 1, MPI_INT, rank, 1, W));
    CHECK(MPI_Session_iflush_buffer(session, &request) == MPI_SUCCESS);
    take(6, twin, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(MPI_Session_flush_buffer(session) == MPI_SUCCESS);
    CHECK(MPI_Session_detach_buffer(session, &back, &bytes) == MPI_SUCCESS);
    CHECK(back == mine && bytes == sizeof mine);
    CHECK(MPI_Session_attach_buffer_c(session, mine, sizeof mine) == MPI_SUCCESS);
    CHECK(MPI_Session_detach_buffer_c(session, &back, &large) == MPI_SUCCESS);
    CHECK(large == sizeof mine);
    GIVES(MPI_ERR_SESSION, MPI_Session_attach_buffer(MPI_SESSION_NULL, mine, sizeof mine));
    MPI_Group_free(&group), MPI_Comm_free(&comm), MPI_Comm_free(&twin);
    MPI_Session_finalize(&session);
}

/* A flush waits for what is in the buffer when it begins, and for nothing that comes later. */
static void flushed(void) {
    static char room[3 * ONE];
    void *back;
    int values[2] = {1, 2}, bytes, flag = 0;
    MPI_Request flush, second;
    MPI_Buffer_attach(room, sizeof room);
    CHECK(MPI_Buffer_flush() == MPI_SUCCESS && "it is empty");
    MPI_Bsend(&values[0], 1, MPI_INT, rank, 1, W);
    CHECK(MPI_Buffer_iflush(&flush) == MPI_SUCCESS);
    MPI_Bsend(&values[1], 1, MPI_INT, rank, 1, W);
    MPI_Buffer_iflush(&second);
    CHECK(MPI_Test(&flush, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && !flag);
    take(1, W, rank);
    CHECK(MPI_Wait(&flush, MPI_STATUS_IGNORE) == MPI_SUCCESS && flush == MPI_REQUEST_NULL);
    CHECK(MPI_Test(&second, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && !flag);
    take(2, W, rank);
    MPI_Wait(&second, MPI_STATUS_IGNORE);
    CHECK(MPI_Buffer_flush() == MPI_SUCCESS);
    MPI_Buffer_detach(&back, &bytes);
    CHECK(MPI_Buffer_flush() == MPI_SUCCESS && "there is no buffer");
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    of_the_process();
    begun_later();
    some_begun();
    automatic();
    of_communicators();
    of_sessions();
    flushed();
    MPI_Finalize();
    return 0;
}
