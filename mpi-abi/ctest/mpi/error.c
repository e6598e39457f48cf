/* Error classes that wrong arguments give under MPI_ERRORS_RETURN (MPI chapter 9). */
#include "check.h"

static void transfers(void) {
    int value = 0;
    MPI_Request request;
    MPI_Status status;
    GIVES(MPI_ERR_COMM, MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
    GIVES(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD));
    GIVES(MPI_ERR_RANK, MPI_Ssend(&value, 1, MPI_INT, -99, 0, MPI_COMM_WORLD));
    GIVES(MPI_ERR_TAG, MPI_Send(&value, 1, MPI_INT, 0, -5, MPI_COMM_WORLD));
    GIVES(MPI_ERR_TAG, MPI_Rsend(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD));
    GIVES(MPI_ERR_COUNT, MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD));
    GIVES(MPI_ERR_TYPE, MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD));
    GIVES(MPI_ERR_RANK, MPI_Recv(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD, &status));
    GIVES(MPI_ERR_COUNT, MPI_Irecv(&value, -2, MPI_INT, 0, 0, MPI_COMM_WORLD, &request));
    GIVES(MPI_ERR_RANK, MPI_Probe(-77, 0, MPI_COMM_WORLD, &status));
    int flag;
    GIVES(MPI_ERR_TAG, MPI_Iprobe(0, -77, MPI_COMM_WORLD, &flag, &status));
    MPI_Datatype uncommitted;
    MPI_Type_contiguous(2, MPI_INT, &uncommitted);
    int two[2] = {0, 0};
    GIVES(MPI_ERR_TYPE, MPI_Send(two, 1, uncommitted, 0, 0, MPI_COMM_WORLD));
    MPI_Type_free(&uncommitted);
    CHECK(MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
}

static void collectives(void) {
    int in = 0, out = 0;
    GIVES(MPI_ERR_ROOT, MPI_Bcast(&in, 1, MPI_INT, size, MPI_COMM_WORLD));
    GIVES(MPI_ERR_ROOT, MPI_Reduce(&in, &out, 1, MPI_INT, MPI_SUM, -1, MPI_COMM_WORLD));
    GIVES(MPI_ERR_OP, MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD));
    GIVES(MPI_ERR_OP, MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD));
    GIVES(MPI_ERR_COUNT, MPI_Scan(&in, &out, -1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    GIVES(MPI_ERR_TYPE, MPI_Bcast(&in, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD));
    GIVES(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
    GIVES(MPI_ERR_BUFFER, MPI_Allreduce(&in, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
}

static void objects(void) {
    MPI_Group group, none = MPI_GROUP_NULL;
    MPI_Comm comm;
    MPI_Datatype type = MPI_INT, made;
    MPI_Op op = MPI_SUM;
    MPI_Request request = MPI_REQUEST_NULL;
    int ranks[2] = {0, 0}, answer;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group got;
    GIVES(MPI_ERR_GROUP, MPI_Group_size(MPI_GROUP_NULL, &answer));
    GIVES(MPI_ERR_GROUP, MPI_Group_free(&none));
    GIVES(MPI_ERR_RANK, MPI_Group_incl(group, 2, ranks, &got));
    ranks[0] = size;
    GIVES(MPI_ERR_RANK, MPI_Group_excl(group, 1, ranks, &got));
    GIVES(MPI_ERR_GROUP, MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &comm));
    GIVES(MPI_ERR_TYPE, MPI_Type_free(&type));
    GIVES(MPI_ERR_COUNT, MPI_Type_contiguous(-1, MPI_INT, &made));
    GIVES(MPI_ERR_TYPE, MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &made));
    GIVES(MPI_ERR_OP, MPI_Op_free(&op));
    GIVES(MPI_ERR_REQUEST, MPI_Request_free(&request));
    GIVES(MPI_ERR_REQUEST, MPI_Start(&request));
    int keyval = MPI_KEYVAL_INVALID;
    GIVES(MPI_ERR_KEYVAL, MPI_Comm_free_keyval(&keyval));
    GIVES(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, NULL));
    GIVES(MPI_ERR_COMM, MPI_Comm_size(MPI_COMM_NULL, &answer));
    comm = MPI_COMM_NULL;
    GIVES(MPI_ERR_COMM, MPI_Comm_free(&comm));
    GIVES(MPI_ERR_ARG, MPI_Comm_split(MPI_COMM_WORLD, -5, 0, &comm));
    GIVES(MPI_ERR_ARG, MPI_Comm_rank(MPI_COMM_WORLD, NULL));
    MPI_Group_free(&group);
}

static void topologies_and_infos(void) {
    int dims[2] = {-1, 0}, periods[2] = {0, 0}, answer, flag;
    MPI_Comm comm;
    GIVES(MPI_ERR_DIMS, MPI_Dims_create(size, 2, dims));
    dims[0] = size + 1, dims[1] = 1;
    int class = class_of(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm));
    CHECK(class == MPI_ERR_ARG || class == MPI_ERR_DIMS || class == MPI_ERR_TOPOLOGY);
    GIVES(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(MPI_COMM_WORLD, &answer));
    GIVES(MPI_ERR_TOPOLOGY, MPI_Graphdims_get(MPI_COMM_WORLD, &answer, &flag));
    MPI_Info info = MPI_INFO_NULL;
    char value[8];
    GIVES(MPI_ERR_INFO, MPI_Info_free(&info));
    MPI_Info_create(&info);
    GIVES(MPI_ERR_INFO_NOKEY, MPI_Info_delete(info, "absent"));
    GIVES(MPI_ERR_INFO_KEY, MPI_Info_set(info, "", "x"));
    char key[MPI_MAX_INFO_KEY + 2];
    memset(key, 'k', sizeof key);
    key[MPI_MAX_INFO_KEY + 1] = 0;
    GIVES(MPI_ERR_INFO_KEY, MPI_Info_set(info, key, "x"));
    CHECK(MPI_Info_get(info, "absent", 7, value, &flag) == MPI_SUCCESS && !flag);
    MPI_Info_free(&info);
}

