/* Details of the standard: null handles of failed constructors, hints, process sets, hardware,
   partitions, dimensions. Every rank is on a node of its own. */
#include "check.h"

#define W MPI_COMM_WORLD

static void failed(void) {
    MPI_Comm comm = W;
    MPI_Group group = MPI_GROUP_EMPTY, world;
    MPI_Datatype type = MPI_INT;
    MPI_Request request = (MPI_Request)1;
    MPI_Op op = MPI_SUM;
    MPI_Info info = MPI_INFO_ENV;
    int two[2] = {0, 0}, value = 0;
    MPI_Comm_group(W, &world);
    CHECK(MPI_Comm_dup(MPI_COMM_NULL, &comm) != MPI_SUCCESS && comm == MPI_COMM_NULL);
    comm = W;
    CHECK(MPI_Comm_split(W, -5, 0, &comm) != MPI_SUCCESS && comm == MPI_COMM_NULL);
    comm = W;
    CHECK(MPI_Cart_create(W, 1, &size, NULL, 0, &comm) != MPI_SUCCESS && comm == MPI_COMM_NULL);
    comm = W;
    CHECK(MPI_Comm_create(W, MPI_GROUP_NULL, &comm) != MPI_SUCCESS && comm == MPI_COMM_NULL);
    comm = W;
    CHECK(MPI_Comm_idup(MPI_COMM_NULL, &comm, &request) != MPI_SUCCESS);
    CHECK(comm == MPI_COMM_NULL && request == MPI_REQUEST_NULL);
    CHECK(MPI_Group_incl(world, 2, two, &group) != MPI_SUCCESS && group == MPI_GROUP_NULL);
    CHECK(MPI_Type_contiguous(-1, MPI_INT, &type) != MPI_SUCCESS && type == MPI_DATATYPE_NULL);
    type = MPI_INT;
    CHECK(MPI_Type_vector(1, 1, 1, MPI_DATATYPE_NULL, &type) != MPI_SUCCESS);
    CHECK(type == MPI_DATATYPE_NULL);
    CHECK(MPI_Op_create(NULL, 1, &op) != MPI_SUCCESS && op == MPI_OP_NULL);
    request = (MPI_Request)1;
    CHECK(MPI_Isend(&value, 1, MPI_INT, size, 0, W, &request) != MPI_SUCCESS);
    CHECK(request == MPI_REQUEST_NULL);
    request = (MPI_Request)1;
    CHECK(MPI_Ibcast(&value, -1, MPI_INT, 0, W, &request) != MPI_SUCCESS);
    CHECK(request == MPI_REQUEST_NULL);
    request = (MPI_Request)1;
    CHECK(MPI_Precv_init(&value, -1, 1, MPI_INT, 0, 0, W, MPI_INFO_NULL, &request) != MPI_SUCCESS);
    CHECK(request == MPI_REQUEST_NULL);
    CHECK(MPI_Info_dup(MPI_INFO_NULL, &info) != MPI_SUCCESS && info == MPI_INFO_NULL);
    MPI_Group_free(&world);
}

static int has(MPI_Info info, const char *key, char *value) {
    int flag = 0;
    MPI_Info_get(info, key, 63, value, &flag);
    return flag;
}

static void hints(void) {
    char value[64] = "";
    MPI_Info info, used;
    MPI_Comm twin;
    MPI_Session session;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Info_set(info, "somebody_elses_key", "7");
    MPI_Comm_dup_with_info(W, info, &twin);
    MPI_Comm_set_info(twin, info);
    MPI_Comm_get_info(twin, &used);
    CHECK(has(used, "mpi_assert_no_any_tag", value) && !strcmp(value, "true"));
    CHECK(!has(used, "somebody_elses_key", value));
    MPI_Info_free(&used);
    CHECK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS);
    MPI_Session_get_info(session, &used);
    CHECK(has(used, "thread_level", value) && !has(used, "somebody_elses_key", value));
    MPI_Info_free(&used);
    MPI_Session_finalize(&session);
    MPI_Comm_free(&twin);
    MPI_Info_free(&info);
}

static void sets(void) {
    MPI_Session session;
    MPI_Group group;
    int n = -1;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    CHECK(MPI_Group_from_session_pset(session, "MPI://world", &group) == MPI_SUCCESS);
    MPI_Group_size(group, &n);
    CHECK(n == size);
    MPI_Group_free(&group);
    CHECK(MPI_Group_from_session_pset(session, "mpi://Self", &group) == MPI_SUCCESS);
    MPI_Group_size(group, &n);
    CHECK(n == 1);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
}

static void hardware(void) {
    char kind[64] = "";
    MPI_Info info;
    MPI_Comm part, again;
    int relation;
    MPI_Info_create(&info);
    MPI_Comm_split_type(W, MPI_COMM_TYPE_HW_UNGUIDED, rank, info, &part);
    CHECK((size == 1) == (part == MPI_COMM_NULL));
    if (part != MPI_COMM_NULL) {
        /* The kind that was chosen is one to ask for. */
        CHECK(has(info, "mpi_hw_resource_type", kind) && kind[0]);
        MPI_Comm_split_type(W, MPI_COMM_TYPE_HW_GUIDED, rank, info, &again);
        CHECK(again != MPI_COMM_NULL);
        MPI_Comm_compare(part, again, &relation);
        CHECK(relation == MPI_CONGRUENT);
        MPI_Comm_free(&again), MPI_Comm_free(&part);
    } else {
        CHECK(!has(info, "mpi_hw_resource_type", kind));
    }
    MPI_Info_free(&info);
}

/* The receive has room for three partitions of four; two of three are sent, twice. */
static void partitions(void) {
    int out[6], in[12], flag, n, next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Request send, receive;
    MPI_Status status;
    MPI_Precv_init(in, 3, 4, MPI_INT, before, 0, W, MPI_INFO_NULL, &receive);
    MPI_Psend_init(out, 2, 3, MPI_INT, next, 0, W, MPI_INFO_NULL, &send);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 12; i++) in[i] = -1;
        for (int i = 0; i < 6; i++) out[i] = 10 * round + i;
        MPI_Start(&receive), MPI_Start(&send);
        MPI_Pready(0, send);
        MPI_Pready(1, send);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        for (flag = 0; !flag;) MPI_Parrived(receive, 2, &flag);
        for (flag = 0; !flag;) MPI_Parrived(receive, 0, &flag);
        CHECK(in[0] == 10 * round && in[3] == 10 * round + 3);
        MPI_Wait(&receive, &status);
        MPI_Get_count(&status, MPI_INT, &n);
        CHECK(n == 6);
        for (int i = 0; i < 12; i++) CHECK(in[i] == (i < 6 ? 10 * round + i : -1));
    }
    MPI_Request_free(&send), MPI_Request_free(&receive);
}

static void dimensions(void) {
    int three[3] = {0}, two[2] = {0};
    MPI_Dims_create(360, 3, three);
    CHECK(three[0] == 10 && three[1] == 6 && three[2] == 6);
    MPI_Dims_create(72, 2, two);
    CHECK(two[0] == 9 && two[1] == 8);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(W, &rank);
    MPI_Comm_size(W, &size);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    failed();
    hints();
    sets();
    hardware();
    partitions();
    dimensions();
    MPI_Finalize();
    return 0;
}
