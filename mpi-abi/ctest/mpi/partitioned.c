/* Partitioned communication: parts that are ready one by one, and that may be used as they come. */
#include "check.h"

#define W MPI_COMM_WORLD
enum { PARTS = 4, EACH = 3, ALL = PARTS * EACH };

static int next, before;

/* The same number of partitions on both sides, round after round. */
static void rounds(void) {
    int out[ALL], in[ALL], flag;
    MPI_Request requests[2];
    MPI_Status all[2];
    MPI_Precv_init(in, PARTS, EACH, MPI_INT, before, 1, W, MPI_INFO_NULL, &requests[0]);
    MPI_Psend_init(out, PARTS, EACH, MPI_INT, next, 1, W, MPI_INFO_NULL, &requests[1]);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < ALL; i++) in[i] = -1;
        CHECK(MPI_Startall(2, requests) == MPI_SUCCESS);
        CHECK(MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && !flag);
        for (int i = 0; i < ALL; i++) out[i] = 1000 * rank + 100 * round + i;
        if (round == 0)
            for (int i = PARTS - 1; i >= 0; i--) CHECK(MPI_Pready(i, requests[1]) == MPI_SUCCESS);
        if (round == 1) CHECK(MPI_Pready_range(0, PARTS - 1, requests[1]) == MPI_SUCCESS);
        if (round == 2) {
            int first[3] = {3, 0, 2};
            CHECK(MPI_Pready_list(3, first, requests[1]) == MPI_SUCCESS);
            CHECK(MPI_Pready(1, requests[1]) == MPI_SUCCESS);
        }
        CHECK(MPI_Waitall(2, requests, all) == MPI_SUCCESS && requests[0] != MPI_REQUEST_NULL);
        for (int i = 0; i < ALL; i++) CHECK(in[i] == 1000 * before + 100 * round + i);
        int count;
        MPI_Get_count(&all[0], MPI_INT, &count);
        CHECK(count == ALL && all[0].MPI_SOURCE == before && all[0].MPI_TAG == 1);
        CHECK(MPI_Parrived(requests[0], 0, &flag) == MPI_SUCCESS && flag && "it is inactive");
    }
    MPI_Request_free(&requests[0]), MPI_Request_free(&requests[1]);
}

/* What has come may be used, and changed, before the rest is there. */
static void as_they_come(void) {
    int out[ALL], in[ALL], flag = 0, token = 0;
    MPI_Request send, receive, told;
    for (int i = 0; i < ALL; i++) out[i] = i;
    MPI_Psend_init_c(out, ALL, 1, MPI_INT, next, 2, W, MPI_INFO_NULL, &send);
    MPI_Precv_init_c(in, 2, ALL / 2, MPI_INT, before, 2, W, MPI_INFO_NULL, &receive);
    MPI_Start(&receive), MPI_Start(&send);
    CHECK(MPI_Parrived(receive, 1, &flag) == MPI_SUCCESS && !flag);
    MPI_Pready_range(ALL / 2, ALL - 1, send);
    while (!flag) MPI_Parrived(receive, 1, &flag);
    for (int i = ALL / 2; i < ALL; i++) if (in[i] == i) in[i] = -i;
    CHECK(MPI_Parrived(receive, 0, &flag) == MPI_SUCCESS && !flag);
    MPI_Irecv(&token, 1, MPI_INT, next, 3, W, &told);
    MPI_Send(&rank, 1, MPI_INT, before, 3, W);
    MPI_Wait(&told, MPI_STATUS_IGNORE);
    CHECK(token == next && "the other side has seen its half");
    MPI_Pready_range(0, ALL / 2 - 1, send);
    MPI_Wait(&send, MPI_STATUS_IGNORE), MPI_Wait(&receive, MPI_STATUS_IGNORE);
    for (int i = 0; i < ALL; i++) CHECK(in[i] == (i < ALL / 2 ? i : -i));
    MPI_Request_free(&send), MPI_Request_free(&receive);
}

