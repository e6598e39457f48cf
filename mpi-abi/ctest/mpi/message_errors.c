/* Wrong arguments of sends, receives and probes: which class of error each is, and whose handler
   hears of it. */
#include "check.h"

#define W MPI_COMM_WORLD
#define I MPI_INT

static int data[4];
static MPI_Request request = MPI_REQUEST_NULL;
static MPI_Status status;

/* Every call that sends, with one argument list. */
#define SENDS(class, buffer, count, type, dest, tag, comm)                                         \
    do {                                                                                           \
        GIVES(class, MPI_Send(buffer, count, type, dest, tag, comm));                              \
        GIVES(class, MPI_Ssend(buffer, count, type, dest, tag, comm));                             \
        GIVES(class, MPI_Bsend(buffer, count, type, dest, tag, comm));                             \
        GIVES(class, MPI_Rsend(buffer, count, type, dest, tag, comm));                             \
        GIVES(class, MPI_Isend(buffer, count, type, dest, tag, comm, &request));                   \
        GIVES(class, MPI_Issend(buffer, count, type, dest, tag, comm, &request));                  \
        GIVES(class, MPI_Ibsend(buffer, count, type, dest, tag, comm, &request));                  \
        GIVES(class, MPI_Irsend(buffer, count, type, dest, tag, comm, &request));                  \
        GIVES(class, MPI_Send_init(buffer, count, type, dest, tag, comm, &request));               \
        GIVES(class, MPI_Ssend_init(buffer, count, type, dest, tag, comm, &request));              \
        GIVES(class, MPI_Bsend_init(buffer, count, type, dest, tag, comm, &request));              \
        GIVES(class, MPI_Rsend_init(buffer, count, type, dest, tag, comm, &request));              \
        GIVES(class, MPI_Sendrecv(buffer, count, type, dest, tag, data, 1, I, MPI_PROC_NULL, 0, comm,     \
                           &status));                                                       \
        GIVES(class, MPI_Sendrecv_replace(buffer, count, type, dest, tag, MPI_PROC_NULL, 0, comm,         \
                                   &status));                                               \
    } while (0)

/* Every call that receives or probes. */
#define RECEIVES(class, buffer, count, type, source, tag, comm)                                    \
    do {                                                                                           \
        GIVES(class, MPI_Recv(buffer, count, type, source, tag, comm, &status));                   \
        GIVES(class, MPI_Irecv(buffer, count, type, source, tag, comm, &request));                 \
        GIVES(class, MPI_Recv_init(buffer, count, type, source, tag, comm, &request));             \
        GIVES(class, MPI_Sendrecv(data, 1, I, MPI_PROC_NULL, 0, buffer, count, type, source, tag, comm,   \
                           &status));                                                       \
    } while (0)

#define PROBES(class, source, tag, comm)                                                           \
    do {                                                                                           \
        int flag;                                                                                  \
        MPI_Message message;                                                                       \
        GIVES(class, MPI_Probe(source, tag, comm, &status));                                       \
        GIVES(class, MPI_Iprobe(source, tag, comm, &flag, &status));                               \
        GIVES(class, MPI_Mprobe(source, tag, comm, &message, &status));                            \
        GIVES(class, MPI_Improbe(source, tag, comm, &flag, &message, &status));                    \
    } while (0)

static void arguments(void) {
    MPI_Datatype raw, overlapping;
    SENDS(MPI_ERR_COUNT, data, -1, I, 0, 0, W);
    SENDS(MPI_ERR_TYPE, data, 1, MPI_DATATYPE_NULL, 0, 0, W);
    SENDS(MPI_ERR_RANK, data, 1, I, size, 0, W);
    SENDS(MPI_ERR_RANK, data, 1, I, MPI_ANY_SOURCE, 0, W);
    SENDS(MPI_ERR_RANK, data, 1, I, -50, 0, W);
    SENDS(MPI_ERR_TAG, data, 1, I, 0, -1, W);
    SENDS(MPI_ERR_TAG, data, 1, I, 0, MPI_ANY_TAG, W);
    SENDS(MPI_ERR_COMM, data, 1, I, 0, 0, MPI_COMM_NULL);
    SENDS(MPI_ERR_BUFFER, NULL, 1, I, 0, 0, W);
    RECEIVES(MPI_ERR_COUNT, data, -1, I, 0, 0, W);
    RECEIVES(MPI_ERR_TYPE, data, 1, MPI_DATATYPE_NULL, 0, 0, W);
    RECEIVES(MPI_ERR_RANK, data, 1, I, size, 0, W);
    RECEIVES(MPI_ERR_RANK, data, 1, I, -50, 0, W);
    RECEIVES(MPI_ERR_TAG, data, 1, I, 0, -50, W);
    RECEIVES(MPI_ERR_COMM, data, 1, I, 0, 0, MPI_COMM_NULL);
    RECEIVES(MPI_ERR_BUFFER, NULL, 1, I, 0, 0, W);
    PROBES(MPI_ERR_RANK, size, 0, W);
    PROBES(MPI_ERR_TAG, 0, -50, W);
    PROBES(MPI_ERR_COMM, 0, 0, MPI_COMM_NULL);
    MPI_Type_contiguous(2, I, &raw);
    SENDS(MPI_ERR_TYPE, data, 1, raw, 0, 0, W);
    RECEIVES(MPI_ERR_TYPE, data, 1, raw, 0, 0, W);
    MPI_Type_free(&raw);
    MPI_Type_vector(2, 2, 1, I, &overlapping);
    MPI_Type_commit(&overlapping);
    RECEIVES(MPI_ERR_TYPE, data, 1, overlapping, MPI_PROC_NULL, 0, W);
    MPI_Type_free(&overlapping);
    GIVES(MPI_ERR_BUFFER, MPI_Send(MPI_IN_PLACE, 1, I, 0, 0, W));
    /* No data, no buffer. */
    MPI_Sendrecv(NULL, 0, I, rank, 1, NULL, 0, I, rank, 1, W, &status);
    CHECK(request == MPI_REQUEST_NULL);
}