static void several_at_once(void) {
    long values[2] = {1, 2};
    char small;
    int sent[2] = {0, 0};
    MPI_Request requests[2];
    MPI_Status statuses[2];
    (void)values;
    MPI_Irecv(&small, 1, MPI_CHAR, rank, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&sent[1], 1, MPI_INT, rank, 2, MPI_COMM_WORLD, &requests[1]);
    int number = 5;
    MPI_Request one, two;
    MPI_Isend(&number, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &one);
    MPI_Isend(&number, 1, MPI_INT, rank, 2, MPI_COMM_WORLD, &two);
    GIVES(MPI_ERR_IN_STATUS, MPI_Waitall(2, requests, statuses));
    CHECK(class_of(statuses[0].MPI_ERROR) == MPI_ERR_TRUNCATE);
    CHECK(statuses[1].MPI_ERROR == MPI_SUCCESS || statuses[1].MPI_ERROR == MPI_ERR_PENDING);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    CHECK(sent[1] == 5);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
    MPI_Wait(&two, MPI_STATUS_IGNORE);
}

static int calls, last;
static void seen(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    calls += 1;
    last = *code;
}

static void handlers(void) {
    MPI_Errhandler handler, back, old;
    CHECK(MPI_Comm_create_errhandler(seen, &handler) == MPI_SUCCESS);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &old);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &back);
    CHECK(back == handler);
    MPI_Errhandler_free(&back);
    MPI_Errhandler_free(&handler);
    CHECK(handler == MPI_ERRHANDLER_NULL);
    MPI_Send(NULL, 0, MPI_INT, size, 0, MPI_COMM_WORLD);
    CHECK(calls == 1 && class_of(last) == MPI_ERR_RANK);
    CHECK(MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER) == MPI_SUCCESS && calls == 2);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, old);
    MPI_Errhandler_free(&old);
    int class, code, length, *bound, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &bound, &flag);
    int before = *bound;
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(code, "ours");
    char text[MPI_MAX_ERROR_STRING];
    CHECK(MPI_Error_string(code, text, &length) == MPI_SUCCESS);
    CHECK(strcmp(text, "ours") == 0 && length == 4 && class_of(code) == class);
    CHECK(class > MPI_ERR_LASTCODE);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &bound, &flag);
    CHECK(flag && *bound >= code && *bound > before);
    CHECK(MPI_Remove_error_string(code) == MPI_SUCCESS);
    CHECK(MPI_Remove_error_code(code) == MPI_SUCCESS);
    CHECK(MPI_Remove_error_class(class) == MPI_SUCCESS);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    transfers();
    collectives();
    objects();
    topologies_and_infos();
    several_at_once();
    handlers();
    MPI_Finalize();
    return 0;
}