/* Requests match in the order they are made, and nothing else. */
static void order(void) {
    int out[2] = {10, 20}, in[2] = {0, 0}, plain = 0, thirty = 30;
    MPI_Request requests[4], other;
    MPI_Precv_init(&in[0], 1, 1, MPI_INT, before, 4, W, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(&in[1], 1, 1, MPI_INT, before, 4, W, MPI_INFO_NULL, &requests[1]);
    MPI_Psend_init(&out[0], 1, 1, MPI_INT, next, 4, W, MPI_INFO_NULL, &requests[2]);
    MPI_Psend_init(&out[1], 1, 1, MPI_INT, next, 4, W, MPI_INFO_NULL, &requests[3]);
    MPI_Startall(4, requests);
    MPI_Irecv(&plain, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, W, &other);
    MPI_Pready(0, requests[3]), MPI_Pready(0, requests[2]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    CHECK(in[0] == 10 && in[1] == 20);
    MPI_Request send;
    MPI_Isend(&thirty, 1, MPI_INT, next, 4, W, &send);
    MPI_Wait(&other, MPI_STATUS_IGNORE), MPI_Wait(&send, MPI_STATUS_IGNORE);
    CHECK(plain == 30);
    for (int i = 0; i < 4; i++) MPI_Request_free(&requests[i]);
}

/* Types with gaps, the null process, and nothing at all. */
static void kinds(void) {
    int out[8] = {1, 0, 2, 0, 3, 0, 4, 0}, in[8] = {0}, flag = 0;
    MPI_Datatype even;
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &even), MPI_Type_commit(&even);
    MPI_Psend_init(out, 2, 2, even, next, 5, W, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(in, 4, 1, even, before, 5, W, MPI_INFO_NULL, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Pready_range(0, 1, requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(memcmp(in, out, sizeof in) == 0);
    MPI_Request_free(&requests[0]), MPI_Request_free(&requests[1]), MPI_Type_free(&even);
    MPI_Psend_init(out, 2, 2, MPI_INT, MPI_PROC_NULL, 5, W, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(in, 2, 2, MPI_INT, MPI_PROC_NULL, 5, W, MPI_INFO_NULL, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Pready_range(0, 1, requests[0]);
    CHECK(MPI_Parrived(requests[1], 1, &flag) == MPI_SUCCESS && flag);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_Wait(&requests[1], &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Request_free(&requests[0]), MPI_Request_free(&requests[1]);
    MPI_Psend_init(out, 2, 0, MPI_INT, next, 5, W, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(in, 3, 0, MPI_INT, before, 5, W, MPI_INFO_NULL, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Pready_range(0, 1, requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]), MPI_Request_free(&requests[1]);
    MPI_Psend_init(out, 0, 2, MPI_INT, next, 5, W, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(in, 0, 2, MPI_INT, before, 5, W, MPI_INFO_NULL, &requests[1]);
    for (int round = 0; round < 2; round++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]), MPI_Request_free(&requests[1]);
}

static void wrong(void) {
    int out[2] = {1, 2}, in[2], flag, list[1] = {7};
    MPI_Request requests[2];
    GIVES(MPI_ERR_ARG, MPI_Psend_init(out, -1, 1, MPI_INT, next, 6, W, MPI_INFO_NULL, requests));
    GIVES(MPI_ERR_COUNT, MPI_Psend_init(out, 1, -1, MPI_INT, next, 6, W, MPI_INFO_NULL, requests));
    GIVES(MPI_ERR_RANK, MPI_Psend_init(out, 1, 1, MPI_INT, size, 6, W, MPI_INFO_NULL, requests));
    GIVES(MPI_ERR_RANK, MPI_Precv_init(in, 1, 1, MPI_INT, MPI_ANY_SOURCE, 6, W, MPI_INFO_NULL, requests));
    GIVES(MPI_ERR_TAG, MPI_Precv_init(in, 1, 1, MPI_INT, 0, MPI_ANY_TAG, W, MPI_INFO_NULL, requests));
    GIVES(MPI_ERR_REQUEST, MPI_Pready(0, MPI_REQUEST_NULL));
    MPI_Psend_init(out, 2, 1, MPI_INT, next, 6, W, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(in, 2, 1, MPI_INT, before, 6, W, MPI_INFO_NULL, &requests[1]);
    GIVES(MPI_ERR_REQUEST, MPI_Pready(0, requests[0]));
    MPI_Startall(2, requests);
    GIVES(MPI_ERR_ARG, MPI_Pready(2, requests[0]));
    GIVES(MPI_ERR_ARG, MPI_Pready(-1, requests[0]));
    GIVES(MPI_ERR_ARG, MPI_Pready_list(1, list, requests[0]));
    GIVES(MPI_ERR_ARG, MPI_Pready_range(1, 0, requests[0]));
    GIVES(MPI_ERR_REQUEST, MPI_Pready(0, requests[1]));
    GIVES(MPI_ERR_REQUEST, MPI_Parrived(requests[0], 0, &flag));
    GIVES(MPI_ERR_ARG, MPI_Parrived(requests[1], 2, &flag));
    GIVES(MPI_ERR_REQUEST, MPI_Cancel(&requests[0]));
    MPI_Pready(0, requests[0]);
    GIVES(MPI_ERR_REQUEST, MPI_Pready(0, requests[0]));
    MPI_Pready(1, requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]), MPI_Request_free(&requests[1]);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    next = (rank + 1) % size, before = (rank + size - 1) % size;
    rounds();
    as_they_come();
    order();
    kinds();
    wrong();
    MPI_Finalize();
    return 0;
}
