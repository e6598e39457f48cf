/* Every way to send, receive and probe one message, with large counts too; statuses; requests. */
#include "check.h"

#define COMM MPI_COMM_WORLD
#define I MPI_INT

static int out[2] = {7, 8}, in[2];

static void arrived(MPI_Status *status) {
    int count;
    MPI_Count large;
    CHECK(in[0] == 7 && in[1] == 8);
    CHECK(MPI_Get_count(status, I, &count) == MPI_SUCCESS && count == 2);
    CHECK(MPI_Get_count_c(status, I, &large) == MPI_SUCCESS && large == 2);
    CHECK(MPI_Get_elements(status, I, &count) == MPI_SUCCESS && count == 2);
    CHECK(MPI_Get_elements_c(status, I, &large) == MPI_SUCCESS && large == 2);
    CHECK(MPI_Get_elements_x(status, I, &large) == MPI_SUCCESS && large == 2);
    CHECK(MPI_Get_count(status, MPI_LONG_DOUBLE, &count) == MPI_SUCCESS && count == MPI_UNDEFINED);
    CHECK(status->MPI_SOURCE == rank && status->MPI_TAG == 3);
    CHECK(MPI_Status_get_source(status, &count) == MPI_SUCCESS && count == rank);
    CHECK(MPI_Status_get_tag(status, &count) == MPI_SUCCESS && count == 3);
    in[0] = in[1] = 0;
}

#define RECEIVES(send)                                                                             \
    do {                                                                                           \
        MPI_Request receive, request = MPI_REQUEST_NULL;                                           \
        MPI_Status status;                                                                         \
        MPI_Irecv(in, 2, I, rank, 3, COMM, &receive);                                              \
        CHECK(send == MPI_SUCCESS);                                                                \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                     \
        MPI_Wait(&receive, &status), arrived(&status);                                             \
    } while (0)

#define PERSISTENT(init)                                                                           \
    do {                                                                                           \
        MPI_Request receive, request;                                                              \
        MPI_Status status;                                                                         \
        CHECK(init == MPI_SUCCESS);                                                                \
        for (int again = 0; again < 2; again++) {                                                  \
            MPI_Irecv(in, 2, I, rank, 3, COMM, &receive);                                          \
            MPI_Start(&request), MPI_Wait(&request, &status);                                      \
            CHECK(request != MPI_REQUEST_NULL);                                                    \
            MPI_Wait(&receive, &status), arrived(&status);                                         \
        }                                                                                          \
        MPI_Request_free(&request);                                                                \
    } while (0)

static void sends(void) {
    RECEIVES(MPI_Send_c(out, 2, I, rank, 3, COMM));
    RECEIVES(MPI_Ssend(out, 2, I, rank, 3, COMM));
    RECEIVES(MPI_Ssend_c(out, 2, I, rank, 3, COMM));
    RECEIVES(MPI_Rsend(out, 2, I, rank, 3, COMM));
    RECEIVES(MPI_Rsend_c(out, 2, I, rank, 3, COMM));
    RECEIVES(MPI_Bsend_c(out, 2, I, rank, 3, COMM));
    RECEIVES(MPI_Isend_c(out, 2, I, rank, 3, COMM, &request));
    RECEIVES(MPI_Issend_c(out, 2, I, rank, 3, COMM, &request));
    RECEIVES(MPI_Irsend(out, 2, I, rank, 3, COMM, &request));
    RECEIVES(MPI_Irsend_c(out, 2, I, rank, 3, COMM, &request));
    RECEIVES(MPI_Ibsend(out, 2, I, rank, 3, COMM, &request));
    RECEIVES(MPI_Ibsend_c(out, 2, I, rank, 3, COMM, &request));
    PERSISTENT(MPI_Send_init_c(out, 2, I, rank, 3, COMM, &request));
    PERSISTENT(MPI_Ssend_init(out, 2, I, rank, 3, COMM, &request));
    PERSISTENT(MPI_Ssend_init_c(out, 2, I, rank, 3, COMM, &request));
    PERSISTENT(MPI_Rsend_init(out, 2, I, rank, 3, COMM, &request));
    PERSISTENT(MPI_Rsend_init_c(out, 2, I, rank, 3, COMM, &request));
    PERSISTENT(MPI_Bsend_init(out, 2, I, rank, 3, COMM, &request));
    PERSISTENT(MPI_Bsend_init_c(out, 2, I, rank, 3, COMM, &request));
}

#define SENT(...)                                                                                  \
    do {                                                                                           \
        MPI_Request send, request;                                                                 \
        MPI_Message message;                                                                       \
        MPI_Status status;                                                                         \
        int flag = 0;                                                                              \
        (void)flag, (void)message, (void)request;                                                  \
        MPI_Isend(out, 2, I, rank, 3, COMM, &send);                                                \
        __VA_ARGS__;                                                                               \
        arrived(&status), MPI_Wait(&send, MPI_STATUS_IGNORE);                                      \
    } while (0)

