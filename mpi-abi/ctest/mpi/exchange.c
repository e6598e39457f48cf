/* Exchanges of whole types between neighbours in a ring; order of messages; wildcards. */
#include "check.h"

#define W MPI_COMM_WORLD

static int next, before;

static MPI_Datatype column(void) {
    MPI_Datatype made;
    MPI_Type_vector(3, 1, 3, MPI_INT, &made);
    MPI_Type_commit(&made);
    return made;
}

/* The second column goes on to the next rank; the rest of the matrix stays. */
static void check_columns(int matrix[3][3], int from) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            CHECK(matrix[i][j] == (j == 1 ? from : rank) * 100 + 10 * i + j);
}

static void fill(int matrix[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) matrix[i][j] = rank * 100 + 10 * i + j;
}

static void columns(void) {
    int matrix[3][3], other[3][3];
    MPI_Datatype type = column();
    MPI_Request request;
    MPI_Status status;
    fill(matrix);
    MPI_Sendrecv_replace(&matrix[0][1], 1, type, next, 1, before, 1, W, &status);
    check_columns(matrix, before);
    fill(matrix);
    MPI_Isendrecv_replace(&matrix[0][1], 1, type, next, 1, before, 1, W, &request);
    MPI_Wait(&request, &status);
    check_columns(matrix, before);
    CHECK(status.MPI_SOURCE == before && status.MPI_TAG == 1 && request == MPI_REQUEST_NULL);
    fill(matrix), fill(other);
    MPI_Isendrecv(&matrix[0][1], 1, type, next, 1, &other[0][1], 1, type, before, 1, W, &request);
    MPI_Wait(&request, &status);
    check_columns(other, before);
    int tested = 0, missing = 0;
    MPI_Isendrecv(matrix, 1, type, next, 1, other, 1, type, before, 1, W, &request);
    while (!tested) MPI_Test(&request, &tested, &status), missing++;
    CHECK(status.MPI_SOURCE == before);
    /* The send alone, and the receive alone. */
    MPI_Isendrecv(&rank, 1, MPI_INT, next, 2, matrix, 1, MPI_INT, MPI_PROC_NULL, 0, W, &request);
    MPI_Recv(other, 1, MPI_INT, before, 2, W, &status);
    MPI_Wait(&request, &status);
    CHECK(other[0][0] == before && status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Request send;
    MPI_Isend(&rank, 1, MPI_INT, next, 2, W, &send);
    MPI_Isendrecv(other, 1, MPI_INT, MPI_PROC_NULL, 0, matrix, 1, MPI_INT, before, 2, W, &request);
    MPI_Wait(&request, &status), MPI_Wait(&send, MPI_STATUS_IGNORE);
    CHECK(matrix[0][0] == before && status.MPI_SOURCE == before && status.MPI_TAG == 2);
    MPI_Type_free(&type);
}

/* Messages of one sender are received in the order sent, also by wildcards. */
static void order(void) {
    enum { N = 20 };
    int out[N], in[N];
    MPI_Request sends[N], receives[N];
    MPI_Status status;
    for (int i = 0; i < N; i++) {
        out[i] = 1000 * rank + i;
        MPI_Isend(&out[i], 1, MPI_INT, next, i % 2, W, &sends[i]);
    }
    for (int i = 0; i < N / 2; i++) {
        MPI_Recv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, 1, W, &status);
        CHECK(in[i] == 1000 * before + 2 * i + 1 && status.MPI_SOURCE == before);
    }
    for (int i = 0; i < N / 2; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, before, MPI_ANY_TAG, W, &receives[i]);
    MPI_Waitall(N / 2, receives, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N / 2; i++) CHECK(in[i] == 1000 * before + 2 * i);
    MPI_Waitall(N, sends, MPI_STATUSES_IGNORE);
}

/* Different types at both ends with the same basic types; less than there is room for. */
static void signatures(void) {
    struct { int n; double x; } out = {rank, rank + 0.5}, in = {-1, -1};
    int lengths[2] = {1, 1}, count;
    MPI_Aint places[2] = {0, 8}, addresses[2];
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, relative, absolute;
    MPI_Status status;
    MPI_Type_create_struct(2, lengths, places, types, &relative);
    MPI_Get_address(&in.n, &addresses[0]), MPI_Get_address(&in.x, &addresses[1]);
    MPI_Type_create_struct(2, lengths, addresses, types, &absolute);
    MPI_Type_commit(&relative), MPI_Type_commit(&absolute);
    MPI_Sendrecv(&out, 1, relative, next, 1, MPI_BOTTOM, 1, absolute, before, 1, W, &status);
    CHECK(in.n == before && in.x == before + 0.5);
    int many[10] = {0};
    MPI_Sendrecv(&rank, 1, MPI_INT, next, 1, many, 10, MPI_INT, before, 1, W, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 1 && many[0] == before && many[1] == 0);
    MPI_Type_free(&relative), MPI_Type_free(&absolute);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    next = (rank + 1) % size, before = (rank + size - 1) % size;
    columns();
    order();
    signatures();
    MPI_Finalize();
    return 0;
}