static void messages(void) {
    MPI_Message none = MPI_MESSAGE_NULL, message, copy;
    GIVES(MPI_ERR_REQUEST, MPI_Mrecv(data, 1, I, &none, &status));
    GIVES(MPI_ERR_REQUEST, MPI_Imrecv(data, 1, I, &none, &request));
    MPI_Isend(data, 2, I, rank, 1, W, &request);
    MPI_Mprobe(rank, 1, W, &message, &status);
    copy = message;
    GIVES(MPI_ERR_TRUNCATE, MPI_Mrecv(data + 2, 1, I, &message, &status));
    CHECK(message == MPI_MESSAGE_NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    GIVES(MPI_ERR_REQUEST, MPI_Mrecv(data + 2, 1, I, &copy, &status));
}

/* A message that is too long: the receive says so, however it is written. */
static void truncation(void) {
    int two[2] = {1, 2}, one, flag = 0, at;
    MPI_Request send, persistent;
    for (int way = 0; way < 5; way++) {
        MPI_Isend(two, 2, I, rank, 1, W, &send);
        if (way == 0) GIVES(MPI_ERR_TRUNCATE, MPI_Recv(&one, 1, I, rank, 1, W, &status));
        if (way == 1) {
            MPI_Irecv(&one, 1, I, rank, 1, W, &request);
            GIVES(MPI_ERR_TRUNCATE, MPI_Wait(&request, &status));
        }
        if (way == 2) {
            MPI_Recv_init(&one, 1, I, rank, 1, W, &persistent), MPI_Start(&persistent);
            GIVES(MPI_ERR_TRUNCATE, MPI_Wait(&persistent, &status));
            MPI_Request_free(&persistent);
        }
        if (way == 3) {
            int code;
            MPI_Irecv(&one, 1, I, rank, 1, W, &request);
            do code = MPI_Test(&request, &flag, &status);
            while (code == MPI_SUCCESS && !flag);
            GIVES(MPI_ERR_TRUNCATE, code);
        }
        if (way == 4) {
            MPI_Irecv(&one, 1, I, rank, 1, W, &request);
            GIVES(MPI_ERR_TRUNCATE, MPI_Waitany(1, &request, &at, &status));
        }
        CHECK(status.MPI_SOURCE == rank && status.MPI_TAG == 1 && request == MPI_REQUEST_NULL);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
    MPI_Isend(two, 2, I, rank, 1, W, &send);
    GIVES(MPI_ERR_TRUNCATE, MPI_Sendrecv(two, 1, I, MPI_PROC_NULL, 0, &one, 1, I, rank, 1, W, &status));
    MPI_Wait(&send, MPI_STATUS_IGNORE);
}

static int heard;
static MPI_Comm heard_of;

static void hear(MPI_Comm *comm, int *code, ...) {
    heard = class_of(*code), heard_of = *comm;
}

/* The communicator of the call hears of an error, of a request's operation the request's. */
static void handlers(void) {
    MPI_Errhandler handler;
    MPI_Comm twin;
    MPI_Message message;
    MPI_Comm_dup(W, &twin);
    MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_set_errhandler(twin, handler);
    GIVES(MPI_ERR_RANK, MPI_Send(data, 1, I, -50, 0, twin));
    CHECK(heard == MPI_ERR_RANK && heard_of == twin);
    MPI_Irecv(data + 2, 1, I, rank, 1, twin, &request);
    MPI_Sendrecv(data, 2, I, rank, 1, data, 0, I, MPI_PROC_NULL, 0, twin, &status);
    heard = 0;
    GIVES(MPI_ERR_TRUNCATE, MPI_Wait(&request, &status));
    CHECK(heard == MPI_ERR_TRUNCATE && heard_of == twin);
    MPI_Isend(data, 2, I, rank, 1, twin, &request);
    MPI_Mprobe(rank, 1, twin, &message, &status);
    heard = 0;
    GIVES(MPI_ERR_TRUNCATE, MPI_Mrecv(data + 2, 1, I, &message, &status));
    CHECK(heard == MPI_ERR_TRUNCATE && heard_of == twin);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* What is about no communicator is heard of by the process's own, else by the world's. */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(W, handler);
    heard = 0;
    GIVES(MPI_ERR_COUNT, MPI_Type_contiguous(-1, I, (MPI_Datatype *)data));
    CHECK(heard == MPI_ERR_COUNT && heard_of == W);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    GIVES(MPI_ERR_COUNT, MPI_Type_contiguous(-1, I, (MPI_Datatype *)data));
    CHECK(heard_of == MPI_COMM_SELF);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&twin);
}

/* The communicator of the last message is freed, and its handle used again. */
static void freed(void) {
    MPI_Comm comm, stale;
    int got = 0;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    stale = comm;
    data[0] = 7;
    MPI_Sendrecv(data, 1, I, 0, 3, &got, 1, I, 0, 3, comm, &status);
    CHECK(got == 7);
    MPI_Comm_free(&comm);
    SENDS(MPI_ERR_COMM, data, 1, I, 0, 3, stale);
    RECEIVES(MPI_ERR_COMM, data, 1, I, MPI_ANY_SOURCE, MPI_ANY_TAG, stale);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    arguments();
    freed();
    messages();
    truncation();
    handlers();
    MPI_Finalize();
    return 0;
}