static void receives(void) {
    SENT(MPI_Recv_c(in, 2, I, rank, 3, COMM, &status));
    SENT(MPI_Irecv_c(in, 2, I, MPI_ANY_SOURCE, MPI_ANY_TAG, COMM, &request);
         MPI_Wait(&request, &status));
    SENT(MPI_Recv_init_c(in, 2, I, rank, 3, COMM, &request); MPI_Start(&request);
         MPI_Wait(&request, &status); MPI_Request_free(&request));
    SENT(MPI_Probe(rank, 3, COMM, &status); MPI_Recv(in, 2, I, rank, 3, COMM, &status));
    SENT(while (!flag) MPI_Iprobe(rank, 3, COMM, &flag, &status);
         MPI_Recv(in, 2, I, rank, 3, COMM, &status));
    SENT(MPI_Mprobe(rank, 3, COMM, &message, &status); MPI_Mrecv_c(in, 2, I, &message, &status);
         CHECK(message == MPI_MESSAGE_NULL));
    SENT(while (!flag) MPI_Improbe(rank, 3, COMM, &flag, &message, &status);
         MPI_Imrecv(in, 2, I, &message, &request); MPI_Wait(&request, &status));
    SENT(MPI_Mprobe(rank, 3, COMM, &message, &status);
         MPI_Imrecv_c(in, 2, I, &message, &request); MPI_Wait(&request, &status));
    SENT(MPI_Irecv(in, 2, I, rank, 3, COMM, &request); while (!flag) MPI_Test(&request, &flag, &status));
    SENT(int at; MPI_Irecv(in, 2, I, rank, 3, COMM, &request);
         while (!flag) MPI_Testany(1, &request, &at, &flag, &status); CHECK(at == 0));
    SENT(MPI_Irecv(in, 2, I, rank, 3, COMM, &request);
         while (!flag) MPI_Testall(1, &request, &flag, &status));
    SENT(int done = 0, at; MPI_Irecv(in, 2, I, rank, 3, COMM, &request);
         while (!done) MPI_Testsome(1, &request, &done, &at, &status); CHECK(done == 1 && at == 0));
    SENT(int at; MPI_Irecv(in, 2, I, rank, 3, COMM, &request);
         MPI_Waitany(1, &request, &at, &status); CHECK(at == 0));
    SENT(int done, at; MPI_Irecv(in, 2, I, rank, 3, COMM, &request);
         MPI_Waitsome(1, &request, &done, &at, &status); CHECK(done == 1 && at == 0));
    MPI_Request none[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status;
    int done, at[2], flag = 0;
    CHECK(MPI_Waitsome(2, none, &done, at, &status) == MPI_SUCCESS && done == MPI_UNDEFINED);
    CHECK(MPI_Testsome(2, none, &done, at, &status) == MPI_SUCCESS && done == MPI_UNDEFINED);
    CHECK(MPI_Waitany(2, none, at, &status) == MPI_SUCCESS && at[0] == MPI_UNDEFINED);
    CHECK(MPI_Testany(2, none, at, &flag, &status) == MPI_SUCCESS && flag);
    CHECK(at[0] == MPI_UNDEFINED && status.MPI_SOURCE == MPI_ANY_SOURCE);
    CHECK(status.MPI_TAG == MPI_ANY_TAG && status.MPI_ERROR == MPI_SUCCESS);
}

static void exchanges(void) {
    MPI_Status status;
    MPI_Request request;
    MPI_Sendrecv_c(out, 2, I, rank, 3, in, 2, I, rank, 3, COMM, &status), arrived(&status);
    MPI_Isendrecv(out, 2, I, rank, 3, in, 2, I, rank, 3, COMM, &request);
    MPI_Wait(&request, &status), arrived(&status);
    MPI_Isendrecv_c(out, 2, I, rank, 3, in, 2, I, rank, 3, COMM, &request);
    MPI_Wait(&request, &status), arrived(&status);
    in[0] = 7, in[1] = 8;
    MPI_Sendrecv_replace_c(in, 2, I, rank, 3, rank, 3, COMM, &status), arrived(&status);
    in[0] = 7, in[1] = 8;
    MPI_Isendrecv_replace(in, 2, I, rank, 3, rank, 3, COMM, &request);
    MPI_Wait(&request, &status), arrived(&status);
    in[0] = 7, in[1] = 8;
    MPI_Isendrecv_replace_c(in, 2, I, rank, 3, rank, 3, COMM, &request);
    MPI_Wait(&request, &status), arrived(&status);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    static char buffer[4096];
    void *place;
    MPI_Count bytes;
    MPI_Buffer_attach_c(buffer, sizeof buffer);
    sends();
    receives();
    exchanges();
    MPI_Buffer_flush();
    MPI_Buffer_detach_c(&place, &bytes);
    CHECK(place == buffer && bytes == sizeof buffer);
    MPI_Finalize();
    return 0;
}
