/* Attributes of communicators and datatypes: callbacks, their order, their errors, what is MPI's. */
#include "check.h"

static int copies, deletes, copy_code, delete_code, copy_flag = 1, order[8];
static char state, values[8];

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
    CHECK(extra == &state && key != MPI_KEYVAL_INVALID && comm != MPI_COMM_NULL);
    copies++;
    *(void **)out = (char *)in + 1;
    *flag = copy_flag;
    return copy_code;
}

static int drop(MPI_Comm comm, int key, void *value, void *extra) {
    CHECK(extra == &state && key != MPI_KEYVAL_INVALID && comm != MPI_COMM_NULL);
    if (delete_code == MPI_SUCCESS)
        order[deletes++] = (int)((char *)value - values);
    return delete_code;
}

static void life(void) {
    MPI_Comm comm, twin;
    int key, other, flag;
    char *found;
    copies = deletes = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(MPI_Comm_create_keyval(copy, drop, &key, &state) == MPI_SUCCESS);
    CHECK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &other, &state) == MPI_SUCCESS);
    CHECK(key != other && key != MPI_KEYVAL_INVALID);
    MPI_Comm_get_attr(comm, key, &found, &flag);
    CHECK(!flag);
    MPI_Comm_set_attr(comm, key, &values[1]);
    /* The old value is deleted first. */
    MPI_Comm_set_attr(comm, key, &values[2]);
    CHECK(deletes == 1 && order[0] == 1);
    MPI_Comm_set_attr(comm, other, &values[5]);
    MPI_Comm_dup(comm, &twin);
    CHECK(copies == 1);
    MPI_Comm_get_attr(twin, key, &found, &flag);
    CHECK(flag && found == &values[3]);
    MPI_Comm_get_attr(twin, other, &found, &flag);
    CHECK(!flag);
    copy_flag = 0;
    MPI_Comm third;
    MPI_Comm_dup(comm, &third);
    MPI_Comm_get_attr(third, key, &found, &flag);
    CHECK(!flag && copies == 2);
    copy_flag = 1;
    MPI_Comm_free(&third);
    CHECK(deletes == 1);
    /* Splitting copies nothing. */
    MPI_Comm_split(comm, 0, 0, &third);
    MPI_Comm_get_attr(third, key, &found, &flag);
    CHECK(!flag && copies == 2);
    MPI_Comm_free(&third);
    MPI_Comm_delete_attr(twin, key);
    CHECK(deletes == 2 && order[1] == 3);
    CHECK(MPI_Comm_delete_attr(twin, key) == MPI_SUCCESS && deletes == 2);
    MPI_Comm_free(&twin);
    /* A freed key serves as long as an attribute has it; the last one set goes first. */
    int kept = key;
    CHECK(MPI_Comm_free_keyval(&key) == MPI_SUCCESS && key == MPI_KEYVAL_INVALID);
    GIVES(MPI_ERR_KEYVAL, MPI_Comm_set_attr(comm, kept, &values[6]));
    GIVES(MPI_ERR_KEYVAL, MPI_Comm_free_keyval(&kept));
    MPI_Comm_free(&comm);
    CHECK(deletes == 4 && order[2] == 5 && order[3] == 2);
    MPI_Comm_free_keyval(&other);
}

static void failing(void) {
    MPI_Comm comm, twin = MPI_COMM_NULL;
    int key, flag;
    char *found;
    MPI_Request request;
    copies = deletes = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_create_keyval(copy, drop, &key, &state);
    MPI_Comm_set_attr(comm, key, &values[0]);
    copy_code = MPI_ERR_OTHER;
    /* What fails leaves no handle of something else. */
    twin = comm;
    GIVES(MPI_ERR_OTHER, MPI_Comm_dup(comm, &twin));
    CHECK(twin == MPI_COMM_NULL && copies == 1);
    twin = comm;
    GIVES(MPI_ERR_OTHER, MPI_Comm_idup(comm, &twin, &request));
    CHECK(twin == MPI_COMM_NULL);
    copy_code = MPI_SUCCESS;
    delete_code = MPI_ERR_ARG;
    GIVES(MPI_ERR_ARG, MPI_Comm_delete_attr(comm, key));
    GIVES(MPI_ERR_ARG, MPI_Comm_set_attr(comm, key, &values[1]));
    MPI_Comm_get_attr(comm, key, &found, &flag);
    CHECK(flag && found == &values[0]);
    twin = comm;
    GIVES(MPI_ERR_ARG, MPI_Comm_free(&twin));
    CHECK(twin == comm);
    delete_code = MPI_SUCCESS;
    CHECK(MPI_Comm_delete_attr(comm, key) == MPI_SUCCESS && deletes == 1);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&comm);
}

/* A callback that itself uses attributes and communicates. */
static int inner;

static int busy(MPI_Comm comm, int key, void *value, void *extra) {
    int sum = 0, flag;
    void *found;
    (void)value, (void)extra;
    CHECK(MPI_Comm_get_attr(comm, key, &found, &flag) == MPI_SUCCESS && flag);
    CHECK(MPI_Comm_delete_attr(comm, inner) == MPI_SUCCESS);
    CHECK(MPI_Comm_set_attr(MPI_COMM_SELF, inner, NULL) == MPI_SUCCESS);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == size * (size - 1) / 2);
    deletes++;
    return MPI_SUCCESS;
}

static void recursive(void) {
    MPI_Comm comm;
    int key;
    deletes = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &inner, &state);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, busy, &key, NULL);
    MPI_Comm_set_attr(comm, inner, &values[4]);
    MPI_Comm_set_attr(comm, key, NULL);
    MPI_Comm_free(&comm);
    CHECK(deletes == 2 && order[0] == 4);
    MPI_Comm_free_keyval(&key);
    delete_code = MPI_SUCCESS;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_free_keyval(&key);
}

static int type_copies, type_deletes;

static int type_copy(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag) {
    (void)type, (void)key, (void)extra;
    type_copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int type_drop(MPI_Datatype type, int key, void *value, void *extra) {
    (void)type, (void)key, (void)value, (void)extra;
    type_deletes++;
    return MPI_SUCCESS;
}

static void types(void) {
    MPI_Datatype type, twin;
    int key, none, flag, comm_key;
    char *found;
    MPI_Type_create_keyval(type_copy, type_drop, &key, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &none, NULL);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_set_attr(type, key, &values[1]);
    MPI_Type_set_attr(type, none, &values[2]);
    MPI_Type_dup(type, &twin);
    MPI_Type_get_attr(twin, key, &found, &flag);
    CHECK(flag && found == &values[1] && type_copies == 1);
    MPI_Type_get_attr(twin, none, &found, &flag);
    CHECK(!flag);
    MPI_Type_delete_attr(twin, key);
    CHECK(type_deletes == 1);
    MPI_Type_free(&twin), MPI_Type_free(&type);
    CHECK(type_deletes == 2);
    /* On a predefined type as well; keys of another kind are no keys. */
    CHECK(MPI_Type_set_attr(MPI_INT, key, &values[3]) == MPI_SUCCESS);
    MPI_Type_get_attr(MPI_INT, key, &found, &flag);
    CHECK(flag && found == &values[3]);
    MPI_Type_delete_attr(MPI_INT, key);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &comm_key, NULL);
    GIVES(MPI_ERR_KEYVAL, MPI_Type_set_attr(MPI_INT, comm_key, NULL));
    GIVES(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL));
    GIVES(MPI_ERR_KEYVAL, MPI_Type_get_attr(MPI_INT, comm_key, &found, &flag));
    int wrong = comm_key;
    GIVES(MPI_ERR_KEYVAL, MPI_Type_free_keyval(&wrong));
    GIVES(MPI_ERR_TYPE, MPI_Type_set_attr(MPI_DATATYPE_NULL, key, NULL));
    MPI_Comm_free_keyval(&comm_key);
    MPI_Type_free_keyval(&key), MPI_Type_free_keyval(&none);
}

static void predefined(void) {
    int *value, flag = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    CHECK(flag && *value >= 32767);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &value, &flag);
    CHECK(flag && (*value == MPI_PROC_NULL || (*value >= 0 && *value < size)));
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag);
    CHECK(flag && *value == MPI_ANY_SOURCE);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
    CHECK(flag && *value == 1);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag);
    CHECK(flag && *value == size);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag);
    CHECK(flag && *value == 0);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
    CHECK(flag && *value >= MPI_ERR_LASTCODE);
    int keys[] = {MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE, MPI_APPNUM,
                  MPI_LASTUSEDCODE, MPI_KEYVAL_INVALID, 987654};
    for (int i = 0; i < 9; i++) {
        int key = keys[i];
        GIVES(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL));
        GIVES(MPI_ERR_KEYVAL, MPI_Comm_delete_attr(MPI_COMM_WORLD, key));
        GIVES(MPI_ERR_KEYVAL, MPI_Comm_free_keyval(&key));
    }
    GIVES(MPI_ERR_KEYVAL, MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &value, &flag));
    GIVES(MPI_ERR_COMM, MPI_Comm_get_attr(MPI_COMM_NULL, MPI_TAG_UB, &value, &flag));
    /* The names of MPI-1. */
    int key;
    char *found;
    CHECK(MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &key, NULL) == MPI_SUCCESS);
    CHECK(MPI_Attr_put(MPI_COMM_WORLD, key, &values[1]) == MPI_SUCCESS);
    CHECK(MPI_Attr_get(MPI_COMM_WORLD, key, &found, &flag) == MPI_SUCCESS);
    CHECK(flag && found == &values[1]);
    CHECK(MPI_Attr_delete(MPI_COMM_WORLD, key) == MPI_SUCCESS);
    CHECK(MPI_Keyval_free(&key) == MPI_SUCCESS && key == MPI_KEYVAL_INVALID);
}

/* At the end: attributes of MPI_COMM_SELF go first, the last set first, while MPI still works. */
static int ended;

static int at_end(MPI_Comm comm, int key, void *value, void *extra) {
    int done = -1, sum = 0, place = (int)((char *)value - values);
    (void)key, (void)extra;
    CHECK(comm == (place ? MPI_COMM_SELF : MPI_COMM_WORLD) && place == 3 - ended++);
    MPI_Finalized(&done);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(!done && sum == size * (size - 1) / 2);
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    life();
    failing();
    recursive();
    types();
    predefined();
    for (int i = 1; i <= 3; i++) {
        int key;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, key, &values[i]);
        MPI_Comm_free_keyval(&key);
    }
    /* The world goes after MPI_COMM_SELF. */
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &values[0]);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_delete_attr(MPI_COMM_SELF, inner);
    MPI_Comm_free_keyval(&inner);
    MPI_Finalize();
    CHECK(ended == 4);
    return 0;
}
